@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3u) {
  for (var k = 0u; k < 4u; k++) {
    if (k - 1u < 2u) {
      b[local.x] = 1.0;
    }
  }
  var i = local.x;
  for (var k = 0u; k < 3u; k++) {
    i = i - 1u;
    if (i < 100u) {
      c[i] = 1.0;
    }
  }
}
