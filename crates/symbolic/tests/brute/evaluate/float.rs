//! Float operations in `f64`; the caller rounds the result.

use cresta_ir::Operation;

/// The result before it is rounded to the target type. Comparisons give 0 or 1.
pub(super) fn apply(operation: Operation, values: &[f64; 5]) -> f64 {
    use Operation as Op;
    let [a, b, c, ..] = *values;
    match operation {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::Rem => a - b * (a / b).trunc(),
        Op::Neg => -a,
        Op::Equal => truth(a == b),
        Op::NotEqual => truth(a != b),
        Op::Less => truth(a < b),
        Op::LessEqual => truth(a <= b),
        Op::Greater => truth(a > b),
        Op::GreaterEqual => truth(a >= b),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(c),
        Op::Saturate if a > 0.0 => a.min(1.0),
        Op::Saturate => 0.0,
        Op::Fma => a.mul_add(b, c),
        Op::Mix => a * (1.0 - c) + b * c,
        Op::Step => truth(a <= b),
        _ => unary(operation, a).unwrap_or_else(|| special(operation, a, b)),
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

fn unary(operation: Operation, a: f64) -> Option<f64> {
    use Operation as Op;
    Some(match operation {
        Op::Abs => a.abs(),
        Op::Sign if a == 0.0 => 0.0,
        Op::Sign => a.signum(),
        Op::Floor => a.floor(),
        Op::Ceil => a.ceil(),
        Op::Round => a.round_ties_even(),
        Op::Trunc | Op::ModfWhole => a.trunc(),
        Op::Fract => a - a.floor(),
        Op::ModfFract => a.fract(),
        Op::FrexpFract => frexp(a).0,
        Op::FrexpExponent => frexp(a).1,
        Op::Radians => a.to_radians(),
        Op::Degrees => a.to_degrees(),
        Op::QuantizeToF16 => half::f16::from_f64(a).to_f64(),
        Op::IsNan => truth(a.is_nan()),
        Op::IsInf => truth(a.is_infinite()),
        _ => return None,
    })
}

fn special(operation: Operation, a: f64, b: f64) -> f64 {
    use Operation as Op;
    match operation {
        Op::Sqrt => a.sqrt(),
        Op::InverseSqrt => 1.0 / a.sqrt(),
        Op::Exp => a.exp(),
        Op::Exp2 => a.exp2(),
        Op::Log => a.ln(),
        Op::Log2 => a.log2(),
        Op::Pow => a.powf(b),
        Op::Sin => a.sin(),
        Op::Cos => a.cos(),
        Op::Tan => a.tan(),
        Op::Asin => a.asin(),
        Op::Acos => a.acos(),
        Op::Atan => a.atan(),
        Op::Atan2 => a.atan2(b),
        Op::Sinh => a.sinh(),
        Op::Cosh => a.cosh(),
        Op::Tanh => a.tanh(),
        Op::Asinh => a.asinh(),
        Op::Acosh => a.acosh(),
        Op::Atanh => a.atanh(),
        _ => panic!("{} of a float", operation.name()),
    }
}

/// Significand in [0.5, 1) and exponent, so that their product with a power of two is the value.
fn frexp(value: f64) -> (f64, f64) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0.0);
    }
    let exponent = value.abs().log2().floor() + 1.0;
    (value / exponent.exp2(), exponent)
}
