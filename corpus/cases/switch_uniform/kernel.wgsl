struct Parameters { mode: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = f32(id.x);
  var y = 0.0;
  switch d.mode {
    case 1u, 4u: { y = x * 2.0; }
    default: { y = x / 3.0; }
    case 7u: { y = sqrt(x) + x; }
  }
  b[id.x] = y;
}
