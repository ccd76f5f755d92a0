struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, 128>;

@compute @workgroup_size(64)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var now = 0u;
  var sum = 0.0;
  tile[lane] = a[id.x];
  workgroupBarrier();
  for (var t = 1u; t < d.n; t++) {
    let next = 1u - now;
    tile[next * 64u + lane] = a[t * 64u + id.x];
    sum += tile[now * 64u + 63u - lane];
    workgroupBarrier();
    now = next;
  }
  b[id.x] = sum + tile[now * 64u + lane];
}
