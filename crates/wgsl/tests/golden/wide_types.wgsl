// Types of 16 and 64 bits, and their literals.
enable f16;
@group(0) @binding(0) var<storage, read_write> halves: array<vec3<f16>>;
@group(0) @binding(1) var<storage, read_write> longs: array<u64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let h = halves[id.x];
  halves[id.x] = h * 1.5h + vec3<f16>(f16(id.y));
  longs[id.x] = longs[id.y] * 3lu + u64(id.z);
}
