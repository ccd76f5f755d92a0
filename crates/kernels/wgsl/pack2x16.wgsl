// Packs pairs of floats into half precision without needing the `f16` feature.

@group(0) @binding(0) var<storage, read> pairs: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> packed: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&pairs)) {
    return;
  }
  packed[i] = pack2x16float(pairs[i]);
}
