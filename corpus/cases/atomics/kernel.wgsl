struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read_write> counter: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> bins: array<atomic<u32>>;
var<workgroup> total: atomic<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (id.x < d.n) {
    atomicAdd(&total, id.x);
    atomicMax(&bins[id.x / 4u], id.x);
  }
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&counter, atomicLoad(&total));
    atomicStore(&bins[id.x], 7u);
  }
}
