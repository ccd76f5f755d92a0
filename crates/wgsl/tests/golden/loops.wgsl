// Every kind of loop.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var n = data[id.x];
  while (n > 1u) {
    n = n / 2u;
    if (n == 7u) { continue; }
    if (n == 5u) { break; }
    data[n] = n;
  }
  loop {
    n += 1u;
    if (n > 100u) { break; }
    continuing {
      n *= 2u;
      break if n > 50u;
    }
  }
  for (;;) {
    for (var j = n; j > 0u; j >>= 1u) {
      if (data[j] == 0u) { return; }
      var fresh: u32;
      fresh += j;
      data[j] = fresh;
    }
    if (n == 3u) { break; }
  }
  data[id.x] = n;
}
