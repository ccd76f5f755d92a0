// Booleans take four bytes in memory.
struct Flags { first: bool, number: u32, many: array<bool, 3> }
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
var<workgroup> flags: array<Flags, 8>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
  flags[i % 8u].many[i % 3u] = data[i] > 3u & data[i + 1u] < 2u;
  flags[i % 8u].first = !flags[0].many[2] | (data[i] != 1u);
  workgroupBarrier();
  data[i] = u32(flags[7].first) + flags[7].number;
}
