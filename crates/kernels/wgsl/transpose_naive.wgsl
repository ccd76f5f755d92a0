// Transposes a matrix directly: the reads are contiguous, the writes are a column apart.

struct Dims {
  width: u32,
  height: u32,
}

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> src: array<f32>; // height by width
@group(0) @binding(2) var<storage, read_write> dst: array<f32>; // width by height

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= d.width || gid.y >= d.height) {
    return;
  }
  dst[gid.x * d.height + gid.y] = src[gid.y * d.width + gid.x];
}
