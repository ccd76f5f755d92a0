struct Parameters { n: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<u64>;
@group(0) @binding(2) var<storage, read_write> b: array<u64>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < d.n) {
    var sum = u64(0);
    for (var i = 0u; i < 4u; i++) {
      sum += a[id.x * 4u + i];
    }
    b[id.x] = sum;
  }
}
