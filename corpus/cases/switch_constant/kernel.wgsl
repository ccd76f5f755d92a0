@group(0) @binding(2) var<storage, read_write> b: array<u32>;

const MODE = 2u;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var value = id.x;
  switch MODE {
    case 0u: { value = value * 2u; }
    case 1u, 2u: { value = value * 3u + 1u; }
    default: { value = value / 5u; }
  }
  b[id.x] = value;
}
