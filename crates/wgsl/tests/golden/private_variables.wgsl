// Private variables of the module: registers, or memory when an array is indexed at run time.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<private> seed: u32 = 17u;
var<private> stack: array<u32, 4> = array<u32, 4>(9u, 8u, 7u, 6u);
var<private> pair: array<u32, 2>;

fn next() -> u32 {
  let old = seed;
  seed = seed * 1664525u + 1013904223u;
  return old;
}

fn push(at: u32, value: u32) {
  stack[at] = value;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  seed ^= id.x;
  push(id.y, next());
  pair[1] = next() + pair[0];
  data[id.x] = stack[id.z] + pair[1] + seed;
}
