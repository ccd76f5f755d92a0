// Sums blocks of 256 elements with a tree in workgroup memory. The distance halves: active
// lanes and the words that they touch both stay together.

const LANES = 256u;

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>; // one a workgroup

var<workgroup> partial: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var value = 0.0;
  if (gid.x < arrayLength(&x)) {
    value = x[gid.x];
  }
  partial[lane] = value;
  workgroupBarrier();

  for (var step = LANES / 2u; step > 0u; step /= 2u) {
    if (lane < step) {
      partial[lane] += partial[lane + step];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    sums[wid.x] = partial[0];
  }
}
