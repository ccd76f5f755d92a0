// Lower-triangular matrix times vector: the loop of each invocation is as long as its row.

struct Dims {
  n: u32,
}

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> L: array<f32>; // n by n, row by row
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let row = gid.x;
  if (row >= d.n) {
    return;
  }
  var acc = 0.0;
  for (var col = 0u; col <= row; col += 1u) {
    acc = fma(L[row * d.n + col], x[col], acc);
  }
  y[row] = acc;
}
