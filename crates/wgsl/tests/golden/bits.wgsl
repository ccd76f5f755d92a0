// Conversions, reinterpretations, packing and bit functions; a conversion to the same type is nothing.
@group(0) @binding(0) var<storage, read_write> data: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let u = u32(data[id.x]);
  let f = f32(u);
  let i = i32(f) + bitcast<i32>(u);
  let v = unpack4x8unorm(u);
  let w = unpack2x16float(u);
  let packed = pack4x8unorm(v * 2.0) ^ pack2x16float(w + vec2f(f));
  data[0] = packed + extractBits(u, 3u, 5u) + insertBits(u, 7u, 0u, 4u);
  data[1] = countOneBits(u) + firstLeadingBit(u) + reverseBits(u);
  data[2] = u32(dot4I8Packed(u, packed)) + dot4U8Packed(u, 1u);
  data[3] = bitcast<u32>(i) + u32(bool(u)) + bitcast<u32>(quantizeToF16(f));
  data[4] = u32(unpack4xI8(u).y) + unpack4xU8(u).w + pack4xU8(vec4u(u));
}
