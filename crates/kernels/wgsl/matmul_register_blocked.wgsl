// Matrix product with a block of 64 by 64 per workgroup and 4 by 4 elements per invocation.
//
// The accumulators are indexed by constants only, so that they can live in registers. An invocation
// owns rows and columns 16 apart: neighbouring lanes then touch neighbouring words of the tiles.

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

fn store_row(row: u32, first_col: u32, values: vec4f) {
  store(row, first_col, values.x);
  store(row, first_col + SIDE, values.y);
  store(row, first_col + 2u * SIDE, values.z);
  store(row, first_col + 3u * SIDE, values.w);
}

@compute @workgroup_size(SIDE, SIDE)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first_row = wid.y * BLOCK;
  let first_col = wid.x * BLOCK;

  var acc: array<vec4f, 4>;
  for (var first_k = 0u; first_k < d.K; first_k += DEPTH) {
    stage_a(first_row, first_k, lane);
    stage_b(first_k, first_col, lane);
    workgroupBarrier();

    for (var k = 0u; k < DEPTH; k += 1u) {
      let b = vec4f(
        tile_b[k][lid.x],
        tile_b[k][lid.x + SIDE],
        tile_b[k][lid.x + 2u * SIDE],
        tile_b[k][lid.x + 3u * SIDE],
      );
      acc[0] = fma(vec4f(tile_a[lid.y][k]), b, acc[0]);
      acc[1] = fma(vec4f(tile_a[lid.y + SIDE][k]), b, acc[1]);
      acc[2] = fma(vec4f(tile_a[lid.y + 2u * SIDE][k]), b, acc[2]);
      acc[3] = fma(vec4f(tile_a[lid.y + 3u * SIDE][k]), b, acc[3]);
    }
    workgroupBarrier();
  }

  let row = first_row + lid.y;
  let col = first_col + lid.x;
  store_row(row, col, acc[0]);
  store_row(row + SIDE, col, acc[1]);
  store_row(row + 2u * SIDE, col, acc[2]);
  store_row(row + 3u * SIDE, col, acc[3]);
}
