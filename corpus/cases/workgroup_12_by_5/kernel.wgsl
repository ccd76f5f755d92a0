struct Parameters { width: u32, height: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(12, 5)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < d.width && id.y < d.height) {
    b[id.y * d.width + id.x] = a[id.y * d.width + id.x] + 1.0;
  }
}
