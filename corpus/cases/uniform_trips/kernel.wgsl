@group(0) @binding(1) var<storage, read> sizes: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> size: u32;

@compute @workgroup_size(32)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  if (lane == 0u) {
    size = sizes[group.x];
  }
  let n = workgroupUniformLoad(&size);
  var sum = 0.0;
  for (var i = 0u; i < n; i++) {
    sum += 2.0;
    workgroupBarrier();
  }
  b[id.x] = sum;
}
