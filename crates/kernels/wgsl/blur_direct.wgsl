// Blurs an image with a square window: (2 radius + 1)² samples a pixel, clamped to the edge.

struct Image {
  width: u32,
  height: u32,
  radius: u32,
}

@group(0) @binding(0) var<uniform> d: Image;
@group(0) @binding(1) var<storage, read> src: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>; // 2 radius + 1 of them
@group(0) @binding(3) var<storage, read_write> dst: array<f32>;

// The coordinate `shifted - radius`, moved to the nearest one inside the image.
fn clamp_to_edge(shifted: u32, size: u32) -> u32 {
  return min(max(shifted, d.radius) - d.radius, size - 1u);
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= d.width || gid.y >= d.height) {
    return;
  }
  let taps = 2u * d.radius + 1u;
  var sum = 0.0;
  for (var j = 0u; j < taps; j += 1u) {
    let first = clamp_to_edge(gid.y + j, d.height) * d.width;
    let weight = weights[j];
    for (var i = 0u; i < taps; i += 1u) {
      let sample = src[first + clamp_to_edge(gid.x + i, d.width)];
      sum = fma(sample, weight * weights[i], sum);
    }
  }
  dst[gid.y * d.width + gid.x] = sum;
}
