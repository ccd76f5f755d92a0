struct Parameters { width: u32, height: u32, depth: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(4, 3, 3)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (id.x >= d.width || id.y >= d.height || id.z >= d.depth) { return; }
  b[(id.z * d.height + id.y) * d.width + id.x] = lane;
}
