// Arrays that only constants index are registers, others private memory.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var fixed: array<f32, 4>;
  fixed[0] = data[id.x];
  fixed[3] = fixed[0] * 2.0;
  var indexed = array<f32, 4>(1.0, 2.0, 3.0, 4.0);
  indexed[id.y] = fixed[3];
  for (var i = 0u; i < 4u; i++) {
    var fresh: array<f32, 3>;
    fresh[i % 3u] = indexed[i];
    data[i] = fresh[id.z] + fixed[1];
  }
  let copied = indexed;
  indexed[0] = 5.0;
  data[id.x] = copied[id.y] + indexed[0];
}
