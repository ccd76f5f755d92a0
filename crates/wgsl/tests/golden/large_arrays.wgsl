// Arrays too long to spell out are zeroed and copied by loops.
struct Table { rows: array<array<f32, 32>, 16>, used: u32 }
@group(0) @binding(0) var<storage, read_write> tables: array<Table>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = 0u; i < 2u; i++) {
    var local: Table;
    local.rows[i][id.y] = 1.0;
    local.used = i;
    tables[i] = local;
  }
  let whole = tables[id.x];
  tables[id.x].used = 3u;
  tables[id.y].rows[0][id.z] = whole.rows[id.z][id.y] + f32(whole.used);
}
