struct Parameters { K: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, 32>;

@compute @workgroup_size(32)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var sum = 0.0;
  let tiles = (d.K + 31u) / 32u;
  for (var t = 0u; t < tiles; t++) {
    let k = t * 32u + lane;
    if (k < d.K) {
      tile[lane] = a[k];
    } else {
      tile[lane] = 0.0;
    }
    workgroupBarrier();
    for (var j = 0u; j < 32u; j++) {
      sum += tile[j];
    }
    workgroupBarrier();
  }
  b[id.x] = sum;
}
