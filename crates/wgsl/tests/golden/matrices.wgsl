// Matrices are their columns: products, transposes, columns by run-time indices.
struct Camera { view: mat4x4f, normal: mat3x3f }
@group(0) @binding(0) var<uniform> camera: Camera;
@group(0) @binding(1) var<storage, read_write> points: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let p = points[id.x];
  points[id.x] = camera.view * p;
  let n = transpose(camera.normal) * p.xyz;
  points[id.x + 1u] = vec4f(n, determinant(camera.normal));
  points[id.x + 2u] = camera.view[id.y];
  var local = camera.view;
  local[id.y] = p;
  local[2][id.z] = 1.0;
  points[id.x + 3u] = local[id.z];
  points[id.x + 4u] = vec4f(p.xy * mat2x2f(1.0, 2.0, 3.0, 4.0), 0.0, 1.0);
}
