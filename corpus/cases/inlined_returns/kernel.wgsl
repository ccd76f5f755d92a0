struct Parameters { n: u32, edge: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

fn sample(at: u32) -> f32 {
  if (at >= d.n) { return 0.0; }
  if (at < d.edge) { return a[at] * 0.5; }
  return a[at];
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  b[id.x] = sample(id.x) + sample(id.x + 3u);
}
