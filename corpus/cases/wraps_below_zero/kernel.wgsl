@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
@group(0) @binding(4) var<storage, read_write> e: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  if (local.x - 1u < 10u) {
    b[id.x] = 1.0;
  }
  if (id.x - 3u >= 100u) {
    c[id.x] = 1.0;
  }
  let before = id.x + 4294967295u;
  var sum = a[before % 37u];
  if (id.x > 0u) {
    sum += a[before];
  }
  sum += a[select(0u, id.x - 1u, id.x >= 1u)];
  e[min(id.x - 2u, 90u)] = sum;
}
