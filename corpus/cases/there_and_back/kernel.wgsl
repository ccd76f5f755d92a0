@group(0) @binding(0) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let quotient = u32((i32(id.x) - 1) / -9);
  b[u32(abs(i32(quotient)))] = 1u;
}
