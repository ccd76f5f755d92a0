@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var window: array<f32, 8>;
  var fixed: array<f32, 4>;
  for (var i = 0u; i < 8u; i++) {
    window[i] = a[id.x + i];
  }
  fixed[0] = window[id.x % 8u];
  fixed[3] = window[7u - id.x % 8u];
  b[id.x] = fixed[0] - fixed[3];
}
