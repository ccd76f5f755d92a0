//! Values of atoms at a few fixed assignments of symbols, to see at once that something is not always
//! so.
//!
//! Each symbol gets one value for each assignment, within its bounds as they are when it is made. An
//! assignment at which a bound leaves no value, or something overflows, says nothing. A polynomial that
//! is negative at an assignment need not be proved to be never negative; that none is found shows
//! nothing. All answers serve speed alone.

use crate::arena::{Arena, Atom, Symbol, SymbolKind};
use crate::build::{bit_length, bitwise};
use crate::poly::{AtomId, Poly};

/// Assignments.
const COUNT: usize = 4;
/// Values above a symbol's lower bound, where the upper bound is far away or unknown.
const SPREADS: [[i128; 7]; COUNT] = [
    [0, 0, 0, 0, 0, 0, 0],
    [70_001, 977, 3_011, 160_001, 29, 40_009, 313],
    [1, 13, 2, 7, 130, 3, 61],
    [523, 40_037, 11, 1, 7_019, 257, 100_003],
];

/// A value at each assignment.
pub(crate) type Samples = [Option<i128>; COUNT];

impl Arena {
    pub(crate) fn atom_samples(&self, id: AtomId, atom: &Atom) -> Samples {
        std::array::from_fn(|at| match self.symbol_at(atom) {
            Some(symbol) => self.symbol_sample(id, symbol, at),
            None => self.compound_sample(atom, at),
        })
    }

    fn symbol_sample(&self, id: AtomId, symbol: &Symbol, at: usize) -> Option<i128> {
        // the bound of an iteration comes later, and is never below zero
        if symbol.kind == SymbolKind::Iteration {
            return Some(0);
        }
        let spread = SPREADS[at][id.index() % SPREADS[at].len()];
        let least = symbol.least;
        let value = match (&symbol.greatest, least) {
            (None, None) => {
                let sign = if (id.index() + at).is_multiple_of(2) {
                    1
                } else {
                    -1
                };
                return Some(sign * spread);
            }
            (None, Some(least)) => least.checked_add(spread)?,
            (Some(greatest), least) => {
                let greatest = self.sample(greatest, at)?;
                let least = least.unwrap_or(greatest.min(0));
                let values = greatest.checked_sub(least)?.checked_add(1)?;
                if values <= 0 {
                    return None;
                }
                match at {
                    1 => greatest,
                    _ => least + spread % values,
                }
            }
        };
        Some(value)
    }

    fn compound_sample(&self, atom: &Atom, at: usize) -> Option<i128> {
        let of = |poly: &Poly| self.sample(poly, at);
        let divisor = |poly: &Poly| of(poly).filter(|&value| value > 0);
        match atom {
            Atom::Symbol(_) | Atom::Sum { .. } => None,
            Atom::FloorDiv(a, b) => Some(of(a)?.div_euclid(divisor(b)?)),
            Atom::Mod(a, b) => Some(of(a)?.rem_euclid(divisor(b)?)),
            Atom::Min(a, b) => Some(of(a)?.min(of(b)?)),
            Atom::Max(a, b) => Some(of(a)?.max(of(b)?)),
            Atom::NonNegative(p) => Some(i128::from(of(p)? >= 0)),
            Atom::Zero(p) => Some(i128::from(of(p)? == 0)),
            Atom::Not(p) => 1i128.checked_sub(of(p)?),
            Atom::PowerOfTwo(p) => {
                let exponent = u32::try_from(of(p)?).ok().filter(|&e| e < 64)?;
                Some(1 << exponent)
            }
            Atom::BitLength(p) => Some(bit_length(of(p)?)),
            Atom::Bitwise(operation, a, b) => Some(bitwise(*operation, of(a)?, of(b)?)),
        }
    }

    /// The value of a polynomial at an assignment, if it is a whole number.
    fn sample(&self, poly: &Poly, at: usize) -> Option<i128> {
        let numerator = self.numerator_sample(poly, at)?;
        (numerator % poly.denominator() == 0).then(|| numerator / poly.denominator())
    }

    fn numerator_sample(&self, poly: &Poly, at: usize) -> Option<i128> {
        let mut sum: i128 = 0;
        for (monomial, coefficient) in poly.terms() {
            let mut product = *coefficient;
            for &(id, power) in monomial {
                let value = self.facts(id)?.samples[at]?;
                for _ in 0..power {
                    product = product.checked_mul(value)?;
                }
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// Whether the polynomial is negative at one of the assignments.
    pub(crate) fn is_negative_somewhere(&self, poly: &Poly) -> bool {
        (0..COUNT).any(|at| {
            self.numerator_sample(poly, at)
                .is_some_and(|value| value < 0)
        })
    }
}
