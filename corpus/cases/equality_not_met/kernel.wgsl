@group(0) @binding(0) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  for (var i = 0u; i < 6u; i++) {
    if (i + id.x == 4u) { break; }
    sum += 1.0;
  }
  b[id.x] = sum;
}
