//! Proofs about ranges: is a polynomial never negative?
//!
//! Interval arithmetic over the bounds of symbols, then substitution of symbolic upper bounds
//! (`wid.x ≤ wg.x - 1`). A proof that is not found is `false`; nothing relies on its absence.

use crate::arena::{Arena, Atom};
use crate::poly::{AtomId, Poly};

/// Atoms within atoms that interval arithmetic looks into.
const DEPTH: u32 = 4;
/// Replacements that one proof tries.
const BUDGET: u32 = 12;

/// Bounds of a value; `None` is unbounded or unknown.
#[derive(Clone, Copy, Debug, Default)]
struct Interval {
    low: Option<i128>,
    high: Option<i128>,
}

impl Interval {
    fn exact(value: i128) -> Interval {
        Interval {
            low: Some(value),
            high: Some(value),
        }
    }

    fn multiply(self, other: Interval) -> Interval {
        if let (Some(a), Some(b), Some(c), Some(d)) = (self.low, self.high, other.low, other.high) {
            let products = [
                a.checked_mul(c),
                a.checked_mul(d),
                b.checked_mul(c),
                b.checked_mul(d),
            ];
            if products.contains(&None) {
                return Interval::default();
            }
            let products = products.into_iter().flatten();
            return Interval {
                low: products.clone().min(),
                high: products.max(),
            };
        }
        match (self.low, other.low) {
            (Some(a), Some(c)) if a >= 0 && c >= 0 => Interval {
                low: a.checked_mul(c),
                high: self
                    .high
                    .zip(other.high)
                    .and_then(|(b, d)| b.checked_mul(d)),
            },
            _ => Interval::default(),
        }
    }

    fn scale(self, factor: i128) -> Interval {
        let by = |bound: Option<i128>| bound.and_then(|b| b.checked_mul(factor));
        if factor >= 0 {
            Interval {
                low: by(self.low),
                high: by(self.high),
            }
        } else {
            Interval {
                low: by(self.high),
                high: by(self.low),
            }
        }
    }

    fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Interval {
            low: sum(self.low, other.low),
            high: sum(self.high, other.high),
        }
    }
}

impl Arena {
    /// Whether `poly ≥ 0` is proved, for all values of its symbols.
    pub fn is_nonnegative(&self, poly: &Poly) -> bool {
        let mut budget = BUDGET;
        self.prove_nonnegative(poly, &mut budget)
    }

    /// Whether `a ≤ b` is proved.
    pub fn is_at_most(&self, a: &Poly, b: &Poly) -> bool {
        self.is_nonnegative(&b.sub(a))
    }

    /// A constant lower bound, where one is proved.
    pub fn least(&self, poly: &Poly) -> Option<i128> {
        let low = self.interval(poly, DEPTH).low?;
        Some(low.div_euclid(poly.denominator()))
    }

    /// A constant upper bound, where one is proved.
    pub fn greatest(&self, poly: &Poly) -> Option<i128> {
        let high = self.interval(poly, DEPTH).high?;
        Some(high.div_euclid(poly.denominator()))
    }

    /// The interval of the numerator.
    fn interval(&self, poly: &Poly, depth: u32) -> Interval {
        let mut sum = Interval::exact(0);
        for (monomial, coefficient) in poly.terms() {
            let mut product = Interval::exact(1);
            for &(atom, power) in monomial {
                let factor = self.atom_interval(atom, depth);
                for _ in 0..power {
                    product = product.multiply(factor);
                }
            }
            sum = sum.add(product.scale(*coefficient));
        }
        sum
    }

