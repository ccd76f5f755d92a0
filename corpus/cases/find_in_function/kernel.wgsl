struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;

fn first_multiple(step: u32, start: u32) -> u32 {
  for (var i = 0u; i < 8u; i++) {
    if (i * step >= start) { return i; }
  }
  return 8u;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= d.n) { return; }
  b[id.x] = first_multiple(5u, id.x);
}
