enable f16;
struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<vec2<f16>>;
@group(0) @binding(2) var<storage, read_write> b: array<f16>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= d.n) { return; }
  let pair = a[id.x];
  let wide = f32(pair.x) * 3.0;
  b[id.x] = f16(wide) + pair.x * pair.y;
}
