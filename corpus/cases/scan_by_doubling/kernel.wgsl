@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read_write> b: array<u32>;
var<workgroup> part: array<u32, 128>;

@compute @workgroup_size(128)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  part[lane] = a[id.x];
  for (var offset = 1u; offset < 128u; offset *= 2u) {
    workgroupBarrier();
    var value = part[lane];
    if (lane >= offset) {
      value += part[lane - offset];
    }
    workgroupBarrier();
    part[lane] = value;
  }
  b[id.x] = part[lane];
}
