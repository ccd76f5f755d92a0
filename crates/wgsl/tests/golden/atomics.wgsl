// Atomics in storage and workgroup memory.
struct State { count: atomic<u32>, bins: array<atomic<i32>, 16> }
@group(0) @binding(0) var<storage, read_write> state: State;
var<workgroup> total: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&total, 1u);
  let old = atomicMax(&state.bins[id.x % 16u], 3);
  atomicStore(&state.bins[0], old);
  let r = atomicCompareExchangeWeak(&state.count, 1u, atomicLoad(&total));
  if (r.exchanged) {
    atomicExchange(&state.count, r.old_value + 1u);
  }
  atomicSub(&state.count, 1u);
  atomicAnd(&state.count, 7u);
  atomicOr(&state.count, 8u);
  atomicXor(&state.count, 9u);
  atomicMin(&state.count, 10u);
}
