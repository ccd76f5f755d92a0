// Loads, stores, samples, gathers and queries.
@group(0) @binding(0) var color: texture_2d<f32>;
@group(0) @binding(1) var layers: texture_2d_array<f32>;
@group(0) @binding(2) var depth: texture_depth_2d;
@group(0) @binding(3) var samples: texture_multisampled_2d<f32>;
@group(0) @binding(4) var cube: texture_cube<f32>;
@group(0) @binding(5) var volume: texture_3d<u32>;
@group(0) @binding(6) var linear: sampler;
@group(0) @binding(7) var compare: sampler_comparison;
@group(0) @binding(8) var out: texture_storage_2d<rgba16float, write>;
@group(0) @binding(9) var both: texture_storage_2d<r32uint, read_write>;

fn mean(t: texture_2d<f32>, s: sampler, uv: vec2f) -> f32 {
  let v = textureSampleLevel(t, s, uv, 0.0);
  return (v.x + v.y) * 0.5;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(color, 1);
  let uv = vec2f(id.xy) / vec2f(size);
  var sum = textureLoad(color, id.xy, 0);
  sum += textureLoad(samples, vec2i(id.xy), 2);
  sum += textureSampleLevel(layers, linear, uv, id.z, 1.5);
  sum += textureSampleGrad(color, linear, uv, vec2f(0.1), vec2f(0.2), vec2i(1, 2));
  sum.x += textureSampleCompareLevel(depth, compare, uv, 0.5);
  sum += textureGather(1, color, linear, uv);
  sum.y += f32(textureLoad(volume, id, 0).x) + mean(color, linear, uv);
  sum.z += textureSampleLevel(cube, linear, vec3f(uv, 1.0), 0.0).z;
  sum.w += f32(textureNumLevels(color) + textureNumLayers(layers) + textureNumSamples(samples));
  textureStore(out, id.xy, sum);
  textureStore(both, id.xy, textureLoad(both, id.xy) + 1u);
}
