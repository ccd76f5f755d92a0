//! Packing of several numbers into a word, and one number out of it.

use cresta_ir::{Operation, Scalar};
use half::f16;

use super::{decode_integer, encode_float};

/// Whether this is one of the operations of this module.
pub(super) fn is_packing(operation: Operation) -> bool {
    lanes(operation).is_some()
}

/// How many bits one number takes in the word.
fn lanes(operation: Operation) -> Option<u32> {
    use Operation as Op;
    match operation {
        Op::Pack4x8Snorm
        | Op::Pack4x8Unorm
        | Op::Pack4xI8
        | Op::Pack4xU8
        | Op::Pack4xI8Clamp
        | Op::Pack4xU8Clamp
        | Op::Unpack4x8Snorm
        | Op::Unpack4x8Unorm
        | Op::Unpack4xI8
        | Op::Unpack4xU8 => Some(8),
        Op::Pack2x16Snorm
        | Op::Pack2x16Unorm
        | Op::Pack2x16Float
        | Op::Unpack2x16Snorm
        | Op::Unpack2x16Unorm
        | Op::Unpack2x16Float => Some(16),
        _ => None,
    }
}

/// The bits of the word, or of the number taken out of it.
pub(super) fn apply(operation: Operation, target: Scalar, bits: &[u64]) -> u64 {
    let width = lanes(operation).expect("checked by the caller");
    let ones = (1_u64 << width) - 1;
    if is_unpacking(operation) {
        let field = (bits[0] >> (u64::from(width) * bits[1])) & ones;
        return unpack(operation, field, width, target);
    }
    let fields = (0..).zip(bits);
    fields.fold(0, |word, (index, &bits)| {
        word | (pack(operation, bits) & ones) << (width * index)
    })
}

fn is_unpacking(operation: Operation) -> bool {
    operation.name().starts_with("unpack")
}

fn pack(operation: Operation, bits: u64) -> u64 {
    use Operation as Op;
    let value = f64::from(f32::from_bits(bits as u32));
    let norm = |low: f64, scale: f64| (0.5 + scale * value.min(1.0).max(low)).floor() as i64;
    match operation {
        Op::Pack4x8Snorm => norm(-1.0, 127.0).cast_unsigned(),
        Op::Pack4x8Unorm => norm(0.0, 255.0).cast_unsigned(),
        Op::Pack2x16Snorm => norm(-1.0, 32767.0).cast_unsigned(),
        Op::Pack2x16Unorm => norm(0.0, 65535.0).cast_unsigned(),
        Op::Pack2x16Float => f16::from_f64(value).to_bits().into(),
        Op::Pack4xI8Clamp => {
            let value = decode_integer(Scalar::I32, bits).clamp(-128, 127);
            value.cast_unsigned() as u64
        }
        Op::Pack4xU8Clamp => bits.min(255),
        _ => bits,
    }
}

fn unpack(operation: Operation, field: u64, width: u32, target: Scalar) -> u64 {
    use Operation as Op;
    let shift = 64 - width;
    let signed = (field << shift).cast_signed() >> shift;
    let most = ((1_u64 << (width - 1)) - 1) as f64;
    match operation {
        Op::Unpack4x8Snorm | Op::Unpack2x16Snorm => {
            encode_float(target, (signed as f64 / most).max(-1.0))
        }
        Op::Unpack4x8Unorm | Op::Unpack2x16Unorm => {
            encode_float(target, field as f64 / (2.0 * most + 1.0))
        }
        Op::Unpack2x16Float => encode_float(target, f16::from_bits(field as u16).to_f64()),
        Op::Unpack4xI8 => signed.cast_unsigned() & u64::from(u32::MAX),
        _ => field,
    }
}
