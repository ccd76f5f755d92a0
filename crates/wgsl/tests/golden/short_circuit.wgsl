// Operators whose right side reads nothing but parameters become operations, others stay branches.
struct Params { width: u32, height: u32, depth: u32 }
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage, read_write> data: array<f32>;
@group(0) @binding(2) var<storage, read> limits: array<u32, 4>;

fn inside(v: vec3u) -> bool {
  return v.x < p.width && v.y < p.height;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= p.width || id.y >= p.height || id.z >= p.depth) {
    return;
  }
  let i = id.x + id.y * p.width;
  if (i < arrayLength(&data) && data[i] > 0.5) {
    data[i] = 1.0;
  }
  if (id.x > 2u && inside(id) && id.z < limits[2]) {
    data[i] = 2.0;
  }
  if (i > 4u || data[i + 1u] < 0.0) {
    data[i] = 3.0;
  }
}
