//! Literals as constants of the IR.

use cresta_ir::{Constant, Operand, Scalar};
use naga::Literal;

/// The constant that a literal stands for.
pub(super) fn constant(literal: Literal) -> Constant {
    let (scalar, bits) = match literal {
        Literal::F64(value) | Literal::AbstractFloat(value) => (Scalar::F64, value.to_bits()),
        Literal::F32(value) => (Scalar::F32, value.to_bits().into()),
        Literal::F16(value) => (Scalar::F16, value.to_bits().into()),
        Literal::U16(value) => (Scalar::U32, value.into()),
        Literal::I16(value) => (Scalar::I32, i32::from(value).cast_unsigned().into()),
        Literal::U32(value) => (Scalar::U32, value.into()),
        Literal::I32(value) => (Scalar::I32, value.cast_unsigned().into()),
        Literal::U64(value) => (Scalar::U64, value),
        Literal::I64(value) | Literal::AbstractInt(value) => (Scalar::I64, value.cast_unsigned()),
        Literal::Bool(value) => (Scalar::Bool, value.into()),
    };
    Constant { scalar, bits }
}

/// Zero of a type.
pub(super) fn zero(scalar: Scalar) -> Operand {
    Operand::Constant(Constant { scalar, bits: 0 })
}

/// One of a float type.
pub(super) fn one(scalar: Scalar) -> Operand {
    float(scalar, 1.0)
}

/// A small number, exact in every float type.
pub(super) fn float(scalar: Scalar, value: f32) -> Operand {
    let bits = match scalar {
        Scalar::F16 => half::f16::from_f32(value).to_bits().into(),
        Scalar::F64 => f64::from(value).to_bits(),
        _ => value.to_bits().into(),
    };
    Operand::Constant(Constant { scalar, bits })
}

/// A `u32`.
pub(super) fn unsigned(value: u32) -> Operand {
    Operand::Constant(Constant {
        scalar: Scalar::U32,
        bits: value.into(),
    })
}

/// A boolean.
pub(super) fn boolean(value: bool) -> Operand {
    Operand::Constant(Constant {
        scalar: Scalar::Bool,
        bits: value.into(),
    })
}
