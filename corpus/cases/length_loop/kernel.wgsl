@group(0) @binding(1) var<storage, read> a: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&b)) { return; }
  var sum = 0.0;
  for (var i = 0u; i < arrayLength(&a); i++) {
    sum += a[i].x * a[i].y;
  }
  b[id.x] = sum;
}
