//! Values of scalar global expressions, as far as sizes need them.
//!
//! naga folds constant expressions but leaves those over overrides alone. This evaluates the scalar
//! ones in arena order, so that array lengths and workgroup sizes come out; what it does not know
//! stays unknown. Start at [`evaluate_globals`].

use cresta_ir::{Constant, Scalar};
use naga::{BinaryOperator, Expression, Handle, MathFunction, Module, UnaryOperator};

use super::literal;
use super::types;

/// What is known of a global expression.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Evaluated {
    /// Its value, when it is a scalar that could be evaluated.
    pub(super) constant: Option<Constant>,
    /// Whether an override enters into it.
    pub(super) overridden: bool,
}

/// A number as the evaluation handles it.
#[derive(Clone, Copy)]
enum Number {
    Integer(i128),
    Float(f64),
}

/// Evaluates every global expression, given the caller's values by override index.
pub(super) fn evaluate_globals(module: &Module, given: &[Option<Constant>]) -> Vec<Evaluated> {
    let mut values: Vec<Evaluated> = Vec::with_capacity(module.global_expressions.len());
    for (_, expression) in module.global_expressions.iter() {
        let mut overridden = matches!(expression, Expression::Override(_));
        super::operands::for_each(expression, |operand| {
            overridden |= values[operand.index()].overridden;
        });
        let constant = evaluate(module, given, &values, expression);
        values.push(Evaluated {
            constant,
            overridden,
        });
    }
    values
}

fn evaluate(
    module: &Module,
    given: &[Option<Constant>],
    values: &[Evaluated],
    expression: &Expression,
) -> Option<Constant> {
    let value = |handle: Handle<Expression>| values.get(handle.index())?.constant;
    match *expression {
        Expression::Literal(value) => Some(literal::constant(value)),
        Expression::Constant(handle) => value(module.constants[handle].init),
        Expression::Override(handle) => {
            given[handle.index()].or_else(|| value(module.overrides[handle].init?))
        }
        Expression::ZeroValue(ty) => match module.types[ty].inner {
            naga::TypeInner::Scalar(scalar) => Some(Constant {
                scalar: types::scalar(scalar),
                bits: 0,
            }),
            _ => None,
        },
        Expression::Unary { op, expr } => unary(op, value(expr)?),
        Expression::Binary { op, left, right } => binary(op, value(left)?, value(right)?),
        Expression::Select {
            condition,
            accept,
            reject,
        } => {
            let chosen = if value(condition)?.bits != 0 {
                accept
            } else {
                reject
            };
            value(chosen)
        }
        Expression::As {
            expr,
            kind,
            convert: Some(width),
        } => {
            let target = types::scalar(naga::Scalar { kind, width });
            let source = value(expr)?;
            convert(number(source)?, target)
        }
        Expression::Math {
            fun,
            arg,
            arg1,
            arg2,
            ..
        } => {
            let optional = |handle: Option<Handle<Expression>>| match handle {
                Some(handle) => value(handle).map(Some),
                None => Some(None),
            };
            math(fun, value(arg)?, optional(arg1)?, optional(arg2)?)
        }
        _ => None,
    }
}

fn number(constant: Constant) -> Option<Number> {
    Some(match constant.scalar {
        Scalar::F16 => {
            let half = half::f16::from_bits(constant.bits as u16);
            Number::Float(half.to_f64())
        }
        Scalar::F32 => Number::Float(f32::from_bits(constant.bits as u32).into()),
        Scalar::F64 => Number::Float(f64::from_bits(constant.bits)),
        _ => Number::Integer(constant.integer()?),
    })
}

/// The value in type `scalar`, wrapped as WGSL's conversions wrap; `None` for what WGSL rejects.
fn convert(value: Number, scalar: Scalar) -> Option<Constant> {
    let bits = match (value, scalar) {
        (Number::Integer(value), Scalar::Bool) => u64::from(value != 0),
        (Number::Float(value), Scalar::Bool) => u64::from(value != 0.0),
        (Number::Integer(value), Scalar::I32 | Scalar::U32) => u64::from(value as u32),
        (Number::Integer(value), Scalar::I64 | Scalar::U64) => value as u64,
        (Number::Float(value), Scalar::I32) => u64::from((value as i32).cast_unsigned()),
        (Number::Float(value), Scalar::U32) => u64::from(value as u32),
        (Number::Float(value), Scalar::I64) => (value as i64).cast_unsigned(),
        (Number::Float(value), Scalar::U64) => value as u64,
        (Number::Integer(value), _) => return float(value as f64, scalar),
        (Number::Float(value), _) => return float(value, scalar),
    };
    Some(Constant { scalar, bits })
}

fn float(value: f64, scalar: Scalar) -> Option<Constant> {
    let bits = match scalar {
        Scalar::F16 => half::f16::from_f64(value).to_bits().into(),
        Scalar::F32 => (value as f32).to_bits().into(),
        _ => value.to_bits(),
    };
    value.is_finite().then_some(Constant { scalar, bits })
}

/// An integer that its type holds; overflow is an error in WGSL.
fn integer(value: i128, scalar: Scalar) -> Option<Constant> {
    let constant = convert(Number::Integer(value), scalar)?;
    (constant.integer() == Some(value)).then_some(constant)
}

