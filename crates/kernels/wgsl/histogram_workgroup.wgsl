// Histogram of the low bytes of the values: counted in workgroup memory, merged once a workgroup.

const BINS = 256u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> histogram: array<atomic<u32>, BINS>;

var<workgroup> bins: array<atomic<u32>, BINS>;

@compute @workgroup_size(BINS)
fn main(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (gid.x < arrayLength(&values)) {
    let bin = values[gid.x] & (BINS - 1u);
    atomicAdd(&bins[bin], 1u);
  }
  workgroupBarrier();
  atomicAdd(&histogram[lane], atomicLoad(&bins[lane]));
}
