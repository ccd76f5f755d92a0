//! What conditions say of quantities, and values that hold multiples of 2³² where they wrapped.

use crate::arena::{Arena, Atom};
use crate::poly::{AtomId, Poly};

/// Coefficients of an indicator from here on come from wrapping.
const WRAPS: i128 = 1 << 31;

impl Arena {
    /// Whether the product of indicators says that the quantity is not negative.
    pub(crate) fn implies(&self, holds: &Poly, quantity: &Poly) -> bool {
        let [(monomial, 1)] = holds.terms() else {
            return false;
        };
        monomial.iter().any(|&(id, _)| {
            let Some(Atom::NonNegative(p)) = self.atom(id) else {
                return false;
            };
            let factor = p.terms().iter().find_map(|(part, c)| {
                let mut same = quantity.terms().iter().filter(|(other, _)| other == part);
                let (_, of) = same.next().filter(|_| !part.is_empty())?;
                (of % c == 0 && of / c > 0).then_some(of / c)
            });
            factor.is_some_and(|factor| self.is_nonnegative(&quantity.sub(&p.scale(factor))))
        })
    }

    /// Whether a value holds multiples of 2³² where it wrapped.
    pub(crate) fn wraps(&self, value: &Poly) -> bool {
        let mut terms = value.terms().iter();
        terms.any(|(monomial, c)| {
            c.unsigned_abs() >= WRAPS.unsigned_abs()
                && monomial.iter().any(|(id, _)| id.is_idempotent())
        })
    }

    /// Whether one of two polynomials that should be equal holds multiples of 2³² that the other does
    /// not hold.
    pub(crate) fn differ_by_wrapping(&self, a: &Poly, b: &Poly) -> bool {
        let difference = a.sub(b);
        let far = |poly: &Poly| {
            let mut terms = poly.terms().iter();
            terms.any(|(_, c)| c.unsigned_abs() >= WRAPS.unsigned_abs())
        };
        let mut found = far(&difference);
        self.for_each_atom(&difference, &mut |id| {
            if let Some(atom) = self.atom(id) {
                atom.for_each_operand(|operand| found |= far(operand));
            }
        });
        found
    }

    /// The value where a product of indicators holds.
    pub(crate) fn under(&mut self, holds: &Poly, value: &Poly) -> Poly {
        if !self.wraps(value) {
            return value.clone();
        }
        let mut result = value.clone();
        let atoms: Vec<AtomId> = value.atoms().filter(|id| id.is_idempotent()).collect();
        for id in atoms {
            let Some(Atom::NonNegative(p)) = self.atom(id).cloned() else {
                continue;
            };
            let decided = if self.implies(holds, &p) {
                Poly::one()
            } else if self.implies(holds, &p.neg().add_integer(-1)) {
                Poly::zero()
            } else {
                continue;
            };
            if let Some((coefficient, rest)) = result.linear_in(id) {
                result = rest.add(&coefficient.mul(&decided));
            }
        }
        result
    }

    /// An indicator with a multiple of 2³¹ as its coefficient, and the value where it is one and where it
    /// is zero.
    pub(crate) fn cases(&self, value: &Poly) -> Option<(Poly, Poly, Poly)> {
        let far = |c: &i128| c.unsigned_abs() >= WRAPS.unsigned_abs();
        value.terms().iter().find_map(|(monomial, c)| {
            let [(id, 1)] = monomial.as_slice() else {
                return None;
            };
            if !far(c) || !matches!(self.atom(*id), Some(Atom::NonNegative(_))) {
                return None;
            }
            let (coefficient, rest) = value.linear_in(*id)?;
            Some((Poly::atom(*id), rest.add(&coefficient), rest))
        })
    }
}
