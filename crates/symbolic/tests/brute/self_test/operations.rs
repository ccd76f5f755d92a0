//! Single operations, against values that WGSL's text gives or that are plain to see.

use cresta_ir::{Operation as Op, Scalar};
use half::f16;

use super::super::evaluate::apply;

fn float(value: f32) -> u64 {
    value.to_bits().into()
}

fn signed(value: i32) -> u64 {
    value.cast_unsigned().into()
}

#[track_caller]
fn gives(operation: Op, scalar: Scalar, target: Scalar, arguments: &[u64], expected: u64) {
    let result = apply(operation, scalar, target, arguments);
    assert_eq!(result, expected, "{} {arguments:x?}", operation.name());
}

#[track_caller]
fn integers(operation: Op, arguments: &[i32], expected: i32) {
    let arguments: Vec<u64> = arguments.iter().map(|&value| signed(value)).collect();
    gives(
        operation,
        Scalar::I32,
        Scalar::I32,
        &arguments,
        signed(expected),
    );
}

#[track_caller]
fn words(operation: Op, arguments: &[u32], expected: u32) {
    let arguments: Vec<u64> = arguments.iter().map(|&value| value.into()).collect();
    gives(
        operation,
        Scalar::U32,
        Scalar::U32,
        &arguments,
        expected.into(),
    );
}

#[track_caller]
fn floats(operation: Op, arguments: &[f32], expected: f32) {
    let arguments: Vec<u64> = arguments.iter().map(|&value| float(value)).collect();
    gives(
        operation,
        Scalar::F32,
        Scalar::F32,
        &arguments,
        float(expected),
    );
}

#[test]
fn integers_wrap_and_never_trap() {
    integers(Op::Add, &[i32::MAX, 1], i32::MIN);
    integers(Op::Mul, &[65536, 65536], 0);
    integers(Op::Div, &[7, 0], 7);
    integers(Op::Div, &[i32::MIN, -1], i32::MIN);
    integers(Op::Div, &[-7, 2], -3);
    integers(Op::Rem, &[-7, 2], -1);
    integers(Op::Rem, &[7, 0], 0);
    integers(Op::Abs, &[i32::MIN], i32::MIN);
    integers(Op::Shr, &[-8, 1], -4);
    words(Op::Sub, &[0, 1], u32::MAX);
    words(Op::Shr, &[0x8000_0000, 31], 1);
    words(Op::Shl, &[3, 31], 0x8000_0000);
    words(Op::BitNot, &[5], !5);
    integers(Op::Clamp, &[9, -1, 4], 4);
    gives(Op::Mul, Scalar::U64, Scalar::U64, &[u64::MAX, u64::MAX], 1);
}

#[test]
fn bits_are_counted_as_wgsl_says() {
    words(Op::CountOneBits, &[0xF0F0], 8);
    words(Op::CountLeadingZeros, &[1], 31);
    words(Op::CountLeadingZeros, &[0], 32);
    words(Op::CountTrailingZeros, &[0], 32);
    words(Op::FirstLeadingBit, &[0], u32::MAX);
    words(Op::FirstLeadingBit, &[0x10], 4);
    integers(Op::FirstLeadingBit, &[-1], -1);
    integers(Op::FirstLeadingBit, &[-2], 0);
    words(Op::FirstTrailingBit, &[0x10], 4);
    words(Op::FirstTrailingBit, &[0], u32::MAX);
    words(Op::ReverseBits, &[1], 0x8000_0000);
    words(Op::ExtractBits, &[0xABCD, 4, 8], 0xBC);
    words(Op::ExtractBits, &[u32::MAX, 30, 8], 3);
    integers(Op::ExtractBits, &[0xF0, 4, 4], -1);
    words(Op::InsertBits, &[0, 0xFF, 8, 4], 0xF00);
    words(Op::Dot4U8Packed, &[0x0102_0304, 0x0101_0101], 10);
    let bytes = [signed(-1), 2];
    gives(
        Op::Dot4I8Packed,
        Scalar::I32,
        Scalar::I32,
        &bytes,
        signed(-2),
    );
}

