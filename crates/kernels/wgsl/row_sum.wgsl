// Sums the rows of a matrix, in two ways that read the same bytes.
//
// `thread_per_row` gives each invocation a row: neighbouring lanes read addresses a whole row apart.
// `workgroup_per_row` gives each workgroup a row: neighbouring lanes read neighbouring elements.

struct Dims {
  N: u32,
  rows: u32,
}

const LANES = 64u;

@group(0) @binding(0) var<uniform> d: Dims;
@group(0) @binding(1) var<storage, read> m: array<f32>;
@group(0) @binding(2) var<storage, read_write> sums: array<f32>;

var<workgroup> partial: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn thread_per_row(@builtin(global_invocation_id) gid: vec3u) {
  let row = gid.x;
  if (row >= d.rows) {
    return;
  }
  var sum = 0.0;
  for (var k = 0u; k < d.N; k += 1u) {
    sum += m[row * d.N + k];
  }
  sums[row] = sum;
}

@compute @workgroup_size(LANES)
fn workgroup_per_row(
  @builtin(workgroup_id) wid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = wid.x;
  var sum = 0.0;
  for (var k = lane; k < d.N; k += LANES) {
    sum += m[row * d.N + k];
  }
  partial[lane] = sum;
  workgroupBarrier();

  for (var step = LANES / 2u; step > 0u; step /= 2u) {
    if (lane < step) {
      partial[lane] += partial[lane + step];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    sums[row] = partial[0];
  }
}
