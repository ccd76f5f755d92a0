struct View { start: u32, pitch: u32, size: vec2u }
struct Parameters { views: array<View, 2>, which: vec4u, scale: f32 }
@group(0) @binding(0) var<storage, read> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

fn at(view: View, x: u32, y: u32) -> u32 {
  return view.start + y * view.pitch + x;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let source = d.views[0];
  let goal = d.views[1];
  if (id.x >= goal.size.x || id.y >= goal.size.y) { return; }
  b[at(goal, id.x, id.y)] = a[at(source, id.x + d.which.y, id.y)] * d.scale;
}
