struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<array<f32, 32>, 2>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) lane: u32) {
  var now = 0u;
  for (var t = 0u; t < d.n; t++) {
    tile[now][lane] = a[t * 32u + lane];
    workgroupBarrier();
    b[t * 32u + lane] = tile[now][31u - lane] + tile[now ^ 1u][lane];
    now ^= 1u;
  }
}
