struct Parameters { rows: u32, columns: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x / 16u;
  let column = id.x % 16u;
  if (row < d.rows && column < d.columns) {
    b[row * 16u + column] = a[column * 16u + row];
  }
}
