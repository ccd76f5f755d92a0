// Doubles every element in single precision. Pair of `f16_scale`.

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3u) {
  let i = gid.x;
  if (i >= arrayLength(&x)) {
    return;
  }
  y[i] = x[i] * 2.0;
}
