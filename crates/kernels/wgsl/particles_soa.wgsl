// Cell of each particle, from a structure of arrays: the array of positions is all that is read.

struct Grid {
  cells_per_unit: f32,
  side: u32,
}

@group(0) @binding(0) var<uniform> d: Grid;
@group(0) @binding(1) var<storage, read> positions: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> cells: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&positions)) {
    return;
  }
  let position = positions[i];
  let cell = vec3u(position.xyz * d.cells_per_unit);
  let side = d.side;
  cells[i] = cell.x + side * (cell.y + side * cell.z);
}
