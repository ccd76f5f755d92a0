enable subgroups;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(128)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) index: u32,
  @builtin(workgroup_id) group: vec3u,
  @builtin(subgroup_invocation_id) lane: u32,
  @builtin(subgroup_size) width: u32,
) {
  let sum = subgroupAdd(a[id.x]);
  let first = subgroupBroadcastFirst(sum);
  if (lane == 0u) {
    b[(group.x * 128u + index) / width] = first;
  }
}
