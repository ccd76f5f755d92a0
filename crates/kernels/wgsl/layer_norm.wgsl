// Layer normalisation, one workgroup a row: mean and variance in one pass, the affine map in a second.

struct Dims {
  N: u32,
  epsilon: f32,
}

const LANES = 64u;

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // one row of N a workgroup
@group(0) @binding(2) var<storage, read> gamma: array<f32>;
@group(0) @binding(3) var<storage, read> beta: array<f32>;
@group(0) @binding(4) var<storage, read_write> y: array<f32>;

var<workgroup> sums: array<f32, LANES>;
var<workgroup> squares: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = wid.x * d.N;
  var sum = 0.0;
  var square = 0.0;
  for (var k = lane; k < d.N; k += LANES) {
    let value = x[first + k];
    sum += value;
    square = fma(value, value, square);
  }
  sums[lane] = sum;
  squares[lane] = square;
  workgroupBarrier();

  for (var step = LANES / 2u; step > 0u; step /= 2u) {
    if (lane < step) {
      let other = lane + step;
      sums[lane] += sums[other];
      squares[lane] += squares[other];
    }
    workgroupBarrier();
  }

  let count = f32(d.N);
  let mean = sums[0] / count;
  let variance = squares[0] / count - mean * mean;
  let scale = inverseSqrt(variance + d.epsilon);
  for (var k = lane; k < d.N; k += LANES) {
    let i = first + k;
    y[i] = fma((x[i] - mean) * scale, gamma[k], beta[k]);
  }
}
