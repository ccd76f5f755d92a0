struct Parameters { n: u32, m: i32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = d.n; i > 0u; i--) {
    sum += a[i - 1u];
  }
  for (var i = d.m; i >= 0; i--) {
    sum *= a[i];
  }
  b[id.x] = sum;
}
