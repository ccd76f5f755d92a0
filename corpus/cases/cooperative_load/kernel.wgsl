struct Parameters { width: u32, height: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
var<workgroup> tile: array<f32, 324>;

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var i = lane; i < 324u; i += 256u) {
    let x = i32(group.x * 16u + i % 18u) - 1;
    let y = i32(group.y * 16u + i / 18u) - 1;
    if (x >= 0 && x < i32(d.width) && y >= 0 && y < i32(d.height)) {
      tile[i] = a[u32(y) * d.width + u32(x)];
    } else {
      tile[i] = 0.0;
    }
  }
  workgroupBarrier();
  let x = group.x * 16u + local.x;
  let y = group.y * 16u + local.y;
  if (x < d.width && y < d.height) {
    let at = (local.y + 1u) * 18u + local.x + 1u;
    b[y * d.width + x] = tile[at - 18u] + tile[at - 1u] + tile[at] + tile[at + 1u] + tile[at + 18u];
  }
}
