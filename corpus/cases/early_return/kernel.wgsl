struct Parameters { n: u32, m: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= d.n) { return; }
  let x = a[id.x];
  if (id.x >= d.m) {
    b[id.x] = x;
    return;
  }
  b[id.x] = x + x * 4.0;
}
