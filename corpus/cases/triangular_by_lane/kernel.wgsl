struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x;
  if (row >= d.n) { return; }
  var sum = 0.0;
  for (var j = 0u; j <= row; j++) {
    sum += a[row * d.n + j];
  }
  for (var j = row + 1u; j < d.n; j++) {
    sum -= a[row * d.n + j];
  }
  b[row] = sum;
}
