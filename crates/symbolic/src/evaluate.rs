//! Evaluation at values of symbols.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom};
use crate::build::{bit_length, bitwise};
use crate::poly::{AtomId, Poly};
use crate::ratio::Ratio;
use crate::substitute::Values;

/// The most summands that the sums of one evaluation may have, weighted by what they are made of.
const STEPS: u64 = 4_000_000;
/// Atoms that are lighter than this are evaluated anew each time they occur.
const REMEMBERED: u32 = 6;

/// One evaluation.
struct Evaluation<'a> {
    arena: &'a Arena,
    values: &'a Values,
    /// Variables of the sums around the current atom, innermost last.
    bound: Vec<(AtomId, Ratio)>,
    /// Values of atoms that mention no such variable.
    done: FxHashMap<AtomId, Ratio>,
    steps: u64,
}

impl Arena {
    /// The value at the given values of symbols; `None` where a symbol has none, a division is by
    /// zero, a number leaves 128 bits, or sums take too many steps.
    pub fn evaluate(&self, poly: &Poly, values: &Values) -> Option<Ratio> {
        self.evaluate_within(poly, values, &mut { STEPS })
    }

    /// The same, within what is left of the `steps` of several evaluations.
    pub fn evaluate_within(&self, poly: &Poly, values: &Values, steps: &mut u64) -> Option<Ratio> {
        let allowed = STEPS.min(*steps);
        let mut evaluation = Evaluation {
            arena: self,
            values,
            bound: Vec::new(),
            done: FxHashMap::default(),
            steps: allowed,
        };
        let value = evaluation.poly(poly);
        *steps -= allowed - evaluation.steps;
        value
    }

    pub(crate) fn evaluate_with(&self, poly: &Poly, values: &mut Values) -> Option<Ratio> {
        self.evaluate(poly, values)
    }
}

impl Evaluation<'_> {
    fn poly(&mut self, poly: &Poly) -> Option<Ratio> {
        let mut sum = Ratio::ZERO;
        for (monomial, coefficient) in poly.terms() {
            let mut product = Ratio::integer(*coefficient);
            for &(atom, power) in monomial {
                if product == Ratio::ZERO {
                    break;
                }
                let factor = self.atom(atom)?;
                for _ in 0..power {
                    product = product.mul(factor)?;
                }
            }
            sum = sum.add(product)?;
        }
        if poly.denominator() == 1 {
            return Some(sum);
        }
        sum.mul(Ratio::new(1, poly.denominator())?)
    }

    fn whole(&mut self, poly: &Poly) -> Option<i128> {
        self.poly(poly)?.to_integer()
    }

    fn atom(&mut self, id: AtomId) -> Option<Ratio> {
        let bound = self
            .bound
            .iter()
            .rev()
            .find(|(variable, _)| *variable == id);
        if let Some(&(_, value)) = bound {
            return Some(value);
        }
        if let Some(&value) = self.values.get(&id) {
            return Some(value);
        }
        let facts = self.arena.facts(id)?;
        let mut variables = self.bound.iter();
        let remembered =
            facts.weight >= REMEMBERED && !variables.any(|&(variable, _)| facts.mentions(variable));
        if !remembered {
            return self.compound(id);
        }
        if let Some(&value) = self.done.get(&id) {
            return Some(value);
        }
        let value = self.compound(id)?;
        self.done.insert(id, value);
        Some(value)
    }

    fn compound(&mut self, id: AtomId) -> Option<Ratio> {
        let arena = self.arena;
        let indicator = |holds: bool| Some(Ratio::integer(i128::from(holds)));
        match arena.atom(id)? {
            Atom::Symbol(_) => None,
            Atom::FloorDiv(a, b) => {
                let a = self.poly(a)?;
                a.floor_div(self.poly(b)?)
            }
            Atom::Mod(a, b) => {
                let (a, b) = (self.poly(a)?, self.poly(b)?);
                a.add(b.mul(a.floor_div(b)?)?.mul(Ratio::integer(-1))?)
            }
            Atom::Min(a, b) => {
                let a = self.poly(a)?;
                Some(a.min(self.poly(b)?))
            }
            Atom::Max(a, b) => {
                let a = self.poly(a)?;
                Some(a.max(self.poly(b)?))
            }
            Atom::NonNegative(p) => indicator(self.poly(p)? >= Ratio::ZERO),
            Atom::Zero(p) => indicator(self.poly(p)? == Ratio::ZERO),
            Atom::Not(p) => {
                let value = self.poly(p)?;
                Ratio::ONE.add(value.mul(Ratio::integer(-1))?)
            }
            Atom::PowerOfTwo(p) => {
                let exponent = u32::try_from(self.whole(p)?).ok().filter(|&e| e < 127)?;
                Some(Ratio::integer(1 << exponent))
            }
            Atom::BitLength(p) => Some(Ratio::integer(bit_length(self.whole(p)?))),
            Atom::Bitwise(operation, a, b) => {
                let (a, b) = (self.whole(a)?, self.whole(b)?);
                Some(Ratio::integer(bitwise(*operation, a, b)))
            }
            Atom::Sum {
                variable,
                count,
                body,
            } => self.sum(*variable, count, body),
        }
    }

    fn sum(&mut self, variable: AtomId, count: &Poly, body: &Poly) -> Option<Ratio> {
        let count = self.whole(count)?;
        let weight = u64::from(self.arena.weight(body)).max(1);
        let mut sum = Ratio::ZERO;
        for value in 0..count {
            self.steps = self.steps.checked_sub(weight)?;
            self.bound.push((variable, Ratio::integer(value)));
            let summand = self.poly(body);
            self.bound.pop();
            sum = sum.add(summand?)?;
        }
        Some(sum)
    }
}
