@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;
@group(0) @binding(4) var<storage, read_write> e: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3u) {
  let v = i32(local.x) - 5;
  if (v / 4 == 0) {
    b[local.x] = a[v / 4 + 1];
  }
  if (v % 4 == -1) {
    c[local.x] = 1.0;
  }
  if ((-v) / -3 < 0) {
    e[local.x] = a[v % 3 + 2];
  }
}
