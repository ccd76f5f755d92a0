struct Parameters { n: u32, k: u32 }
@group(0) @binding(2) var<uniform> d: Parameters;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(global_invocation_id) gid: vec3<u32>,
        @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>,
        @builtin(local_invocation_index) index: u32) {
  var v = vec2<u32>(d.n, d.k);
  v.x = lid.x;
  if (v.y > 1u) { workgroupBarrier(); }
}
