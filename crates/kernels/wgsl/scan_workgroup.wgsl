// Inclusive prefix sums of blocks of 256 elements, and the total of each block.

const LANES = 256u;

@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> prefix: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>; // one a workgroup

var<workgroup> scratch: array<u32, LANES>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var value = 0u;
  if (gid.x < arrayLength(&x)) {
    value = x[gid.x];
  }
  scratch[lane] = value;
  workgroupBarrier();

  for (var distance = 1u; distance < LANES; distance *= 2u) {
    var addend = 0u;
    if (lane >= distance) {
      addend = scratch[lane - distance];
    }
    workgroupBarrier(); // everybody has read
    scratch[lane] += addend;
    workgroupBarrier(); // everybody has written
  }

  if (gid.x < arrayLength(&x)) {
    prefix[gid.x] = scratch[lane];
  }
  if (lane == LANES - 1u) {
    totals[wid.x] = scratch[LANES - 1u];
  }
}
