//! Scalar operations on values.

use cresta_ir::{Constant, Operand, Operation, Register, Scalar};

use crate::arena::{Arena, Bitwise, Uniformity};
use crate::poly::Poly;
use crate::value::{Truth, Value};

use super::room::Room;
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
            Operation::Neg if scalar.is_signed() => match a.as_integer() {
                Some(value) => {
                    let value = super::wrap::wrapped(scalar, value.checked_neg()?)?;
                    Some(Value::Whole(Poly::integer(value)))
                }
                None => Some(Value::Whole(a.neg())),
            },
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
                let bits = self.arena().bit_length(a).add_integer(-1);
                let whole = self.within_type(operation, result, [a, a], bits)?;
                Some(Value::Whole(whole))
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
        let (a, b) = (&self.simplified(a), &self.simplified(b));
        if is_not_a_sum(operation) {
            let mut on_left = |walker: &mut Self, a: &Poly| walker.binary(operation, scalar, a, b);
            if let Some(value) = self.case_by_case(a, &mut on_left) {
                return Some(value);
            }
            let mut on_right = |walker: &mut Self, b: &Poly| walker.binary(operation, scalar, a, b);
            if let Some(value) = self.case_by_case(b, &mut on_right) {
                return Some(value);
            }
        }
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
            Op::Div | Op::Rem => return self.divide(operation, scalar, a, b),
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

    /// The factor of a shift, whose amount is taken modulo the width of the type.
    fn power(&mut self, scalar: Scalar, exponent: &Poly) -> Option<Poly> {
        let width = i128::from(scalar.bytes()) * 8;
        let wrapped = match exponent.as_integer() {
            Some(amount) => Poly::integer(amount.rem_euclid(width)),
            None => {
                let below = Poly::integer(width - 1).sub(exponent);
                match [self.room(exponent), self.room(&below)] {
                    [Room::Enough, Room::Enough] => exponent.clone(),
                    rooms if rooms.contains(&Room::Exceeded) => {
                        self.arena().modulo(exponent, &Poly::integer(width))
                    }
                    _ => {
                        self.assume(SHIFT);
                        exponent.clone()
                    }
                }
            }
        };
        Some(self.arena().power_of_two(&wrapped))
    }

    /// A quotient or remainder, of which the quotient is cut towards zero. By zero, the quotient is the
    /// dividend and the remainder zero.
    fn divide(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        a: &Poly,
        b: &Poly,
    ) -> Option<Value> {
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer()) {
            let value = match operation {
                Operation::Div => x.checked_div(y).unwrap_or(x),
                _ => x.checked_rem(y).unwrap_or(0),
            };
            let value = super::wrap::wrapped(scalar, value)?;
            return Some(Value::Whole(Poly::integer(value)));
        }
        if let Some(divisor @ ..0) = b.as_integer() {
            let divisor = Poly::integer(divisor.checked_neg()?);
            let value = self.divide(operation, scalar, a, &divisor)?;
            return match value {
                Value::Whole(quotient) if operation == Operation::Div => {
                    Some(Value::Whole(quotient.neg()))
                }
                value => Some(value),
            };
        }
        let divisor = self.divisor(b)?;
        // an unsigned dividend is negative only where it is assumed not to wrap
        let room = match scalar.is_signed() {
            true => self.room(a),
            false => Room::Enough,
        };
        if room == Room::Unsure {
            self.assume(NOT_NEGATIVE);
        }
        let floor = self.floor(operation, a, &divisor);
        if room != Room::Exceeded {
            return Some(Value::Whole(floor));
        }
        let negative = self.floor(operation, &a.neg(), &divisor).neg();
        let truth = Truth::nonnegative(self.arena(), a);
        Some(Value::Whole(self.arena().choose(
            &truth.holds,
            &floor,
            &negative,
        )))
    }

    /// A divisor that is above zero: zero divides like one.
    fn divisor(&mut self, b: &Poly) -> Option<Poly> {
        match self.room(b) {
            Room::Exceeded => return None,
            Room::Unsure => self.assume(NOT_NEGATIVE),
            Room::Enough => {}
        }
        match self.room(&b.add_integer(-1)) {
            Room::Enough => Some(b.clone()),
            Room::Exceeded => Some(self.arena().max(b, &Poly::one())),
            Room::Unsure => {
                self.assume(DIVISOR);
                Some(b.clone())
            }
        }
    }

    fn floor(&mut self, operation: Operation, a: &Poly, b: &Poly) -> Poly {
        match operation {
            Operation::Div => self.arena().floor_div(a, b),
            _ => self.arena().modulo(a, b),
        }
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

/// Whether an operation on two whole numbers is neither built from sums nor a comparison.
fn is_not_a_sum(operation: Operation) -> bool {
    matches!(
        operation,
        Operation::Div
            | Operation::Rem
            | Operation::Shr
            | Operation::BitAnd
            | Operation::BitOr
            | Operation::BitXor
            | Operation::Min
            | Operation::Max
    )
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
