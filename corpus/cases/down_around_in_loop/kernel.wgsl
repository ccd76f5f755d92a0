struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var k = 0u; k < 2u; k++) {
    for (var i = 1u; i < 100u; i--) {
      if (id.x < d.n) {
        return;
      }
    }
    sum = sum * 2.0 + 1.0;
  }
  b[id.x] = sum;
}
