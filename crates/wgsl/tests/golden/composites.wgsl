// Composite built-in functions.
@group(0) @binding(0) var<storage, read_write> data: array<vec3f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let a = data[0];
  let b = data[1];
  data[2] = normalize(a);
  data[3] = cross(a, b);
  data[4] = reflect(a, b);
  data[5] = refract(a, b, 1.5);
  data[6] = faceForward(a, b, data[7]);
  data[7] = smoothstep(a, b, data[6]);
  data[8] = vec3f(dot(a, b), length(a), distance(a, b));
  let m = modf(a.x);
  let f = frexp(a.y);
  data[9] = vec3f(m.fract + m.whole, f.fract, ldexp(a.z, f.exp));
}
