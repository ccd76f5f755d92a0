// Energy of every leading block of a symmetric matrix that stores its lower triangle:
// a nest of two loops, both as long as the loop around them.

struct Dims {
  n: u32,
}

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> L: array<f32>; // n by n, row by row
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> energy: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let last = gid.x;
  if (last >= d.n) {
    return;
  }
  var total = 0.0;
  for (var row = 0u; row <= last; row += 1u) {
    var acc = 0.0;
    for (var col = 0u; col <= row; col += 1u) {
      acc = fma(L[row * d.n + col], x[col], acc);
    }
    total = fma(acc, x[row], total);
  }
  energy[last] = total;
}
