struct Particle { position: vec3f, mass: f32, velocity: vec3f, kind: u32, colour: vec4f }
struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= d.n) { return; }
  var p = particles[id.x];
  p.position += p.velocity * 0.5;
  particles[id.x].position = p.position;
  particles[id.x].kind = 1u;
}
