@group(0) @binding(4) var image: texture_storage_2d<r32float, read_write>;
@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) lid: vec3<u32>, @builtin(global_invocation_id) gid: vec3<u32>,
        @builtin(workgroup_id) wid: vec3<u32>, @builtin(num_workgroups) count: vec3<u32>,
        @builtin(local_invocation_index) index: u32) {
  if (textureDimensions(image).x > 5u) { workgroupBarrier(); }
}
