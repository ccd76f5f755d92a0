enable subgroups;
@compute @workgroup_size(64)
fn main() {
  if (subgroupAdd(1u) > 16u) { workgroupBarrier(); }
}
