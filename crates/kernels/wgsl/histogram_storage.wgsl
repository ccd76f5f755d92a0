// Histogram of the low bytes of the values, with every count an atomic in storage.

const BINS = 256u;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> histogram: array<atomic<u32>, BINS>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x < arrayLength(&values)) {
    let bin = values[gid.x] & (BINS - 1u);
    atomicAdd(&histogram[bin], 1u);
  }
}
