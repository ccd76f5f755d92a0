struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> p: array<vec3f>;
@group(0) @binding(3) var<storage, read_write> b: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= d.n) { return; }
  b[id.x] = a[id.x] * dot(p[id.x], vec3f(1.0, 2.0, 3.0));
}
