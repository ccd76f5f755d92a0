//! Scalar operations on bits.
//!
//! Integers go through `i128` and are wrapped to their type; floats go through `f64` and are rounded
//! to their type, which for one addition, multiplication, division or root gives the same as
//! calculating in the type. Start at [`apply`].

mod float;
mod integer;
mod pack;

use cresta_ir::{Operation, Scalar};
use half::f16;

/// Most arguments that an operation takes: `insertBits`, and a component of a `vec4`.
pub(super) const MOST_ARGUMENTS: usize = 5;

/// The bits of `operation(arguments)`, where `scalar` is the operands' type and `target` the
/// result's.
pub(super) fn apply(operation: Operation, scalar: Scalar, target: Scalar, bits: &[u64]) -> u64 {
    match operation {
        Operation::Select => bits[if bits[0] != 0 { 1 } else { 2 }],
        Operation::Convert => convert(scalar, target, bits[0]),
        Operation::Bitcast => bits[0],
        Operation::Component => {
            let last = bits.len() as u64 - 2;
            bits[1 + bits[0].min(last) as usize]
        }
        _ if pack::is_packing(operation) => pack::apply(operation, target, bits),
        _ if scalar == Scalar::Bool => boolean(operation, bits[0] != 0, bits.get(1) == Some(&1)),
        _ if scalar.is_integer() => {
            let mut values = [0; MOST_ARGUMENTS];
            for (value, &bits) in values.iter_mut().zip(bits) {
                *value = decode_integer(scalar, bits);
            }
            integer::apply(operation, scalar, &values).cast_unsigned() as u64 & ones(target)
        }
        Operation::Ldexp => {
            let exponent = decode_integer(Scalar::I32, bits[1]);
            let factor = (exponent as f64).exp2();
            encode_float(target, decode_float(scalar, bits[0]) * factor)
        }
        _ => {
            let mut values = [0.0; MOST_ARGUMENTS];
            for (value, &bits) in values.iter_mut().zip(bits) {
                *value = decode_float(scalar, bits);
            }
            let result = float::apply(operation, &values);
            if target.is_float() {
                encode_float(target, result)
            } else {
                (result as i64).cast_unsigned() & ones(target)
            }
        }
    }
}

fn boolean(operation: Operation, a: bool, b: bool) -> u64 {
    let result = match operation {
        Operation::Not => !a,
        Operation::And | Operation::BitAnd => a && b,
        Operation::Or | Operation::BitOr => a || b,
        Operation::Equal => a == b,
        Operation::NotEqual | Operation::BitXor => a != b,
        _ => panic!("{} of bool", operation.name()),
    };
    result.into()
}

/// The bits that a type has.
fn ones(scalar: Scalar) -> u64 {
    match scalar {
        Scalar::Bool => 1,
        _ => u64::MAX >> (64 - 8 * scalar.bytes()),
    }
}

pub(super) fn decode_integer(scalar: Scalar, bits: u64) -> i128 {
    match scalar {
        Scalar::I32 => (bits as u32).cast_signed().into(),
        Scalar::I64 => bits.cast_signed().into(),
        _ => (bits & ones(scalar)).into(),
    }
}

fn decode_float(scalar: Scalar, bits: u64) -> f64 {
    match scalar {
        Scalar::F16 => f16::from_bits(bits as u16).to_f64(),
        Scalar::F32 => f32::from_bits(bits as u32).into(),
        Scalar::F64 => f64::from_bits(bits),
        _ => panic!("{} is not a float", scalar.name()),
    }
}

fn encode_float(scalar: Scalar, value: f64) -> u64 {
    match scalar {
        Scalar::F16 => f16::from_f64(value).to_bits().into(),
        Scalar::F32 => (value as f32).to_bits().into(),
        Scalar::F64 => value.to_bits(),
        _ => panic!("{} is not a float", scalar.name()),
    }
}

/// The bits of 1.
pub(super) fn one(scalar: Scalar) -> u64 {
    if scalar.is_float() {
        encode_float(scalar, 1.0)
    } else {
        1
    }
}

fn convert(from: Scalar, to: Scalar, bits: u64) -> u64 {
    if from.is_float() {
        let value = decode_float(from, bits);
        match to {
            Scalar::Bool => u64::from(value != 0.0),
            Scalar::I32 => (value as i32).cast_unsigned().into(),
            Scalar::U32 => (value as u32).into(),
            Scalar::I64 => (value as i64).cast_unsigned(),
            Scalar::U64 => value as u64,
            _ => encode_float(to, value),
        }
    } else {
        let value = decode_integer(from, bits);
        if to.is_float() {
            encode_float(to, value as f64)
        } else if to == Scalar::Bool {
            u64::from(value != 0)
        } else {
            value.cast_unsigned() as u64 & ones(to)
        }
    }
}
