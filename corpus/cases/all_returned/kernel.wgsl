struct Parameters { n: u32, m: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (d.n > 0u || d.m > 0u) {
    if (id.x == d.n / 12u) { return; }
    if (d.m < 5u) { return; }
  }
  b[id.x] = 1.0;
}
