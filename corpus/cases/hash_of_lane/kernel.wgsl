@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3u) {
  b[local.x] = a[(local.x * 2654435761u) >> 26u];
  if (local.x * 3000000000u < 2000000000u) {
    b[local.x + 64u] = 1.0;
  }
}
