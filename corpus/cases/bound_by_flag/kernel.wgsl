struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  var i = 0u;
  loop {
    let done = i >= d.n || i > id.x;
    if (done) { break; }
    sum += 1.0;
    i++;
  }
  b[id.x] = sum;
}
