// Arrays of bindings.
enable wgpu_binding_array;
struct Buffer { scale: f32, values: array<f32> }
@group(0) @binding(0) var<storage, read> buffers: binding_array<Buffer, 4>;
@group(0) @binding(1) var images: binding_array<texture_2d<f32>>;
@group(0) @binding(2) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let b = id.x % 4u;
  data[id.x] = buffers[b].values[id.y] * buffers[2].scale
    + textureLoad(images[id.z], vec2u(), 0).x + f32(arrayLength(&buffers[1].values));
}
