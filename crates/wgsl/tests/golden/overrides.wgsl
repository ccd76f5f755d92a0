// Overrides stay symbols; sizes take their values.
override TILE: u32 = 8;
override AREA: u32 = TILE * TILE;
@id(7) override scale: f32;
override debug: bool = false;
override unused: i32 = 3;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> tile: array<f32, AREA>;

@compute @workgroup_size(TILE, TILE)
fn main(@builtin(local_invocation_index) i: u32) {
  tile[i] = data[i];
  workgroupBarrier();
  if (debug) {
    data[i] = f32(AREA);
  } else {
    data[i] = tile[AREA - 1u - i] * scale;
  }
}