    fn atom_interval(&self, id: AtomId, depth: u32) -> Interval {
        if depth == 0 {
            return Interval::default();
        }
        let bounds = |poly: &Poly| {
            let interval = self.interval(poly, depth - 1);
            let by = |b: Option<i128>| b.map(|b| b.div_euclid(poly.denominator()));
            Interval {
                low: by(interval.low),
                high: by(interval.high),
            }
        };
        match self.atom(id) {
            None => Interval::default(),
            Some(Atom::Symbol(_)) => self.symbol(id).map_or_else(Interval::default, |symbol| {
                let high = symbol.greatest.as_ref();
                Interval {
                    low: symbol.least,
                    high: high.and_then(|high| bounds(high).high),
                }
            }),
            Some(Atom::NonNegative(_) | Atom::Zero(_)) => Interval {
                low: Some(0),
                high: Some(1),
            },
            Some(Atom::FloorDiv(a, b)) => {
                let (a, b) = (bounds(a), bounds(b));
                match (a.low, b.low) {
                    (Some(low), Some(divisor)) if low >= 0 && divisor >= 1 => Interval {
                        low: Some(b.high.map_or(0, |high| low.div_euclid(high.max(1)))),
                        high: a.high.map(|high| high.div_euclid(divisor)),
                    },
                    _ => Interval::default(),
                }
            }
            Some(Atom::Mod(a, b)) => {
                let (a, b) = (bounds(a), bounds(b));
                let within = b.high.map(|high| high - 1);
                let high = match (a.low, a.high) {
                    (Some(0..), Some(high)) => Some(within.map_or(high, |within| within.min(high))),
                    _ => within,
                };
                Interval { low: Some(0), high }
            }
            Some(Atom::Min(a, b)) => {
                let (a, b) = (bounds(a), bounds(b));
                let high = match (a.high, b.high) {
                    (Some(x), Some(y)) => Some(x.min(y)),
                    (x, y) => x.or(y),
                };
                Interval {
                    low: a.low.zip(b.low).map(|(x, y)| x.min(y)),
                    high,
                }
            }
            Some(Atom::Max(a, b)) => {
                let (a, b) = (bounds(a), bounds(b));
                let low = match (a.low, b.low) {
                    (Some(x), Some(y)) => Some(x.max(y)),
                    (x, y) => x.or(y),
                };
                Interval {
                    low,
                    high: a.high.zip(b.high).map(|(x, y)| x.max(y)),
                }
            }
            Some(Atom::PowerOfTwo(p)) => {
                let high = bounds(p).high.and_then(|high| u32::try_from(high).ok());
                Interval {
                    low: Some(1),
                    high: high.and_then(|high| 1i128.checked_shl(high)),
                }
            }
            Some(Atom::BitLength(p)) => {
                let high = bounds(p)
                    .high
                    .map(|high| i128::from(128 - high.max(0).leading_zeros()));
                Interval { low: Some(0), high }
            }
            Some(Atom::Bitwise(_, a, b)) => {
                let both = (bounds(a).low, bounds(b).low);
                let low = matches!(both, (Some(0..), Some(0..))).then_some(0);
                Interval { low, high: None }
            }
            Some(Atom::Sum { body, .. }) => {
                let low = self
                    .interval(body, depth - 1)
                    .low
                    .filter(|&low| low >= 0)
                    .map(|_| 0);
                Interval { low, high: None }
            }
        }
    }

    fn prove_nonnegative(&self, poly: &Poly, budget: &mut u32) -> bool {
        if self.interval(poly, DEPTH).low.is_some_and(|low| low >= 0) {
            return true;
        }
        if *budget == 0 || poly.terms().len() > 12 {
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
        atoms.into_iter().any(|id| {
            let looser = self.loosened(poly, id);
            looser
                .iter()
                .any(|looser| self.prove_nonnegative(looser, budget))
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
    fn loosened(&self, poly: &Poly, id: AtomId) -> Vec<Poly> {
        let Some((coefficient, rest)) = poly.linear_in(id) else {
            return Vec::new();
        };
        let sign = self.interval(&coefficient, DEPTH);
        let with = |bound: &Poly| rest.add(&coefficient.mul(bound));
        let Some(atom) = self.atom(id) else {
            return Vec::new();
        };
        if sign.high.is_some_and(|high| high <= 0) {
            self.from_above(atom, id, &coefficient, &rest, &with)
        } else if sign.low.is_some_and(|low| low >= 0) {
            self.from_below(atom, &coefficient, &rest, &with)
        } else {
            Vec::new()
        }
    }

    /// Bounds from above, for an atom with a coefficient that is never positive.
    fn from_above(
        &self,
        atom: &Atom,
        id: AtomId,
        coefficient: &Poly,
        rest: &Poly,
        with: &impl Fn(&Poly) -> Poly,
    ) -> Vec<Poly> {
        match atom {
            Atom::Symbol(_) => {
                let greatest = self.symbol(id).and_then(|symbol| symbol.greatest.as_ref());
                greatest.map(with).into_iter().collect()
            }
            Atom::Min(a, b) => vec![with(a), with(b)],
            Atom::FloorDiv(a, b) => {
                if let Some(divisor) = b.as_integer().filter(|&d| d > 0) {
                    return vec![with(&a.divide_by(divisor))];
                }
                // k b × floor(a / b) ≤ k a
                let multiple = coefficient
                    .neg()
                    .divide_exactly(b)
                    .and_then(|k| k.as_integer());
                let multiple = multiple.filter(|&k| k >= 1);
                multiple
                    .map(|k| rest.sub(&a.scale(k)))
                    .into_iter()
                    .collect()
            }
            Atom::Mod(a, b) => {
                let mut looser = vec![with(&b.add_integer(-1))];
                if self.least(a).is_some_and(|low| low >= 0) {
                    looser.push(with(a));
                }
                looser
            }
            _ => Vec::new(),
        }
    }

    /// Bounds from below, for an atom with a coefficient that is never negative.
    fn from_below(
        &self,
        atom: &Atom,
        coefficient: &Poly,
        rest: &Poly,
        with: &impl Fn(&Poly) -> Poly,
    ) -> Vec<Poly> {
        match atom {
            Atom::Max(a, b) => vec![with(a), with(b)],
            Atom::FloorDiv(a, b) => {
                if let Some(divisor) = b.as_integer().filter(|&d| d > 0) {
                    return vec![with(&a.add_integer(1 - divisor).divide_by(divisor))];
                }
                // b × floor(a / b) ≥ a - b + 1
                let multiple = coefficient.divide_exactly(b);
                let floor = a.sub(b).add_integer(1);
                multiple
                    .map(|k| rest.add(&k.mul(&floor)))
                    .into_iter()
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}
