struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < d.n) {
    for (var i = 0u; i < 3u; i++) {
      if (a[i] > 0.0) {
        b[id.x] += a[i];
      }
    }
  }
}
