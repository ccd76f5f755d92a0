// Matrix product, one element of C per invocation, in groups of 32 columns by 8 rows: a whole line of B at a time.

struct Dims {
  M: u32,
  N: u32,
  K: u32,
}

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> A: array<f32>; // M by K
@group(0) @binding(2) var<storage, read> B: array<f32>; // K by N
@group(0) @binding(3) var<storage, read_write> C: array<f32>; // M by N

@compute @workgroup_size(32, 8)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let row = gid.y;
  let col = gid.x;
  if (row >= d.M || col >= d.N) {
    return;
  }
  var acc = 0.0;
  for (var k = 0u; k < d.K; k += 1u) {
    acc += A[row * d.K + k] * B[k * d.N + col];
  }
  C[row * d.N + col] = acc;
}
