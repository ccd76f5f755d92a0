@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> c: array<u32>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = group.x * 64u + lane;
  if (a[group.x] > 2u) {
    b[i] = 1u;
  } else {
    c[i] = 1u;
  }
  if (a[i] > 2u) {
    b[i] = 2u;
  } else {
    c[i] = 2u;
  }
}
