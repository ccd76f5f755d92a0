@group(0) @binding(0) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (u32((i32(id.x) - 1) / -7) < 5u) {
    b[id.x] = 1.0;
  }
}
