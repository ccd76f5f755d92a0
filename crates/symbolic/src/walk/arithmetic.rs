//! Scalar operations on values.

use cresta_ir::{Constant, Operand, Operation, Register, Scalar};

use crate::arena::{Arena, Bitwise, Uniformity};
use crate::poly::Poly;
use crate::value::{Truth, Value};

use super::state::Walker;

const NOT_NEGATIVE: &str = "operands of integer / and % are not negative";
const SHIFT: &str = "shifts are by less than the width of the type";
const DIVISOR: &str = "integer divisors are not zero";

pub(super) fn zero(scalar: Scalar) -> Value {
    constant(Constant { scalar, bits: 0 })
}

pub(super) fn constant(constant: Constant) -> Value {
    match constant.integer() {
        Some(value) if constant.scalar == Scalar::Bool => Value::Truth(Truth::known(value != 0)),
        Some(value) => Value::Whole(Poly::integer(value)),
        None => Value::Other(Uniformity::Launch),
    }
}

impl Walker<'_> {
    pub(super) fn compute(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        target: Register,
        arguments: &[Operand],
    ) -> Value {
        let values: Vec<Value> = arguments
            .iter()
            .map(|&argument| self.read(argument))
            .collect();
        let known = match values.as_slice() {
            [Value::Truth(condition), accept, reject] if operation == Operation::Select => {
                let condition = condition.clone();
                (!self.program.arena.depends_on_data(&condition.holds))
                    .then(|| self.merge_values(&condition, accept, reject))
            }
            [Value::Whole(a)] => self.unary(operation, scalar, target, a),
            [Value::Whole(a), Value::Whole(b)] => self.binary(operation, scalar, a, b),
            [Value::Whole(a), Value::Whole(low), Value::Whole(high)]
                if operation == Operation::Clamp =>
            {
                let arena = self.arena();
                let above = arena.max(a, low);
                Some(Value::Whole(arena.min(&above, high)))
            }
            [Value::Truth(a)] => self.truth_unary(operation, target, a),
            [Value::Truth(a), Value::Truth(b)] => {
                let truth = self.arena().truth_binary(operation, a, b);
                truth.map(Value::Truth)
            }
            _ => None,
        };
        known.unwrap_or_else(|| {
            let arena = &self.program.arena;
            let least = values.iter().map(|value| value.uniformity(arena)).min();
            self.unknown_of(target, least.unwrap_or(Uniformity::Launch))
        })
    }

    fn unary(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        target: Register,
        a: &Poly,
    ) -> Option<Value> {
        let result = self.kernel.register_type(target);
        match operation {
            Operation::Neg if scalar.is_signed() => Some(Value::Whole(a.neg())),
            Operation::BitNot if scalar == Scalar::U32 => {
                let all = Poly::integer(u32::MAX.into());
                Some(Value::Whole(all.sub(a)))
            }
            Operation::BitNot if scalar.is_signed() => Some(Value::Whole(a.neg().add_integer(-1))),
            Operation::Abs => {
                let negated = a.neg();
                Some(Value::Whole(self.arena().max(a, &negated)))
            }
            Operation::Convert | Operation::Bitcast if result.is_integer() => {
                self.converted(result, a)
            }
            Operation::Convert if result == Scalar::Bool => {
                Some(Value::Truth(Truth::zero(self.arena(), a).not()))
            }
            Operation::CountLeadingZeros if scalar == Scalar::U32 => {
                let bits = self.arena().bit_length(a);
                Some(Value::Whole(Poly::integer(32).sub(&bits)))
            }
            Operation::FirstLeadingBit if scalar == Scalar::U32 => {
                let bits = self.arena().bit_length(a);
                Some(Value::Whole(bits.add_integer(-1)))
            }
            _ => None,
        }
    }

    fn converted(&mut self, to: Scalar, a: &Poly) -> Option<Value> {
        let whole = self.within_type(Operation::Convert, to, [a, a], a.clone())?;
        Some(Value::Whole(whole))
    }

    fn binary(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        a: &Poly,
        b: &Poly,
    ) -> Option<Value> {
        use Operation as Op;
        let whole = match operation {
            Op::Add | Op::Sub | Op::Mul | Op::Shl => {
                let result = match operation {
                    Op::Add => a.add(b),
                    Op::Sub => a.sub(b),
                    Op::Mul => a.mul(b),
                    _ => a.mul(&self.power(scalar, b)?),
                };
                self.within_type(operation, scalar, [a, b], result)?
            }
            Op::Div | Op::Rem => return self.divide(operation, a, b),
            Op::Shr => {
                let factor = self.power(scalar, b)?;
                self.arena().floor_div(a, &factor)
            }
            Op::BitAnd => {
                let (a, b) = (sign_extended(scalar, a), sign_extended(scalar, b));
                self.arena().bitwise(Bitwise::And, &a, &b)
            }
            Op::BitOr => self.arena().bitwise(Bitwise::Or, a, b),
            Op::BitXor => self.arena().bitwise(Bitwise::Xor, a, b),
            Op::Min => self.arena().min(a, b),
            Op::Max => self.arena().max(a, b),
            Op::Less => return self.compare(&b.sub(a).add_integer(-1)),
            Op::LessEqual => return self.compare(&b.sub(a)),
            Op::Greater => return self.compare(&a.sub(b).add_integer(-1)),
            Op::GreaterEqual => return self.compare(&a.sub(b)),
            Op::Equal => return Some(Value::Truth(Truth::zero(self.arena(), &a.sub(b)))),
            Op::NotEqual => {
                return Some(Value::Truth(Truth::zero(self.arena(), &a.sub(b)).not()));
            }
            _ => return None,
        };
        Some(Value::Whole(whole))
    }

    fn compare(&mut self, p: &Poly) -> Option<Value> {
        Some(Value::Truth(Truth::nonnegative(self.arena(), p)))
    }

    /// The factor of a shift.
    fn power(&mut self, scalar: Scalar, exponent: &Poly) -> Option<Poly> {
        let arena = &self.program.arena;
        if !arena.is_nonnegative(exponent) {
            return None;
        }
        let width = Poly::integer(i128::from(scalar.bytes()) * 8);
        if !arena.is_at_most(exponent, &width.add_integer(-1)) {
            if exponent.as_integer().is_some() {
                return None;
            }
            self.assume(SHIFT);
        }
        Some(self.arena().power_of_two(exponent))
    }

    fn divide(&mut self, operation: Operation, a: &Poly, b: &Poly) -> Option<Value> {
        let arena = &self.program.arena;
        match b.as_integer() {
            Some(..=0) => return None,
            Some(_) => {}
            None => {
                if arena.least(b).is_none_or(|least| least < 0) {
                    self.assume(NOT_NEGATIVE);
                }
                if self.program.arena.least(b).is_none_or(|least| least < 1) {
                    self.assume(DIVISOR);
                }
            }
        }
        if !self.program.arena.is_nonnegative(a) {
            if a.as_integer().is_some() {
                return None;
            }
            self.assume(NOT_NEGATIVE);
        }
        let arena = self.arena();
        Some(Value::Whole(match operation {
            Operation::Div => arena.floor_div(a, b),
            _ => arena.modulo(a, b),
        }))
    }

    fn truth_unary(&mut self, operation: Operation, target: Register, a: &Truth) -> Option<Value> {
        let integer = self.kernel.register_type(target).is_integer();
        match operation {
            Operation::Not => Some(Value::Truth(a.not())),
            Operation::Convert if integer => Some(Value::Whole(a.holds.clone())),
            _ => None,
        }
    }
}

/// A mask with all high bits of a 32-bit word as one with all higher bits too, which is the same for
/// values within the word.
fn sign_extended(scalar: Scalar, mask: &Poly) -> Poly {
    match mask.as_integer() {
        Some(bits) if scalar == Scalar::U32 && bits > i32::MAX.into() => {
            mask.add_integer(-(1 << 32))
        }
        _ => mask.clone(),
    }
}

impl Arena {
    fn truth_binary(&mut self, operation: Operation, a: &Truth, b: &Truth) -> Option<Truth> {
        let equal = |arena: &mut Arena, x: &Truth, y: &Truth| {
            let holds = x.holds.mul(&y.holds).add(&x.fails.mul(&y.fails));
            Truth::from_indicator(arena, holds)
        };
        match operation {
            Operation::And => Some(a.and(self, b)),
            Operation::Or => Some(a.or(self, b)),
            Operation::Equal => Some(equal(self, a, b)),
            Operation::NotEqual => Some(equal(self, a, &b.not())),
            _ => None,
        }
    }
}
