override PITCH: u32 = 32u;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, 8 * 33>;

@compute @workgroup_size(32, 8)
fn main(
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  tile[local.y * PITCH + local.x] = a[lane];
  workgroupBarrier();
  b[lane] = tile[(local.x % 8u) * PITCH + local.y * 4u + local.x / 8u];
}
