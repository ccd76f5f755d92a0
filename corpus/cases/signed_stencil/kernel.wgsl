struct Parameters { n: i32, radius: i32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = i32(id.x);
  if (x >= d.n) { return; }
  var sum = 0.0;
  for (var k = -d.radius; k <= d.radius; k++) {
    let at = x + k;
    if (at >= 0 && at < d.n) {
      sum += a[at];
    }
  }
  b[x] = sum;
}
