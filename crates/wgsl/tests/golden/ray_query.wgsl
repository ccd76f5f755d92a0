// What is not modelled leaves unknown values; everything around it is lowered.
enable wgpu_ray_query;
@group(0) @binding(0) var scene: acceleration_structure;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var query: ray_query;
  rayQueryInitialize(&query, scene, RayDesc(0u, 0xffu, 0.1, 100.0, vec3f(), vec3f(0.0, 1.0, 0.0)));
  while (rayQueryProceed(&query)) {}
  let hit = rayQueryGetCommittedIntersection(&query);
  data[id.x] = hit.t * 2.0;
}
