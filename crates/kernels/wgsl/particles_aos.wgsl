// Cell of each particle, from an array of 64-byte structures of which 16 bytes are used.

struct Particle {
  position: vec4f,
  velocity: vec4f,
  color: vec4f,
  attributes: vec4f,
}

struct Grid {
  cells_per_unit: f32,
  side: u32,
}

@group(0) @binding(0) var<uniform> d: Grid;
@group(0) @binding(1) var<storage, read> particles: array<Particle>;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&particles)) {
    return;
  }
  let position = particles[i].position;
  let cell = vec3u(position.xyz * d.cells_per_unit);
  let side = d.side;
  cells[i] = cell.x + side * (cell.y + side * cell.z);
}
