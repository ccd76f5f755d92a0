// Subgroup operations.
@group(0) @binding(0) var<storage, read_write> data: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(subgroup_size) width: u32,
        @builtin(subgroup_invocation_id) lane: u32) {
  let v = data[id.x].xy;
  let ballot = subgroupBallot(v.x > 0.5);
  let sum = subgroupAdd(v) + subgroupExclusiveAdd(v) + subgroupInclusiveMul(v);
  let most = subgroupMax(v.x) + subgroupBroadcast(v.y, 3u) + subgroupBroadcastFirst(v.x);
  let moved = subgroupShuffle(v.x, lane ^ 1u) + subgroupShuffleXor(v.y, width / 2u)
    + subgroupShuffleUp(v.x, 1u) + subgroupShuffleDown(v.x, 2u);
  let quad = quadBroadcast(v.x, 2u) + quadSwapX(v.x) + quadSwapY(v.y) + quadSwapDiagonal(v.x);
  let flags = u32(subgroupAll(v.x > 0.0)) + u32(subgroupAny(v.y > 0.0)) + subgroupOr(ballot.x);
  data[id.x] = vec4f(sum, most + moved + quad, f32(flags + ballot.y));
}
