//! Proofs about ranges: is a polynomial never negative?
//!
//! Interval arithmetic over the bounds of atoms, then replacement of atoms by symbolic bounds
//! (`wid.x ≤ wg.x - 1`, `d ⌊a / d⌋ ≤ a`). A proof that is not found is `false`; nothing relies on its
//! absence. [`interval`](crate::interval) holds the arithmetic.

use std::sync::Mutex;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom};
use crate::interval::Interval;
use crate::poly::{AtomId, Poly};

/// Replacements that one proof tries.
const BUDGET: u32 = 12;
/// Terms of the polynomials for which replacements are tried.
const TERMS: usize = 12;

/// Answers of [`Arena::is_nonnegative`] that took replacements. One that was negative stays so when a
/// symbol gets a bound later, which is weaker but true.
#[derive(Debug, Default)]
pub(crate) struct Proofs(Mutex<FxHashMap<Poly, bool>>);

impl Clone for Proofs {
    fn clone(&self) -> Proofs {
        Proofs::default()
    }
}

impl Proofs {
    fn get(&self, poly: &Poly) -> Option<bool> {
        self.0.lock().ok()?.get(poly).copied()
    }

    fn insert(&self, poly: &Poly, proved: bool) {
        if let Ok(mut proofs) = self.0.lock() {
            proofs.insert(poly.clone(), proved);
        }
    }
}

/// Polynomials that are nowhere greater than another one.
enum Looser {
    /// It suffices that one is never negative.
    Any(Vec<Poly>),
    /// All must be never negative.
    All(Vec<Poly>),
}

impl Arena {
    /// Whether `poly ≥ 0` is proved, for all values of its symbols.
    pub fn is_nonnegative(&self, poly: &Poly) -> bool {
        if let Some(plain) = self.plainly_nonnegative(poly) {
            return plain;
        }
        if let Some(proved) = self.proofs.get(poly) {
            return proved;
        }
        let mut budget = BUDGET;
        let proved = self.prove_nonnegative(poly, &mut budget);
        self.proofs.insert(poly, proved);
        proved
    }

    /// What intervals alone tell, or that nothing will.
    fn plainly_nonnegative(&self, poly: &Poly) -> Option<bool> {
        if poly.is_overflow() {
            return Some(false);
        }
        match self.numerator_interval(poly) {
            Interval { low: Some(0..), .. } => Some(true),
            Interval {
                high: Some(..=-1), ..
            } => Some(false),
            _ if poly.terms().len() > TERMS || self.is_negative_somewhere(poly) => Some(false),
            _ => None,
        }
    }

    /// Whether `a ≤ b` is proved.
    pub fn is_at_most(&self, a: &Poly, b: &Poly) -> bool {
        self.is_nonnegative(&b.sub(a))
    }

    /// Whether `poly ≥ 1` is proved, for a whole-numbered polynomial.
    pub(crate) fn is_positive(&self, poly: &Poly) -> bool {
        self.is_nonnegative(&poly.add_integer(-1))
    }

    /// A constant lower bound, where one is proved.
    pub fn least(&self, poly: &Poly) -> Option<i128> {
        self.interval(poly).low
    }

    /// A constant upper bound, where one is proved.
    pub fn greatest(&self, poly: &Poly) -> Option<i128> {
        self.interval(poly).high
    }

    /// Bounds of a polynomial's value.
    pub(crate) fn interval(&self, poly: &Poly) -> Interval {
        self.numerator_interval(poly).divide_by(poly.denominator())
    }

    fn numerator_interval(&self, poly: &Poly) -> Interval {
        let mut sum = Interval::exact(0);
        for (monomial, coefficient) in poly.terms() {
            let mut product = Interval::exact(*coefficient);
            for &(atom, power) in monomial {
                let Some(facts) = self.facts(atom) else {
                    return Interval::default();
                };
                product = product.multiply(facts.range.power(power));
            }
            sum = sum.add(product);
            if sum == Interval::default() {
                return sum;
            }
        }
        sum
    }

    /// Bounds of an atom's value, from those of its operands.
    pub(crate) fn atom_interval(&self, atom: &Atom) -> Interval {
        let of = |poly: &Poly| self.interval(poly);
        match atom {
            Atom::Symbol(_) => self
                .symbol_at(atom)
                .map_or_else(Interval::default, |symbol| Interval {
                    low: symbol.least,
                    high: symbol.greatest.as_ref().and_then(|high| of(high).high),
                }),
            Atom::NonNegative(_) | Atom::Zero(_) | Atom::Not(_) => Interval {
                low: Some(0),
                high: Some(1),
            },
            Atom::FloorDiv(a, b) => of(a).floor_div(of(b)),
            Atom::Mod(a, b) => of(a).modulo(of(b)),
            Atom::Min(a, b) => of(a).min(of(b)),
            Atom::Max(a, b) => of(a).max(of(b)),
            Atom::PowerOfTwo(p) => of(p).power_of_two(),
            Atom::BitLength(p) => of(p).bit_length(),
            Atom::Bitwise(operation, a, b) => of(a).bitwise(*operation, of(b)),
            Atom::Sum { body, .. } => Interval {
                low: of(body).low.filter(|&low| low >= 0).map(|_| 0),
                high: of(body).high.filter(|&high| high <= 0).map(|_| 0),
            },
        }
    }

