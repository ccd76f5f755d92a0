// A barrier, the load, a barrier.
struct Work { first: u32, last: u32 }
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> work: Work;
var<workgroup> flag: atomic<u32>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  if (i == 0u) {
    work = Work(data[0], data[1]);
  }
  let w = workgroupUniformLoad(&work);
  data[i] = w.last + workgroupUniformLoad(&flag);
  storageBarrier();
  textureBarrier();
}
