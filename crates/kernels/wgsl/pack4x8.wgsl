// Packs RGBA colours into one word each: 16 bytes in, 4 bytes out.

@group(0) @binding(0) var<storage, read> colors: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> packed: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&colors)) {
    return;
  }
  packed[i] = pack4x8unorm(colors[i]);
}
