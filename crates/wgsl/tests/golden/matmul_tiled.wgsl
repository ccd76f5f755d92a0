// Storage, uniform and workgroup memory, built-in values, loops, barriers, a guard.
struct Dims { m: u32, n: u32, k: u32 }
@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
const T = 16u;
var<workgroup> ta: array<array<f32, T>, T>;
var<workgroup> tb: array<array<f32, T>, T>;

@compute @workgroup_size(T, T)
fn main(@builtin(global_invocation_id) gid: vec3u, @builtin(local_invocation_id) lid: vec3u) {
  var acc = 0.0;
  for (var t = 0u; t < d.k / T; t++) {
    ta[lid.y][lid.x] = a[gid.y * d.k + t * T + lid.x];
    tb[lid.y][lid.x] = b[(t * T + lid.y) * d.n + gid.x];
    workgroupBarrier();
    for (var k = 0u; k < T; k++) {
      acc = fma(ta[lid.y][k], tb[k][lid.x], acc);
    }
    workgroupBarrier();
  }
  if (gid.x < d.n && gid.y < d.m) {
    c[gid.y * d.n + gid.x] = acc;
  }
}
