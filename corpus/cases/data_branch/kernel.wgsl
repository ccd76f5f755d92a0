@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = a[id.x];
  var y = 0.0;
  if (x > 0.5) {
    y = sqrt(x) * 2.0;
  } else {
    y = -x;
  }
  b[id.x] = y;
}
