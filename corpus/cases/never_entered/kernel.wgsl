@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = 5u; i < 3u; i++) {
    sum += a[i];
  }
  if (id.x > 100u && id.x < 50u) {
    sum += a[id.x];
  }
  b[id.x] = sum;
}
