struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = 0u; i < d.n / 2u; i++) {
    sum += a[2u * i + 1u];
  }
  for (var i = 0u; i < ((d.n + 3u) >> 2u); i++) {
    sum *= 2.0;
  }
  for (var i = 0u; i < min(d.n, 6u); i++) {
    sum -= a[i];
  }
  for (var i = max(d.n, 4u); i < 8u; i++) {
    sum /= 3.0;
  }
  b[id.x] = sum;
}
