@group(0) @binding(1) var<storage, read> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var left = counts[id.x];
  var sum = 0.0;
  while (left > 0u) {
    sum += 1.5;
    left -= 1u;
  }
  b[id.x] = sum;
}
