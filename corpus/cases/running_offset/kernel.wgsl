struct Parameters { rows: u32, columns: u32, pitch: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var sum = 0.0;
  var start = id.x;
  for (var i = 0u; i < d.rows; i++) {
    var at = start;
    for (var j = 0u; j < d.columns; j++) {
      sum += a[at];
      at += 2u;
    }
    start += d.pitch;
  }
  b[id.x] = sum;
}
