@group(0) @binding(1) var<storage, read> m: array<mat4x4f>;
@group(0) @binding(2) var<storage, read> v: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> b: array<vec4f>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  b[id.x] = m[id.x] * v[id.x];
}
