// Matrix product with a block of 64 by 64 per workgroup and 4 by 4 elements per invocation.
//
// The pair of `matmul_register_blocked`: short loops index the accumulators, which a compiler that
// does not unroll them has to keep in private memory.

struct Dims {
  M: u32,
  N: u32,
  K: u32,
}

const SIDE = 16u; // invocations along each side of the workgroup
const BLOCK = 64u; // elements of C along each side of the workgroup's block
const DEPTH = 16u; // columns of A and rows of B that a step stages
const LANES = SIDE * SIDE;

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> A: array<f32>; // M by K
@group(0) @binding(2) var<storage, read> B: array<f32>; // K by N
@group(0) @binding(3) var<storage, read_write> C: array<f32>; // M by N

var<workgroup> tile_a: array<array<f32, DEPTH>, BLOCK>;
var<workgroup> tile_b: array<array<f32, BLOCK>, DEPTH>;

fn stage_a(first_row: u32, first_k: u32, lane: u32) {
  for (var slot = lane; slot < BLOCK * DEPTH; slot += LANES) {
    let r = slot / DEPTH;
    let k = slot % DEPTH;
    let row = first_row + r;
    let col = first_k + k;
    if (row < d.M && col < d.K) {
      tile_a[r][k] = A[row * d.K + col];
    } else {
      tile_a[r][k] = 0.0;
    }
  }
}

fn stage_b(first_k: u32, first_col: u32, lane: u32) {
  for (var slot = lane; slot < BLOCK * DEPTH; slot += LANES) {
    let k = slot / BLOCK;
    let c = slot % BLOCK;
    let row = first_k + k;
    let col = first_col + c;
    if (row < d.K && col < d.N) {
      tile_b[k][c] = B[row * d.N + col];
    } else {
      tile_b[k][c] = 0.0;
    }
  }
}

fn store(row: u32, col: u32, value: f32) {
  if (row < d.M && col < d.N) {
    C[row * d.N + col] = value;
  }
}

@compute @workgroup_size(SIDE, SIDE)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first_row = wid.y * BLOCK;
  let first_col = wid.x * BLOCK;

  var acc: array<array<f32, 4>, 4>;
  for (var first_k = 0u; first_k < d.K; first_k += DEPTH) {
    stage_a(first_row, first_k, lane);
    stage_b(first_k, first_col, lane);
    workgroupBarrier();

    for (var k = 0u; k < DEPTH; k += 1u) {
      for (var i = 0u; i < 4u; i += 1u) {
        let a = tile_a[lid.y + i * SIDE][k];
        for (var j = 0u; j < 4u; j += 1u) {
          acc[i][j] = fma(a, tile_b[k][lid.x + j * SIDE], acc[i][j]);
        }
      }
    }
    workgroupBarrier();
  }

  for (var i = 0u; i < 4u; i += 1u) {
    for (var j = 0u; j < 4u; j += 1u) {
      store(first_row + lid.y + i * SIDE, first_col + lid.x + j * SIDE, acc[i][j]);
    }
  }
}
