//! Scalar operations on values.

use cresta_ir::{Constant, Operand, Operation, Register, Scalar};

use crate::arena::{Arena, Bitwise, Uniformity};
use crate::poly::Poly;
use crate::value::{Truth, Value};

use super::state::Walker;

const NO_WRAP: &str = "index arithmetic does not wrap at 2³²";
const NOT_NEGATIVE: &str = "operands of integer / and % are not negative";
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
            Operation::BitNot if scalar.is_signed() => Some(Value::Whole(a.neg().add_integer(-1))),
            Operation::Abs => {
                let negated = a.neg();
                Some(Value::Whole(self.arena().max(a, &negated)))
            }
            Operation::Convert | Operation::Bitcast if result.is_integer() => {
                self.converted(scalar, result, a)
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

    fn converted(&mut self, from: Scalar, to: Scalar, a: &Poly) -> Option<Value> {
        let narrows = to.bytes() < from.bytes();
        if from.is_signed() && !to.is_signed() && !self.program.arena.is_nonnegative(a) {
            if a.as_integer().is_some() {
                return None;
            }
            self.assume(NO_WRAP);
        } else if narrows {
            self.assume(NO_WRAP);
        }
        Some(Value::Whole(a.clone()))
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
            Op::Add => a.add(b),
            Op::Sub => {
                let difference = a.sub(b);
                if !scalar.is_signed() && !self.program.arena.is_nonnegative(&difference) {
                    self.assume(NO_WRAP);
                }
                difference
            }
            Op::Mul => a.mul(b),
            Op::Div | Op::Rem => return self.divide(operation, a, b),
            Op::Shl => {
                let factor = self.power(b)?;
                a.mul(&factor)
            }
            Op::Shr => {
                let factor = self.power(b)?;
                self.arena().floor_div(a, &factor)
            }
            Op::BitAnd => self.arena().bitwise(Bitwise::And, a, b),
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

    fn power(&mut self, exponent: &Poly) -> Option<Poly> {
        if !self.program.arena.is_nonnegative(exponent) {
            return None;
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
