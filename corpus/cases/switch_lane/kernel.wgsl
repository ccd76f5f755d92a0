@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = f32(id.x);
  var y = 0.0;
  switch id.x % 8u {
    case 0u, 3u, 5u: { y = x * 2.0; }
    case 1u: { y = x * x + 1.0; }
    default: { y = x; }
    case 6u: { y = -x; }
  }
  b[id.x] = y;
  switch id.x {
    case 5u: { b[id.x] = 1.0; }
    case 40u, 41u: { b[id.x] = 2.0; }
    default: {}
  }
}
