struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = 0u; i < d.n; i++) {
    switch i % 4u {
      case 0u: { continue; }
      case 1u: { sum += 1.0; }
      case 2u: {
        if (id.x < 8u) { break; }
        sum *= 3.0;
      }
      default: { sum = sum / 2.0; }
    }
    sum -= 5.0;
  }
  b[id.x] = sum;
}
