//! Integer operations; the caller wraps the result.

use cresta_ir::{Operation, Scalar};

/// The result before it is wrapped to the target type. Comparisons give 0 or 1.
pub(super) fn apply(operation: Operation, scalar: Scalar, values: &[i128; 5]) -> i128 {
    use Operation as Op;
    let [a, b, c, d, _] = *values;
    let width = i128::from(8 * scalar.bytes());
    match operation {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a.wrapping_mul(b),
        Op::Div => {
            if b == 0 {
                a
            } else {
                a / b
            }
        }
        Op::Rem => {
            if b == 0 {
                0
            } else {
                a % b
            }
        }
        Op::Neg => -a,
        Op::BitNot => !a,
        Op::BitAnd => a & b,
        Op::BitOr => a | b,
        Op::BitXor => a ^ b,
        Op::Shl => a.wrapping_shl((b % width) as u32),
        Op::Shr => a >> b.rem_euclid(width),
        Op::Equal => (a == b).into(),
        Op::NotEqual => (a != b).into(),
        Op::Less => (a < b).into(),
        Op::LessEqual => (a <= b).into(),
        Op::Greater => (a > b).into(),
        Op::GreaterEqual => (a >= b).into(),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(c),
        Op::Abs => a.abs(),
        Op::Sign => a.signum(),
        Op::ExtractBits => extract(a, b, c, scalar),
        Op::InsertBits => {
            let (offset, count) = span(c, d, width);
            let mask = ((1 << count) - 1) << offset;
            (a & !mask) | ((b << offset) & mask)
        }
        Op::Dot4I8Packed => dot(a, b, |byte| (byte as u8).cast_signed().into()),
        Op::Dot4U8Packed => dot(a, b, |byte| (byte as u8).into()),
        _ => bits(operation, a, width, scalar),
    }
}

/// Operations that look at the pattern of bits.
fn bits(operation: Operation, value: i128, width: i128, scalar: Scalar) -> i128 {
    let pattern = value.cast_unsigned() & ((1 << width) - 1);
    let leading = i128::from(pattern.leading_zeros()) - (128 - width);
    let trailing = i128::from(pattern.trailing_zeros()).min(width);
    match operation {
        Operation::CountOneBits => pattern.count_ones().into(),
        Operation::CountLeadingZeros => leading,
        Operation::CountTrailingZeros => trailing,
        Operation::FirstLeadingBit if scalar.is_signed() && value < 0 => {
            bits(operation, !value, width, scalar)
        }
        Operation::FirstLeadingBit => width - 1 - leading,
        Operation::FirstTrailingBit => {
            if pattern == 0 {
                -1
            } else {
                trailing
            }
        }
        Operation::ReverseBits => (pattern.reverse_bits() >> (128 - width)).cast_signed(),
        _ => panic!("{} of {}", operation.name(), scalar.name()),
    }
}

/// Offset and count of a bit field, cut to the width as WGSL says.
fn span(offset: i128, count: i128, width: i128) -> (u32, u32) {
    let offset = offset.clamp(0, width);
    let count = count.clamp(0, width - offset);
    (offset as u32, count as u32)
}

fn extract(value: i128, offset: i128, count: i128, scalar: Scalar) -> i128 {
    let (offset, count) = span(offset, count, i128::from(8 * scalar.bytes()));
    let field = (value >> offset) & ((1 << count) - 1);
    let negative = scalar.is_signed() && count > 0 && field >> (count - 1) != 0;
    if negative {
        field - (1 << count)
    } else {
        field
    }
}

fn dot(a: i128, b: i128, byte: impl Fn(i128) -> i128) -> i128 {
    (0..4)
        .map(|i| byte(a >> (8 * i)) * byte(b >> (8 * i)))
        .sum()
}
