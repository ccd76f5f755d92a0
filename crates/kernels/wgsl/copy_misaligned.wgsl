// Copies from an offset that starts in the middle of a line, so that every SIMD group needs two.

struct Shift {
  offset: u32,
}

@group(0) @binding(0) var<uniform> d: Shift;
@group(0) @binding(1) var<storage, read> src: array<f32>;
@group(0) @binding(2) var<storage, read_write> dst: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&dst)) {
    return;
  }
  dst[i] = src[i + d.offset];
}
