struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var low = 0i;
  var high = i32(d.n) - 1;
  var sum = 0.0;
  while (low < high) {
    sum += a[low] * a[high];
    low++;
    high--;
  }
  b[id.x] = sum;
}
