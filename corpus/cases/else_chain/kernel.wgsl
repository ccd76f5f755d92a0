struct Parameters { first: u32, second: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = f32(id.x);
  if (id.x < d.first) {
    b[id.x] = x * x;
  } else if (id.x < d.second) {
    b[id.x] = x * x + x;
  } else {
    b[id.x] = sqrt(x) / 3.0;
  }
}
