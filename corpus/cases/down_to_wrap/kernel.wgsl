@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3u) {
  var sum = 0.0;
  for (var i = local.x - 1u; i < 64u; i--) {
    sum += a[i];
  }
  b[local.x] = sum;
}
