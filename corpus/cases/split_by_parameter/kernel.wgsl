struct Parameters { width: u32, height: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let row = id.x / d.width;
  let column = id.x % d.width;
  if (row < d.height) {
    b[column * d.height + row] = a[row * d.width + column];
  }
}
