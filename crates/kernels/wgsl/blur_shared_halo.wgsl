// A blur of radius 4 that stages each block of 16 by 16 pixels with its halo: 576 loads for 256 pixels.

struct Image {
  width: u32,
  height: u32,
}

const BLOCK = 16u;
const RADIUS = 4u;
const TAPS = 2u * RADIUS + 1u;
const TILE = BLOCK + 2u * RADIUS;
const LANES = BLOCK * BLOCK;

@group(0) @binding(0) var<uniform> d: Image;
@group(0) @binding(1) var<storage, read> src: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>; // 9 of them
@group(0) @binding(3) var<storage, read_write> dst: array<f32>;

var<workgroup> tile: array<f32, TILE * TILE>;

// The coordinate `shifted - RADIUS`, moved to the nearest one inside the image.
fn clamp_to_edge(shifted: u32, size: u32) -> u32 {
  return min(max(shifted, RADIUS) - RADIUS, size - 1u);
}

@compute @workgroup_size(BLOCK, BLOCK)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var slot = lane; slot < TILE * TILE; slot += LANES) {
    let x = clamp_to_edge(wid.x * BLOCK + slot % TILE, d.width);
    let y = clamp_to_edge(wid.y * BLOCK + slot / TILE, d.height);
    tile[slot] = src[y * d.width + x];
  }
  workgroupBarrier();

  if (gid.x >= d.width || gid.y >= d.height) {
    return;
  }
  var sum = 0.0;
  for (var j = 0u; j < TAPS; j += 1u) {
    let first = (lid.y + j) * TILE + lid.x;
    let weight = weights[j];
    for (var i = 0u; i < TAPS; i += 1u) {
      sum = fma(tile[first + i], weight * weights[i], sum);
    }
  }
  dst[gid.y * d.width + gid.x] = sum;
}
