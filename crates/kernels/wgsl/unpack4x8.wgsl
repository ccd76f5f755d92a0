// Unpacks RGBA colours from one word each and applies a gain.

struct Exposure {
  gain: f32,
}

@group(0) @binding(0) var<uniform> d: Exposure;
@group(0) @binding(1) var<storage, read> packed: array<u32>;
@group(0) @binding(2) var<storage, read_write> colors: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&packed)) {
    return;
  }
  colors[i] = unpack4x8unorm(packed[i]) * d.gain;
}
