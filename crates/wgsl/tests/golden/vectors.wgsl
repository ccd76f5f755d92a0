// Swizzles move nothing; components by a run-time index, in memory and in registers.
@group(0) @binding(0) var<storage, read_write> data: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var v = data[id.x].wzyx;
  data[id.x].y = v.x;
  data[id.x][id.y] = 2.0;
  let c = data[id.z][id.y] + v[id.y];
  v[id.z] = c;
  v = v.yxwz;
  data[id.y] = select(v, vec4f(c), v.xyzw > vec4f(0.5));
  let all_small = all(v.xy < vec2f(1.0));
  data[id.z] = vec4f(f32(all_small), f32(any(v.zw == vec2f(1.0))), v.xx);
}
