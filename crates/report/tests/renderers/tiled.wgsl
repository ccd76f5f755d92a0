struct Dims { M: u32, N: u32, K: u32 }
@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> A: array<f32>;
@group(0) @binding(2) var<storage, read> B: array<f32>;
@group(0) @binding(3) var<storage, read_write> C: array<f32>;
var<workgroup> tile_a: array<array<f32, 16>, 16>;
var<workgroup> tile_b: array<array<f32, 16>, 16>;
@compute @workgroup_size(16, 16)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_id) lid: vec3u) {
  let row = wid.y * 16u + lid.y;
  let col = wid.x * 16u + lid.x;
  var sum = 0.0;
  for (var step = 0u; step < d.K / 16u; step += 1u) {
    tile_a[lid.y][lid.x] = A[row * d.K + step * 16u + lid.x];
    tile_b[lid.y][lid.x] = B[(step * 16u + lid.y) * d.N + col];
    workgroupBarrier();
    for (var k = 0u; k < 16u; k += 1u) {
      sum = fma(tile_a[lid.y][k], tile_b[k][lid.x], sum);
    }
    workgroupBarrier();
  }
  C[row * d.N + col] = sum;
}
