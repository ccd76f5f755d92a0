@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let word = a[id.x >> 2u];
  let byte = (word >> ((id.x & 3u) * 8u)) & 255u;
  let swizzled = (id.x & ~7u) | (7u - (id.x & 7u));
  b[swizzled] = byte;
  b[id.x ^ 64u] += a[(id.x << 1u) & 63u];
}
