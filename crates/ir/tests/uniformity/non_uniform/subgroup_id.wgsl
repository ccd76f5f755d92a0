enable subgroups;
requires subgroup_id;
@compute @workgroup_size(64)
fn main(@builtin(subgroup_id) x: u32) {
  if (x > 1u) { workgroupBarrier(); }
}