    fn prove_nonnegative(&self, poly: &Poly, budget: &mut u32) -> bool {
        if let Some(plain) = self.plainly_nonnegative(poly) {
            return plain;
        }
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        let mut atoms: Vec<AtomId> = poly
            .atoms()
            .filter(|&id| self.has_symbolic_bound(id))
            .collect();
        // the latest atoms are made of earlier ones
        atoms.sort_unstable_by_key(|id| std::cmp::Reverse(id.index()));
        atoms.dedup();
        atoms.into_iter().any(|id| match self.loosened(poly, id) {
            None => false,
            Some(Looser::Any(looser)) => looser.iter().any(|p| self.prove_nonnegative(p, budget)),
            Some(Looser::All(looser)) => looser.iter().all(|p| self.prove_nonnegative(p, budget)),
        })
    }

    /// Whether replacing the atom by a bound can show more than its interval does.
    fn has_symbolic_bound(&self, id: AtomId) -> bool {
        match self.atom(id) {
            Some(Atom::Symbol(_)) => self
                .symbol(id)
                .and_then(|symbol| symbol.greatest.as_ref())
                .is_some_and(|greatest| greatest.as_integer().is_none()),
            Some(Atom::Min(..) | Atom::Max(..) | Atom::FloorDiv(..) | Atom::Mod(..)) => true,
            _ => false,
        }
    }

    /// Polynomials that are nowhere greater: an atom replaced by one of its bounds.
    fn loosened(&self, poly: &Poly, id: AtomId) -> Option<Looser> {
        let (coefficient, rest) = poly.linear_in(id)?;
        let sign = self.numerator_interval(&coefficient);
        let with = |bound: &Poly| rest.add(&coefficient.mul(bound));
        let atom = self.atom(id)?;
        if sign.high.is_some_and(|high| high <= 0) {
            self.loosened_above(atom, &coefficient, &rest, &with)
        } else if sign.low.is_some_and(|low| low >= 0) {
            self.loosened_below(atom, &coefficient, &rest, &with)
        } else {
            None
        }
    }

    /// Bounds from above, for an atom with a coefficient that is never positive.
    fn loosened_above(
        &self,
        atom: &Atom,
        coefficient: &Poly,
        rest: &Poly,
        with: &impl Fn(&Poly) -> Poly,
    ) -> Option<Looser> {
        match atom {
            Atom::Symbol(_) => {
                let greatest = self.symbol_at(atom)?.greatest.as_ref()?;
                Some(Looser::Any(vec![with(greatest)]))
            }
            Atom::Min(a, b) => Some(Looser::Any(vec![with(a), with(b)])),
            Atom::Max(a, b) => Some(Looser::All(vec![with(a), with(b)])),
            Atom::FloorDiv(a, b) => {
                if let Some(divisor) = b.as_integer().filter(|&d| d > 0) {
                    return Some(Looser::Any(vec![with(&a.divide_by(divisor))]));
                }
                // k b × floor(a / b) ≤ k a
                let multiple = coefficient.neg().divide_exactly(b)?.as_integer()?;
                (multiple >= 1).then(|| Looser::Any(vec![rest.sub(&a.scale(multiple))]))
            }
            Atom::Mod(a, b) => {
                let mut looser = vec![with(&b.add_integer(-1))];
                if self.least(a).is_some_and(|low| low >= 0) {
                    looser.push(with(a));
                }
                Some(Looser::Any(looser))
            }
            _ => None,
        }
    }

    /// Bounds from below, for an atom with a coefficient that is never negative.
    fn loosened_below(
        &self,
        atom: &Atom,
        coefficient: &Poly,
        rest: &Poly,
        with: &impl Fn(&Poly) -> Poly,
    ) -> Option<Looser> {
        match atom {
            Atom::Max(a, b) => Some(Looser::Any(vec![with(a), with(b)])),
            Atom::Min(a, b) => Some(Looser::All(vec![with(a), with(b)])),
            Atom::FloorDiv(a, b) => {
                if let Some(divisor) = b.as_integer().filter(|&d| d > 0) {
                    let floor = a.add_integer(1 - divisor).divide_by(divisor);
                    return Some(Looser::Any(vec![with(&floor)]));
                }
                // k b × floor(a / b) ≥ k (a - b + 1)
                let multiple = coefficient.divide_exactly(b)?.as_integer()?;
                let floor = a.sub(b).add_integer(1);
                (multiple >= 1).then(|| Looser::Any(vec![rest.add(&floor.scale(multiple))]))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
