// Transposes a matrix through tiles of 32 by 32, so that reads and writes are both contiguous.
//
// A pitch of 32 words puts a column of the tile into one bank: 32-way conflicts.

struct Dims {
  width: u32,
  height: u32,
}

const TILE = 32u;
const ROWS = 8u;
const PITCH = TILE;

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> src: array<f32>; // height by width
@group(0) @binding(2) var<storage, read_write> dst: array<f32>; // width by height

var<workgroup> tile: array<array<f32, PITCH>, TILE>;

@compute @workgroup_size(TILE, ROWS)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_id) lid: vec3u,
) {
  let src_x = wid.x * TILE + lid.x;
  for (var j = lid.y; j < TILE; j += ROWS) {
    let src_y = wid.y * TILE + j;
    if (src_x < d.width && src_y < d.height) {
      tile[j][lid.x] = src[src_y * d.width + src_x];
    }
  }
  workgroupBarrier();

  let dst_x = wid.y * TILE + lid.x;
  for (var j = lid.y; j < TILE; j += ROWS) {
    let dst_y = wid.x * TILE + j;
    if (dst_x < d.height && dst_y < d.width) {
      dst[dst_y * d.height + dst_x] = tile[lid.x][j];
    }
  }
}
