struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> part: array<f32, 256>;

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) group: vec3u,
) {
  part[lane] = a[group.x * 256u + lane];
  workgroupBarrier();
  for (var s = 128u; s > 0u; s >>= 1u) {
    if (lane < s) {
      part[lane] += part[lane + s];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    b[group.x] = part[0];
  }
}
