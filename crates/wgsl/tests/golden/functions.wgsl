// Calls are inlined: pointers bind to what they point to, early returns leave a block.
@group(0) @binding(0) var<storage, read_write> data: array<f32>;
var<workgroup> shared_data: array<f32, 64>;

fn add(to: ptr<function, f32>, value: f32) {
  *to += value;
}

fn clamp_low(x: f32) -> f32 {
  if (x < 0.0) {
    return 0.0;
  }
  let y = x * 2.0;
  if (y > 8.0) {
    return 8.0;
  }
  return y;
}

fn either(x: f32) -> f32 {
  if (x < 1.0) {
    return x + 1.0;
  } else {
    return x - 1.0;
  }
}

fn read(window: ptr<function, array<f32, 2>>, i: u32) -> f32 {
  (*window)[1] = shared_data[i];
  return (*window)[0];
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  var sum = data[i];
  let before = sum;
  add(&sum, 1.0);
  add(&sum, clamp_low(sum));
  shared_data[i] = either(sum);
  workgroupBarrier();
  var window: array<f32, 2>;
  window[0] = 4.0;
  data[i] = read(&window, 63u - i) + before + window[1];
}
