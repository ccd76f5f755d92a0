// Cases that share a body, breaks that leave the switch, continues that go on with the loop.
@group(0) @binding(0) var<storage, read_write> data: array<i32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var x = data[id.x];
  for (var i = 0; i < 8; i++) {
    switch i {
      case 1, 2: { x += 1; }
      case 3: {
        if (x > 4) { break; }
        x *= 2;
      }
      case 4, default: { continue; }
    }
    x -= 1;
  }
  switch x { case -1: { x = 0; } default: {} }
  data[id.x] = x;
}
