// Matrix product through square tiles of side 16 in workgroup memory.
//
// Invocations outside the matrices stay, load zeros and reach every barrier.

struct Dims {
  M: u32,
  N: u32,
  K: u32,
}

const T = 16u;

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> A: array<f32>; // M by K
@group(0) @binding(2) var<storage, read> B: array<f32>; // K by N
@group(0) @binding(3) var<storage, read_write> C: array<f32>; // M by N

var<workgroup> tile_a: array<array<f32, T>, T>;
var<workgroup> tile_b: array<array<f32, T>, T>;

@compute @workgroup_size(T, T)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
) {
  let row = wid.y * T + lid.y;
  let col = wid.x * T + lid.x;
  let steps = (d.K + T - 1u) / T;

  var acc = 0.0;
  for (var step = 0u; step < steps; step += 1u) {
    let a_col = step * T + lid.x;
    let b_row = step * T + lid.y;
    if (row < d.M && a_col < d.K) {
      tile_a[lid.y][lid.x] = A[row * d.K + a_col];
    } else {
      tile_a[lid.y][lid.x] = 0.0;
    }
    if (b_row < d.K && col < d.N) {
      tile_b[lid.y][lid.x] = B[b_row * d.N + col];
    } else {
      tile_b[lid.y][lid.x] = 0.0;
    }
    workgroupBarrier(); // the tiles are complete

    for (var k = 0u; k < T; k += 1u) {
      acc = fma(tile_a[lid.y][k], tile_b[k][lid.x], acc);
    }
    workgroupBarrier(); // nobody reads the tiles any more
  }

  if (row < d.M && col < d.N) {
    C[row * d.N + col] = acc;
  }
}
