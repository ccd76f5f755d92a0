var<workgroup> tile: array<u32, 64>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(global_invocation_id) gid: vec3<u32>,
        @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>,
        @builtin(local_invocation_index) index: u32) {
  tile[index] = index;
  for (var s = 32u; s > 0u; s >>= 1u) {
    if (index < s) { tile[index] += tile[index + s]; workgroupBarrier(); }
  }
  output[wid.x] = tile[0];
}
