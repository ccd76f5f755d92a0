//! Whether integer arithmetic can leave its type.
//!
//! Polynomials do not wrap. Where a result is not proved to fit its type, the program lists the
//! assumption that it does; where it is made to wrap, as in a hash, the result is data.

use cresta_ir::{Operation, Scalar};

use crate::poly::Poly;

use super::state::Walker;

pub(super) const NO_WRAP: &str = "index arithmetic does not wrap at 2³²";
/// Factors from here on are taken to be there to mix bits.
const MIXING: i128 = 1 << 16;

/// The least and greatest value of an integer type.
pub(super) fn bounds(scalar: Scalar) -> Option<(i128, i128)> {
    match scalar {
        Scalar::U32 => Some((0, u32::MAX.into())),
        Scalar::I32 => Some((i32::MIN.into(), i32::MAX.into())),
        Scalar::U64 => Some((0, u64::MAX.into())),
        Scalar::I64 => Some((i64::MIN.into(), i64::MAX.into())),
        Scalar::Bool | Scalar::F16 | Scalar::F32 | Scalar::F64 => None,
    }
}

/// A whole number in the type's range, by wrapping.
fn wrapped(scalar: Scalar, value: i128) -> Option<i128> {
    let (low, high) = bounds(scalar)?;
    Some((value - low).rem_euclid(high - low + 1) + low)
}

impl Walker<'_> {
    /// The result of an operation as the type holds it; `None` where it is made to wrap.
    pub(super) fn within_type(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        operands: [&Poly; 2],
        result: Poly,
    ) -> Option<Poly> {
        let (low, high) = bounds(scalar)?;
        if let Some(value) = result.as_integer() {
            return Some(Poly::integer(wrapped(scalar, value)?));
        }
        // what depends on data decides nothing that is counted by formulas
        if self.program.arena.depends_on_data(&result) || self.fits(&result, low, high) {
            return Some(result);
        }
        let constant = operands.iter().find_map(|operand| operand.as_integer());
        match (operation, constant) {
            (Operation::Mul, Some(factor)) if factor.abs() >= MIXING => return None,
            // adding a number near 2³² subtracts
            (Operation::Add, Some(summand)) if summand > high / 2 && low == 0 => {
                let result = result.add_integer(-high - 1);
                if !self.program.arena.is_nonnegative(&result) {
                    self.assume(NO_WRAP);
                }
                return Some(result);
            }
            _ => {}
        }
        self.assume(NO_WRAP);
        Some(result)
    }

    fn fits(&mut self, result: &Poly, low: i128, high: i128) -> bool {
        let arena = &self.program.arena;
        let above = result.add_integer(-low);
        let below = Poly::integer(high).sub(result);
        arena.is_nonnegative(&above) && (arena.is_nonnegative(&below) || self.fits_in_loop(&below))
    }

    /// The same after all exits of the innermost loop, where another iteration is sure to be left.
    fn fits_in_loop(&mut self, below: &Poly) -> bool {
        let Some(within) = self.loops.last() else {
            return false;
        };
        let Some(summary) = self.program.loops.get(within.id.0) else {
            return false;
        };
        if within.passed < summary.exits.len() || summary.unknown.is_some() {
            return false;
        }
        let t = summary.iteration;
        let before = Poly::atom(t).add_integer(-1);
        let below = self.arena().replace(below, t, &before);
        self.program.arena.is_nonnegative(&below)
    }
}
