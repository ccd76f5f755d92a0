struct Parameters { n: u32, k: u32 }
@group(0) @binding(2) var<uniform> d: Parameters;
fn inner(i: u32) -> u32 { if (i > 3u) { return 1u; } return 2u; }
fn outer(i: u32) -> u32 { if (inner(i) > 1u) { return 0u; } workgroupBarrier(); return 3u; }
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(global_invocation_id) gid: vec3<u32>,
        @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>,
        @builtin(local_invocation_index) index: u32) {
  _ = outer(gid.x);
}
