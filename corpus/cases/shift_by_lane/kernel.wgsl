struct Parameters { mask: u32, amount: u32 }
@group(0) @binding(0) var<uniform> d: Parameters;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_id) local: vec3u) {
  if (((d.mask >> local.x) & 1u) == 1u) {
    b[local.x] = 1.0;
  }
  if ((1u << local.x) >= 65536u) {
    c[local.x] = a[(3u << local.x) % 31u];
  }
}
