// The same blur as two passes of 2 radius + 1 samples, for weights that are a product of rows and columns.

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
fn horizontal(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= d.width || gid.y >= d.height) {
    return;
  }
  let first = gid.y * d.width;
  let taps = 2u * d.radius + 1u;
  var sum = 0.0;
  for (var i = 0u; i < taps; i += 1u) {
    sum = fma(src[first + clamp_to_edge(gid.x + i, d.width)], weights[i], sum);
  }
  dst[first + gid.x] = sum;
}

@compute @workgroup_size(16, 16)
fn vertical(@builtin(global_invocation_id) gid: vec3u) {
  if (gid.x >= d.width || gid.y >= d.height) {
    return;
  }
  let taps = 2u * d.radius + 1u;
  var sum = 0.0;
  for (var i = 0u; i < taps; i += 1u) {
    let row = clamp_to_edge(gid.y + i, d.height);
    sum = fma(src[row * d.width + gid.x], weights[i], sum);
  }
  dst[gid.y * d.width + gid.x] = sum;
}
