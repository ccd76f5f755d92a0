// Lengths of runtime-sized arrays, also as a structure's last member and through a pointer.
struct Listing { count: u32, items: array<vec2f> }
@group(0) @binding(0) var<storage, read_write> listing: Listing;
@group(0) @binding(1) var<storage, read> plain: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&listing.items)) {
    let items = &plain;
    listing.items[id.x].y = (*items)[arrayLength(items) - 1u] + f32(listing.count);
  }
}