#[test]
fn floats_round_to_their_type() {
    floats(Op::Add, &[16_777_216.0, 1.0], 16_777_216.0);
    floats(Op::Div, &[1.0, 3.0], 1.0 / 3.0);
    floats(Op::Round, &[2.5], 2.0);
    floats(Op::Fract, &[-0.25], 0.75);
    floats(Op::Rem, &[-7.5, 2.0], -1.5);
    floats(Op::Sign, &[-0.0], 0.0);
    floats(Op::Mix, &[2.0, 4.0, 0.25], 2.5);
    floats(Op::Step, &[1.0, 1.0], 1.0);
    floats(Op::Fma, &[2.0, 3.0, 4.0], 10.0);
    floats(Op::Saturate, &[1.5], 1.0);
    floats(Op::InverseSqrt, &[4.0], 0.5);
    floats(Op::FrexpFract, &[6.0], 0.75);
    floats(Op::ModfFract, &[-1.25], -0.25);
    gives(
        Op::FrexpExponent,
        Scalar::F32,
        Scalar::I32,
        &[float(6.0)],
        3,
    );
    gives(
        Op::FrexpExponent,
        Scalar::F32,
        Scalar::I32,
        &[float(0.125)],
        signed(-2),
    );
    gives(
        Op::Ldexp,
        Scalar::F32,
        Scalar::F32,
        &[float(3.0), signed(-1)],
        float(1.5),
    );
    let half = |value: f32| u64::from(f16::from_f32(value).to_bits());
    let sum = [half(2048.0), half(1.0)];
    gives(Op::Add, Scalar::F16, Scalar::F16, &sum, half(2048.0));
    gives(
        Op::Less,
        Scalar::F16,
        Scalar::Bool,
        &[half(-1.0), half(0.0)],
        1,
    );
    gives(
        Op::Sqrt,
        Scalar::F64,
        Scalar::F64,
        &[4.0_f64.to_bits()],
        2.0_f64.to_bits(),
    );
    floats(Op::QuantizeToF16, &[1.000_1], 1.0);
}

#[test]
fn conversions_saturate() {
    let convert = |from, to, bits, expected| gives(Op::Convert, from, to, &[bits], expected);
    convert(Scalar::F32, Scalar::U32, float(-1.0), 0);
    convert(Scalar::F32, Scalar::I32, float(-1.9), signed(-1));
    convert(Scalar::F32, Scalar::U32, float(1e20), u32::MAX.into());
    convert(Scalar::F32, Scalar::Bool, float(0.5), 1);
    convert(Scalar::I32, Scalar::F32, signed(-3), float(-3.0));
    convert(
        Scalar::U32,
        Scalar::F32,
        u32::MAX.into(),
        float(4_294_967_296.0),
    );
    convert(Scalar::I32, Scalar::U32, signed(-1), u32::MAX.into());
    convert(Scalar::Bool, Scalar::F32, 1, float(1.0));
    gives(
        Op::Bitcast,
        Scalar::F32,
        Scalar::U32,
        &[float(1.0)],
        0x3F80_0000,
    );
}

#[test]
fn choices() {
    gives(Op::Select, Scalar::U32, Scalar::U32, &[1, 7, 8], 7);
    gives(Op::Select, Scalar::U32, Scalar::U32, &[0, 7, 8], 8);
    gives(Op::Component, Scalar::U32, Scalar::U32, &[2, 5, 6, 7], 7);
    gives(Op::And, Scalar::Bool, Scalar::Bool, &[1, 0], 0);
    gives(Op::NotEqual, Scalar::Bool, Scalar::Bool, &[1, 0], 1);
}

#[test]
fn packing_goes_there_and_back() {
    let units = [0.0, 1.0, 0.5, 0.25].map(float);
    gives(
        Op::Pack4x8Unorm,
        Scalar::F32,
        Scalar::U32,
        &units,
        0x4080_FF00,
    );
    let signs = [-1.0, 1.0, 0.0, 2.0].map(float);
    gives(
        Op::Pack4x8Snorm,
        Scalar::F32,
        Scalar::U32,
        &signs,
        0x7F00_7F81,
    );
    let halves = [1.0, -2.0].map(float);
    gives(
        Op::Pack2x16Float,
        Scalar::F32,
        Scalar::U32,
        &halves,
        0xC000_3C00,
    );
    let bytes = [300, -1, 5, -200].map(signed);
    gives(
        Op::Pack4xI8Clamp,
        Scalar::I32,
        Scalar::U32,
        &bytes,
        0x8005_FF7F,
    );
    gives(
        Op::Pack4xU8,
        Scalar::U32,
        Scalar::U32,
        &[1, 2, 3, 0x104],
        0x0403_0201,
    );
    let unpack = |operation, word, index, expected| {
        gives(
            operation,
            Scalar::U32,
            Scalar::F32,
            &[word, index],
            float(expected),
        );
    };
    unpack(Op::Unpack4x8Unorm, 0x4080_FF00, 1, 1.0);
    unpack(Op::Unpack4x8Snorm, 0x7F00_7F80, 0, -1.0);
    unpack(Op::Unpack2x16Float, 0xC000_3C00, 1, -2.0);
    unpack(Op::Unpack2x16Snorm, 0x8001_7FFF, 1, -1.0);
    gives(
        Op::Unpack4xI8,
        Scalar::U32,
        Scalar::I32,
        &[0xFF00, 1],
        signed(-1),
    );
    gives(Op::Unpack4xU8, Scalar::U32, Scalar::U32, &[0xFF00, 1], 255);
}
