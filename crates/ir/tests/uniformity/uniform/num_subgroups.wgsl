enable subgroups;
requires subgroup_id;
@compute @workgroup_size(64)
fn main(@builtin(num_subgroups) x: u32) {
  if (x > 1u) { workgroupBarrier(); }
}
