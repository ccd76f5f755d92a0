override TILE: u32 = 8u;
override ROUNDS = 3u;
struct Parameters { K: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, TILE * TILE>;

@compute @workgroup_size(TILE, TILE)
fn main(
  @builtin(local_invocation_id) local: vec3u,
  @builtin(workgroup_id) group: vec3u,
) {
  var sum = 0.0;
  let row = group.y * TILE + local.y;
  for (var t = 0u; t < d.K / TILE; t++) {
    tile[local.y * TILE + local.x] = a[row * d.K + t * TILE + local.x];
    workgroupBarrier();
    for (var k = 0u; k < TILE; k++) {
      sum += tile[local.y * TILE + k];
    }
    workgroupBarrier();
  }
  for (var r = 0u; r < ROUNDS; r++) {
    sum *= 0.5;
  }
  b[row * TILE + local.x] = sum;
}
