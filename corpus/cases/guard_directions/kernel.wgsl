struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read_write> less: array<u32>;
@group(0) @binding(2) var<storage, read_write> at_most: array<u32>;
@group(0) @binding(3) var<storage, read_write> more: array<u32>;
@group(0) @binding(4) var<storage, read_write> at_least: array<u32>;
@group(0) @binding(5) var<storage, read_write> equal: array<u32>;
@group(0) @binding(6) var<storage, read_write> other: array<u32>;
@group(0) @binding(7) var<storage, read_write> swapped: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n = d.n;
  if (id.x < n) { less[id.x] = 1u; }
  if (id.x <= n) { at_most[id.x] = 1u; }
  if (id.x > n) { more[id.x] = 1u; }
  if (id.x >= n) { at_least[id.x] = 1u; }
  if (id.x == n) { equal[id.x] = 1u; }
  if (id.x != n) { other[id.x] = 1u; }
  if (n > id.x) { swapped[id.x] = 1u; }
}
