// A constant array that is indexed at run time is a table that the prologue fills.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
@group(0) @binding(1) var<uniform> weights: array<vec4f, 8>;
const OFFSETS = array<vec2i, 3>(vec2i(0, 1), vec2i(-1, 0), vec2i(2, -2));

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let o = OFFSETS[id.x % 3u];
  let direct = OFFSETS[1];
  data[id.x] = f32(o.x + direct.x);
  let all = weights;
  var sum = 0.0;
  for (var i = 0u; i < 8u; i++) {
    sum += all[i].x;
  }
  let values = array(sum, data[id.y]);
  data[id.y] = values[id.z & 1u];
}
