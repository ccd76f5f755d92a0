struct Parameters { low: u32, high: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read_write> inside: array<u32>;
@group(0) @binding(2) var<storage, read_write> outside: array<u32>;
@group(0) @binding(3) var<storage, read_write> negated: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let low = d.low;
  let high = d.high;
  if (id.x >= low && id.x < high) { inside[id.x] = 1u; }
  if (id.x < low || id.x >= high) { outside[id.x] = 1u; }
  if (!(id.x < low || id.x >= high)) { negated[id.x] = 1u; }
}
