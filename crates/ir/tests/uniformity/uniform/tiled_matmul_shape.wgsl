struct Parameters { n: u32, k: u32 }
@group(0) @binding(2) var<uniform> d: Parameters;
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> tile: array<u32, 64>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(global_invocation_id) gid: vec3<u32>,
        @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>,
        @builtin(local_invocation_index) index: u32) {
  var sum = 0u;
  for (var t = 0u; t < (d.k + 15u) / 16u; t++) {
    let k = t * 16u + lid.x;
    if (gid.x < d.n && k < d.k) { tile[lid.x] = input[k]; } else { tile[lid.x] = 0u; }
    workgroupBarrier();
    for (var i = 0u; i < 16u; i++) { sum += tile[i]; }
    workgroupBarrier();
  }
  if (gid.x < d.n) { output[gid.x] = sum; }
}