fn unary(op: UnaryOperator, value: Constant) -> Option<Constant> {
    match (op, number(value)?) {
        (UnaryOperator::Negate, Number::Integer(number)) => integer(-number, value.scalar),
        (UnaryOperator::Negate, Number::Float(number)) => float(-number, value.scalar),
        (UnaryOperator::LogicalNot, Number::Integer(number)) => {
            convert(Number::Integer(i128::from(number == 0)), Scalar::Bool)
        }
        (UnaryOperator::BitwiseNot, Number::Integer(number)) => {
            convert(Number::Integer(!number), value.scalar)
        }
        (_, Number::Float(_)) => None,
    }
}

fn binary(op: BinaryOperator, left: Constant, right: Constant) -> Option<Constant> {
    match (number(left)?, number(right)?) {
        (Number::Integer(a), Number::Integer(b)) => binary_integers(op, a, b, left.scalar),
        (Number::Float(a), Number::Float(b)) => binary_floats(op, a, b, left.scalar),
        _ => None,
    }
}

fn boolean(value: bool) -> Option<Constant> {
    convert(Number::Integer(value.into()), Scalar::Bool)
}

fn binary_integers(op: BinaryOperator, a: i128, b: i128, scalar: Scalar) -> Option<Constant> {
    use BinaryOperator as Op;
    let shift = || u32::try_from(b).ok().filter(|&b| b < 8 * scalar.bytes());
    match op {
        Op::Add => integer(a.checked_add(b)?, scalar),
        Op::Subtract => integer(a.checked_sub(b)?, scalar),
        Op::Multiply => integer(a.checked_mul(b)?, scalar),
        Op::Divide => integer(a.checked_div(b)?, scalar),
        Op::Modulo => integer(a.checked_rem(b)?, scalar),
        Op::And | Op::LogicalAnd => integer(a & b, scalar),
        Op::ExclusiveOr => integer(a ^ b, scalar),
        Op::InclusiveOr | Op::LogicalOr => integer(a | b, scalar),
        Op::ShiftLeft => integer(a << shift()?, scalar),
        Op::ShiftRight => integer(a >> shift()?, scalar),
        Op::Equal => boolean(a == b),
        Op::NotEqual => boolean(a != b),
        Op::Less => boolean(a < b),
        Op::LessEqual => boolean(a <= b),
        Op::Greater => boolean(a > b),
        Op::GreaterEqual => boolean(a >= b),
    }
}

fn binary_floats(op: BinaryOperator, a: f64, b: f64, scalar: Scalar) -> Option<Constant> {
    use BinaryOperator as Op;
    match op {
        Op::Add => float(a + b, scalar),
        Op::Subtract => float(a - b, scalar),
        Op::Multiply => float(a * b, scalar),
        Op::Divide => float(a / b, scalar),
        Op::Modulo => float(a % b, scalar),
        Op::Equal => boolean(a == b),
        Op::NotEqual => boolean(a != b),
        Op::Less => boolean(a < b),
        Op::LessEqual => boolean(a <= b),
        Op::Greater => boolean(a > b),
        Op::GreaterEqual => boolean(a >= b),
        Op::And
        | Op::ExclusiveOr
        | Op::InclusiveOr
        | Op::LogicalAnd
        | Op::LogicalOr
        | Op::ShiftLeft
        | Op::ShiftRight => None,
    }
}

/// The built-in functions that sizes are computed with.
fn math(
    fun: MathFunction,
    value: Constant,
    second: Option<Constant>,
    third: Option<Constant>,
) -> Option<Constant> {
    let scalar = value.scalar;
    let other = second.map(number);
    match (fun, number(value)?, other) {
        (MathFunction::Abs, Number::Integer(a), None) => integer(a.abs(), scalar),
        (MathFunction::Min, Number::Integer(a), Some(Some(Number::Integer(b)))) => {
            integer(a.min(b), scalar)
        }
        (MathFunction::Max, Number::Integer(a), Some(Some(Number::Integer(b)))) => {
            integer(a.max(b), scalar)
        }
        (MathFunction::Clamp, Number::Integer(a), Some(Some(Number::Integer(low)))) => {
            let Number::Integer(high) = number(third?)? else {
                return None;
            };
            integer(a.max(low).min(high), scalar)
        }
        (MathFunction::Min, Number::Float(a), Some(Some(Number::Float(b)))) => {
            float(a.min(b), scalar)
        }
        (MathFunction::Max, Number::Float(a), Some(Some(Number::Float(b)))) => {
            float(a.max(b), scalar)
        }
        (MathFunction::Abs, Number::Float(a), None) => float(a.abs(), scalar),
        (MathFunction::Ceil, Number::Float(a), None) => float(a.ceil(), scalar),
        (MathFunction::Floor, Number::Float(a), None) => float(a.floor(), scalar),
        (MathFunction::Trunc, Number::Float(a), None) => float(a.trunc(), scalar),
        (MathFunction::Round, Number::Float(a), None) => float(a.round_ties_even(), scalar),
        (MathFunction::Sqrt, Number::Float(a), None) => float(a.sqrt(), scalar),
        _ => None,
    }
}
