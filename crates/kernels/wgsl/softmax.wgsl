// Softmax, one workgroup a row: maximum, exponentials and their sum, then the division.

struct Dims {
  N: u32,
}

const LANES = 64u;
const LOWEST = -3.402823e38;

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> x: array<f32>; // one row of N a workgroup
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

var<workgroup> partial: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = wid.x * d.N;

  var highest = LOWEST;
  for (var k = lane; k < d.N; k += LANES) {
    highest = max(highest, x[first + k]);
  }
  partial[lane] = highest;
  workgroupBarrier();
  for (var step = LANES / 2u; step > 0u; step /= 2u) {
    if (lane < step) {
      partial[lane] = max(partial[lane], partial[lane + step]);
    }
    workgroupBarrier();
  }
  let peak = partial[0];
  workgroupBarrier(); // everybody has the maximum before the array is used again

  var sum = 0.0;
  for (var k = lane; k < d.N; k += LANES) {
    let i = first + k;
    let value = exp(x[i] - peak);
    y[i] = value;
    sum += value;
  }
  partial[lane] = sum;
  workgroupBarrier();
  for (var step = LANES / 2u; step > 0u; step /= 2u) {
    if (lane < step) {
      partial[lane] += partial[lane + step];
    }
    workgroupBarrier();
  }

  let factor = 1.0 / partial[0];
  for (var k = lane; k < d.N; k += LANES) {
    y[first + k] *= factor;
  }
}
