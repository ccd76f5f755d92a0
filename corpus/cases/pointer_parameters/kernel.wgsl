struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

fn advance(at: ptr<function, u32>, by: u32) -> u32 {
  let before = *at;
  *at = before + by;
  return before;
}

fn add(total: ptr<function, f32>, value: f32) {
  *total += value;
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var at = id.x;
  var sum = 0.0;
  for (var i = 0u; i < d.n; i++) {
    add(&sum, a[advance(&at, 32u)]);
  }
  b[id.x] = sum + f32(at);
}
