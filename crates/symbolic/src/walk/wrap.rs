//! Whether integer arithmetic can leave its type, and what it gives where it does.
//!
//! Polynomials do not wrap. Where a result is proved to fit its type it stands as it is; where it is
//! sure to leave the type for some lane (`local.x - 1u` of lane 0), multiples of 2³² are added where it
//! does; where that depends on parameters, the program lists the assumption that it does not.

use cresta_ir::{Operation, Scalar};

use crate::arena::{Atom, SymbolKind};
use crate::poly::Poly;
use crate::value::{Truth, Value};

use super::room::Room;
use super::state::Walker;

pub(super) const NO_WRAP: &str = "index arithmetic does not wrap at 2³²";
/// Factors from here on are taken to be there to mix bits.
const MIXING: u128 = 1 << 16;

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
pub(super) fn wrapped(scalar: Scalar, value: i128) -> Option<i128> {
    let (low, high) = bounds(scalar)?;
    let size = high - low + 1;
    Some((value.rem_euclid(size) - low).rem_euclid(size) + low)
}

/// The polynomial with every coefficient taken modulo `size` to the value nearest to zero.
fn nearest(poly: &Poly, size: i128) -> Poly {
    let far = |c: &i128| c.unsigned_abs() >= size.unsigned_abs() / 2;
    if poly.denominator() != 1 || !poly.terms().iter().any(|(_, c)| far(c)) {
        return poly.clone();
    }
    let half = size / 2;
    let terms = poly.terms().iter();
    terms.fold(Poly::zero(), |sum, (monomial, c)| {
        let near = (c.rem_euclid(size) + half).rem_euclid(size) - half;
        sum.add(&Poly::monomial(monomial.clone()).scale(near))
    })
}

impl Walker<'_> {
    /// The result of an operation as the type holds it; `None` where it mixes bits of what depends on
    /// parameters.
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
        if self.program.arena.depends_on_data(&result) {
            return Some(result);
        }
        if self.rooms(&result, low, high) == [Room::Enough; 2] {
            return Some(result);
        }
        let size = high - low + 1;
        let near = nearest(&result, size);
        let mut rooms = self.rooms(&near, low, high);
        if rooms == [Room::Enough; 2] {
            return Some(near);
        }
        if let Some(block) = self.moves(&near, low, size) {
            return Some(near.add_integer(block.checked_mul(size)?.checked_neg()?));
        }
        // a signed value may well be negative from some workgroup on, and one that wrapped goes back to it:
        // the launch tells
        if operation == Operation::Convert && self.is_of_lanes(&near) {
            let may_exceed = [true, self.wrapped_before(&near)];
            for (room, may_exceed) in rooms.iter_mut().zip(may_exceed) {
                if *room == Room::Unsure && may_exceed {
                    *room = Room::Exceeded;
                }
            }
        }
        if rooms.contains(&Room::Exceeded) {
            self.wraps_iteration |= self.mentions_iteration(&near);
            return Some(self.with_multiples(&near, (low, high), rooms));
        }
        let mut constants = operands.iter().filter_map(|operand| operand.as_integer());
        if operation == Operation::Mul && constants.any(|c| c.unsigned_abs() >= MIXING) {
            return None;
        }
        self.assume(NO_WRAP);
        // adding a number near 2³² subtracts, and what wrapped goes back
        let subtracts = operation == Operation::Add && constants.any(|c| c > high / 2 && low == 0);
        let returns = operation == Operation::Convert && self.wrapped_before(&result);
        Some(if subtracts || returns { near } else { result })
    }

    /// Whether the value was made by wrapping.
    fn wrapped_before(&self, value: &Poly) -> bool {
        let arena = &self.program.arena;
        let mut found = arena.wraps(value);
        arena.for_each_atom(value, &mut |id| {
            if let Some(Atom::Mod(_, size)) = arena.atom(id) {
                found |= size.as_integer().is_some_and(|size| size > u32::MAX.into());
            }
        });
        found
    }

    /// Room above the least and below the greatest value.
    fn rooms(&mut self, result: &Poly, low: i128, high: i128) -> [Room; 2] {
        let range = self.program.arena.interval(result);
        let above = match range.low {
            Some(least) if least >= low => Room::Enough,
            _ => self.room(&result.add_integer(-low)),
        };
        if range.high.is_some_and(|most| most <= high) {
            return [above, Room::Enough];
        }
        let below = Poly::integer(high).sub(result);
        let below = match self.room(&below) {
            Room::Unsure if self.fits_in_loop(&below) => Room::Enough,
            room => room,
        };
        [above, below]
    }

    /// The number of times that all values have to be moved by `size`, if it is the same.
    fn moves(&self, result: &Poly, low: i128, size: i128) -> Option<i128> {
        let range = self.program.arena.interval(result);
        let block = |value: i128| Some(value.checked_sub(low)?.div_euclid(size));
        let first = block(range.low?)?;
        (first == block(range.high?)?).then_some(first)
    }

    /// The result with what has to be added where it leaves the type.
    fn with_multiples(
        &mut self,
        result: &Poly,
        (low, high): (i128, i128),
        rooms: [Room; 2],
    ) -> Poly {
        let size = high - low + 1;
        let range = self.program.arena.interval(result);
        let short = Poly::integer(low - 1).sub(result);
        let over = result.add_integer(-high - 1);
        match rooms {
            [Room::Exceeded, room]
                if room != Room::Exceeded && range.low.is_some_and(|least| least >= low - size) =>
            {
                if room == Room::Unsure {
                    self.assume(NO_WRAP);
                }
                let short = self.arena().nonnegative(&short);
                result.add(&short.scale(size))
            }
            [room, Room::Exceeded]
                if room != Room::Exceeded && range.high.is_some_and(|most| most <= high + size) =>
            {
                if room == Room::Unsure {
                    self.assume(NO_WRAP);
                }
                let over = self.arena().nonnegative(&over);
                result.sub(&over.scale(size))
            }
            _ => {
                let above = result.add_integer(-low);
                let within = self.arena().modulo(&above, &Poly::integer(size));
                within.add_integer(low)
            }
        }
    }

    /// Whether a value is the same in every launch: made of nothing but lane and workgroup ids.
    fn is_of_lanes(&self, poly: &Poly) -> bool {
        let mut all = true;
        self.program.arena.for_each_symbol(poly, |_, symbol| {
            all &= matches!(
                symbol.kind,
                SymbolKind::LocalId(_) | SymbolKind::WorkgroupId(_)
            );
        });
        all
    }

    fn mentions_iteration(&self, poly: &Poly) -> bool {
        let mut found = false;
        let arena = &self.program.arena;
        arena.for_each_symbol(poly, |_, symbol| {
            found |= symbol.kind == SymbolKind::Iteration;
        });
        found
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
    /// What is left of a value under the conditions that hold here: whether it wrapped is often one of
    /// them.
    pub(super) fn simplified(&mut self, value: &Poly) -> Poly {
        if !self.program.arena.wraps(value) {
            return value.clone();
        }
        let holds = self.reached();
        self.arena().under(&holds, value)
    }

    /// An operation on a value that wraps in one case, as the choice between both cases.
    pub(super) fn case_by_case(
        &mut self,
        value: &Poly,
        apply: &mut dyn FnMut(&mut Self, &Poly) -> Option<Value>,
    ) -> Option<Value> {
        let (indicator, with, without) = self.program.arena.cases(value)?;
        let truth = Truth::from_indicator(self.arena(), indicator);
        let (with, without) = (apply(self, &with)?, apply(self, &without)?);
        Some(self.merge_values(&truth, &with, &without))
    }
}
