//! Indicators at given values as conditions on lanes: products of tests, and what is not a product.

use crate::arena::{Arena, Atom};
use crate::concrete::ConcretePart;
use crate::lanes::Test;
use crate::poly::{AtomId, Monomial, Poly};

/// A condition on a polynomial.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) test: Test,
    pub(crate) poly: Poly,
}

/// A condition that is not a product: `Σ c Π [test]` is not zero.
#[derive(Clone, Debug)]
pub(crate) struct Combination {
    pub(crate) tests: Vec<Condition>,
    /// Coefficients, each with the tests of its product.
    pub(crate) terms: Vec<(i128, Vec<usize>)>,
}

impl Combination {
    /// Whether it holds, given which of the tests do.
    pub(crate) fn holds(&self, tests: &[bool]) -> bool {
        let terms = self.terms.iter();
        let products = terms.filter(|(_, product)| product.iter().all(|&test| tests[test]));
        products.map(|(coefficient, _)| coefficient).sum::<i128>() != 0
    }
}

impl ConcretePart {
    /// Adds an indicator that is written out: its factors as conditions, and what is not a product as a
    /// combination.
    pub(crate) fn require(&mut self, arena: &Arena, indicator: &Poly) -> Option<()> {
        if indicator.is_zero() {
            let (test, poly) = (Test::NonNegative, Poly::integer(-1));
            self.conditions.push(Condition { test, poly });
            return Some(());
        }
        let (common, others) = common_factors(indicator);
        let common = common.iter().map(|&(id, _)| condition(arena, id));
        self.conditions.extend(common);
        if others.as_integer().is_some() {
            return Some(());
        }
        let mut tests = Vec::new();
        let mut ids: Vec<AtomId> = Vec::new();
        let mut terms = Vec::new();
        for (monomial, coefficient) in others.terms() {
            let mut product = Vec::new();
            for &(id, _) in monomial {
                if !id.is_idempotent() {
                    return None;
                }
                let known = ids.iter().position(|&other| other == id);
                product.push(known.unwrap_or(ids.len()));
                if known.is_none() {
                    ids.push(id);
                    tests.push(condition(arena, id));
                }
            }
            terms.push((*coefficient, product));
        }
        self.combinations.push(Combination { tests, terms });
        Some(())
    }
}

impl Arena {
    /// An indicator with its complements written out, as far as few terms come of it.
    pub(crate) fn written_out(&self, indicator: &Poly) -> Poly {
        const TERMS: usize = 32;
        let mut sum = Poly::zero();
        for (monomial, coefficient) in indicator.terms() {
            let mut product = Poly::integer(*coefficient);
            for &(id, power) in monomial {
                let factor = match self.atom(id) {
                    Some(Atom::Not(p)) => Poly::one().sub(&self.written_out(p)),
                    _ => Poly::monomial([(id, power)].into_iter().collect()),
                };
                product = product.mul(&factor);
                if product.terms().len() > TERMS {
                    return indicator.clone();
                }
            }
            sum = sum.add(&product);
        }
        sum.divide_by(indicator.denominator())
    }
}

fn condition(arena: &Arena, id: AtomId) -> Condition {
    let (test, poly) = match arena.atom(id) {
        Some(Atom::NonNegative(p)) => (Test::NonNegative, p.clone()),
        Some(Atom::Zero(p)) => (Test::Zero, p.clone()),
        _ => (Test::NonZero, Poly::atom(id)),
    };
    Condition { test, poly }
}

/// The factors that all monomials have in common, and what is left.
pub(crate) fn common_factors(poly: &Poly) -> (Monomial, Poly) {
    let mut monomials = poly.terms().iter().map(|(monomial, _)| monomial);
    let Some(first) = monomials.next() else {
        return (Monomial::new(), Poly::zero());
    };
    let mut common = first.clone();
    for monomial in monomials {
        common.retain(|factor| monomial.contains(factor));
    }
    let mut others = Poly::zero();
    for (monomial, coefficient) in poly.terms() {
        let rest = monomial.iter().filter(|factor| !common.contains(factor));
        let rest: Monomial = rest.copied().collect();
        others = others.add(&Poly::monomial(rest).scale(*coefficient));
    }
    (common, others.divide_by(poly.denominator()))
}
