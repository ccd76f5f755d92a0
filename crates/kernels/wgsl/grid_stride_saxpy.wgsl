// y = alpha * x + y with a fixed number of workgroups that stride over the vector.

struct Scale {
  n: u32,
  alpha: f32,
}

const LANES = 64u;

@group(0) @binding(0) var<uniform> d: Scale;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(LANES)
fn main(
  @builtin(global_invocation_id) gid: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let stride = groups.x * LANES;
  for (var i = gid.x; i < d.n; i += stride) {
    y[i] = fma(d.alpha, x[i], y[i]);
  }
}
