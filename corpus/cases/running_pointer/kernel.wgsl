struct Parameters { n: u32, step: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var p = id.x;
  var left = d.n;
  var sum = vec4f(0.0);
  while (left > 0u) {
    sum += a[p];
    p += d.step;
    sum += a[p];
    p += d.step;
    left -= 1u;
  }
  b[id.x] = sum.x + sum.y + sum.z + sum.w;
}
