// Composites load one access a leaf, and only the leaves that are used; structs live in registers.
struct Inner { weight: f32, offset: vec2f }
struct Particle { position: vec3f, mass: f32, velocity: vec3f, inner: Inner }
@group(0) @binding(0) var<storage, read_write> particles: array<Particle>;

fn push(p: Particle, by: f32) -> Particle {
  var moved = p;
  moved.position += p.velocity * by;
  moved.inner.offset.y = p.mass;
  return moved;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let p = particles[id.x];
  particles[id.x].position = p.position + p.velocity;
  particles[id.x + 1u] = push(p, 0.5);
  particles[id.y].inner = Inner(1.0, vec2f(2.0, 3.0));
}
