struct Parameters { n: u32, low: i32, high: i32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = i32(id.x);
  let clamped = clamp(x - 8, d.low, d.high);
  let nearest = min(id.x, d.n - 1u);
  let picked = select(id.x, 0u, id.x > 20u);
  b[id.x] = a[clamped] + a[nearest] + a[picked] + a[max(x, 30)];
}
