struct Parameters { M: u32, N: u32, K: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> A: array<f32>;
@group(0) @binding(2) var<storage, read> B: array<f32>;
@group(0) @binding(3) var<storage, read_write> C: array<f32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.y < d.M) {
    if (id.x < d.N) {
      var sum = 0.0;
      for (var k = 0u; k < d.K; k++) {
        sum += A[id.y * d.K + k] * B[k * d.N + id.x];
      }
      C[id.y * d.N + id.x] = sum;
    }
  }
}
