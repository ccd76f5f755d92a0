@group(0) @binding(2) var<storage, read_write> b: array<u32>;
var<workgroup> keys: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) lane: u32) {
  keys[lane] = b[lane];
  workgroupBarrier();
  for (var k = 2u; k <= 64u; k <<= 1u) {
    for (var j = k >> 1u; j > 0u; j >>= 1u) {
      let partner = lane ^ j;
      let mine = keys[lane];
      let other = keys[partner];
      let up = (lane & k) == 0u;
      let keep_low = (partner > lane) == up;
      workgroupBarrier();
      keys[lane] = select(max(mine, other), min(mine, other), keep_low);
      workgroupBarrier();
    }
  }
  b[lane] = keys[lane];
}
