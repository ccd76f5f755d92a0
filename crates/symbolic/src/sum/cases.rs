//! Steps that split a summand into cases, and what is left when no step applies.

use crate::arena::{Arena, Atom};
use crate::poly::{AtomId, Monomial, Poly};

use super::{Variable, others};

/// Values of a variable that are written out one by one.
const WRITTEN_OUT: i128 = 64;
/// Atoms that writing out may make.
const LONGEST: i128 = 6000;
/// Monomials that writing out may pass through.
const ATTEMPT: u32 = 200;
/// A sum that is written out may weigh this much, and the summand twice, before it is left as a sum.
const WEIGHT: u32 = 60;

impl Arena {
    /// Writes a complement that mentions a variable as a sum: `1 - p`, or where a variable has no other
    /// bound, `x + (1 - x) y + …` for the complement of `(1 - x) (1 - y) …`.
    pub(super) fn split_complement(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        let (at, indicator) = factors.iter().enumerate().find_map(|(at, &(id, _))| {
            let Some(Atom::Not(p)) = self.atom(id) else {
                return None;
            };
            let mentioned = variables.iter().any(|v| self.atom_mentions(id, v.symbol));
            mentioned.then(|| (at, p.clone()))
        })?;
        let mut rest = factors.clone();
        let (id, _) = rest.remove(at);
        let bounds = variables
            .iter()
            .any(|v| v.count.is_none() && self.atom_mentions(id, v.symbol));
        let cases = match indicator.terms() {
            [(product, 1)] if bounds && indicator.denominator() == 1 => {
                let mut cases = Poly::zero();
                let mut none = Poly::one();
                for &(factor, _) in &product.clone() {
                    let factor = Poly::atom(factor);
                    let case = self.complement(&factor);
                    cases = cases.add(&none.mul(&case));
                    none = none.mul(&factor);
                }
                cases
            }
            _ => Poly::one().sub(&indicator),
        };
        Some((variables.to_vec(), cases.mul(&Poly::monomial(rest))))
    }

    /// Writes a condition on a minimum or maximum that mentions a variable as one condition or another.
    pub(super) fn split_condition(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        let mentioned = |id: AtomId| variables.iter().any(|v| self.atom_mentions(id, v.symbol));
        let (at, (a, b)) = factors.iter().enumerate().find_map(|(at, &(id, _))| {
            let Some(Atom::NonNegative(p)) = self.atom(id) else {
                return None;
            };
            Some((at, self.operands_of_extremum(p, false, mentioned)?))
        })?;
        let mut rest = factors.clone();
        rest.remove(at);
        let (first, second) = (self.nonnegative(&a), self.nonnegative(&b));
        let otherwise = self.negative(&a).mul(&second);
        let body = first.add(&otherwise).mul(&Poly::monomial(rest));
        Some((variables.to_vec(), body))
    }

    /// `Σ max(0, min(a, r - b w))` over `w` with constants `0 < a ≤ b`: blocks of `a` that start `b`
    /// apart, cut off at `r`.
    pub(super) fn sum_of_clamps(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        for at in (0..variables.len()).rev() {
            if self.is_in_counts(variables, at) {
                continue;
            }
            let w = variables[at].symbol;
            let mut mentioning = factors.iter().filter(|&&(id, _)| self.atom_mentions(id, w));
            let (Some(&(id, 1)), None) = (mentioning.next(), mentioning.next()) else {
                continue;
            };
            let Some(count) = variables[at].count.clone() else {
                continue;
            };
            let Some((block, r, pitch)) = self.as_clamp(id, w) else {
                continue;
            };
            let end = self.min(&r, &count.scale(pitch));
            let end = self.max(&end, &Poly::zero());
            let pitch = Poly::integer(pitch);
            let whole = self.floor_div(&end, &pitch).scale(block);
            let part = self.modulo(&end, &pitch);
            let part = self.min(&part, &Poly::integer(block));
            let rest: Monomial = factors.iter().filter(|f| f.0 != id).copied().collect();
            let body = whole.add(&part).mul(&Poly::monomial(rest));
            return Some((others(variables, at), body));
        }
        None
    }

    /// `a`, `r` and `b` where the atom is `max(0, min(a, r - b w))`, or the same the other way
    /// around, with constants `0 < a ≤ b`.
    fn as_clamp(&self, id: AtomId, w: AtomId) -> Option<(i128, Poly, i128)> {
        let (outer, least_inside) = match self.atom(id)? {
            Atom::Max(x, y) => ([x, y], true),
            Atom::Min(x, y) => ([x, y], false),
            _ => return None,
        };
        let constant = outer.iter().find_map(|p| p.as_integer())?;
        let inner = outer.iter().find_map(|p| p.as_atom())?;
        let inner = match (self.atom(inner)?, least_inside) {
            (Atom::Min(x, y), true) | (Atom::Max(x, y), false) => [x, y],
            _ => return None,
        };
        let other = inner.iter().find_map(|p| p.as_integer())?;
        let (floor, block) = if least_inside {
            (constant, other)
        } else {
            (other, constant)
        };
        let linear = inner.iter().find(|p| p.as_integer().is_none())?;
        let (a, r) = linear.linear_in(w)?;
        let pitch = -a.as_integer()?;
        let fits = floor == 0 && 0 < block && block <= pitch && !self.mentions(&r, w);
        fits.then_some((block, r, pitch))
    }

    /// Replaces a minimum or maximum that mentions a variable by its two cases.
    pub(super) fn split_extremum(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        for &(id, exponent) in factors {
            let (a, b, least) = match self.atom(id)? {
                Atom::Min(a, b) => (a.clone(), b.clone(), true),
                Atom::Max(a, b) => (a.clone(), b.clone(), false),
                _ => continue,
            };
            if !variables.iter().any(|v| self.atom_mentions(id, v.symbol)) {
                continue;
            }
            let ordered = self.nonnegative(&b.sub(&a));
            let (first, second) = if least { (a, b) } else { (b, a) };
            let value = self.choose(&ordered, &first, &second);
            let mut body = Poly::monomial(factors.iter().filter(|f| f.0 != id).copied().collect());
            for _ in 0..exponent {
                body = body.mul(&value);
            }
            return Some((variables.to_vec(), body));
        }
        None
    }

    /// Splits a factor in which an indicator decides between two values, as `select` and merged
    /// assignments leave it, into both cases.
    pub(super) fn split_choice(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        let (at, id, choice) = factors.iter().enumerate().find_map(|(at, &(id, _))| {
            let mentioned = variables.iter().any(|v| self.atom_mentions(id, v.symbol));
            let choice = self.choice_in(self.atom(id)?).filter(|_| mentioned)?;
            Some((at, id, choice))
        })?;
        let chosen = self.with_choice(id, choice, true)?;
        let rejected = self.with_choice(id, choice, false)?;
        let indicator = Poly::atom(choice);
        let otherwise = self.complement(&indicator);
        let value = indicator.mul(&chosen).add(&otherwise.mul(&rejected));
        let mut rest = factors.clone();
        let (_, exponent) = rest.remove(at);
        let mut body = Poly::monomial(rest);
        for _ in 0..exponent {
            body = body.mul(&value);
        }
        Some((variables.to_vec(), body))
    }

    /// An indicator among the terms of an atom's operands.
    fn choice_in(&self, atom: &Atom) -> Option<AtomId> {
        let mut choice = None;
        if !matches!(atom, Atom::Not(_) | Atom::Sum { .. }) {
            atom.for_each_operand(|operand| {
                let mut atoms = operand.atoms();
                choice = choice.or_else(|| atoms.find(|id| id.is_idempotent()));
            });
        }
        choice.filter(|&id| self.symbol(id).is_none())
    }

    /// An atom, with an indicator among its operands' terms replaced by its value.
    fn with_choice(&mut self, id: AtomId, choice: AtomId, holds: bool) -> Option<Poly> {
        let with = |p: &Poly| {
            let (coefficient, rest) = p.linear_in(choice)?;
            Some(if holds { rest.add(&coefficient) } else { rest })
        };
        match self.atom(id)?.clone() {
            Atom::NonNegative(p) => Some(self.nonnegative(&with(&p)?)),
            Atom::Zero(p) => Some(self.zero(&with(&p)?)),
            Atom::FloorDiv(a, b) => Some(self.floor_div(&with(&a)?, &with(&b)?)),
            Atom::Mod(a, b) => Some(self.modulo(&with(&a)?, &with(&b)?)),
            Atom::Min(a, b) => Some(self.min(&with(&a)?, &with(&b)?)),
            Atom::Max(a, b) => Some(self.max(&with(&a)?, &with(&b)?)),
            Atom::PowerOfTwo(p) => Some(self.power_of_two(&with(&p)?)),
            Atom::BitLength(p) => Some(self.bit_length(&with(&p)?)),
            _ => None,
        }
    }

    /// Writes out the values of a variable with a small constant count, unless that is much longer
    /// than the sum.
    pub(super) fn write_out(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
        budget: &mut u32,
    ) -> Option<Poly> {
        let at = (0..variables.len()).rev().find(|&at| {
            let count = variables[at].count.as_ref().and_then(Poly::as_integer);
            count.is_some_and(|count| count <= WRITTEN_OUT) && !self.is_in_counts(variables, at)
        })?;
        let count = variables[at].count.as_ref()?.as_integer()?;
        if count
            .max(1)
            .saturating_mul(self.monomial_weight(factors).into())
            > LONGEST
        {
            return None;
        }
        let body = Poly::monomial(factors.clone());
        let mut written = Poly::zero();
        for value in 0..count {
            let summand = self.replace(&body, variables[at].symbol, &Poly::integer(value));
            written = written.add(&summand);
        }
        let mut attempt = (*budget).min(ATTEMPT);
        *budget -= attempt;
        let sum = self.sum_within(others(variables, at), &written, &mut attempt);
        *budget += attempt;
        let most = WEIGHT + 2 * self.weight(&body).min(WEIGHT);
        (self.weight(&sum) <= most && !sum.is_overflow()).then_some(sum)
    }

    /// Leaves the rest as nested sums. A variable without a count gets one that is large enough: its
    /// indicators are among the factors.
    pub(super) fn leave(&mut self, variables: &[Variable], factors: &Monomial) -> Poly {
        let counts = variables.iter().map(|variable| match &variable.count {
            Some(count) => Some(count.clone()),
            None => self.large_enough(variable.symbol, factors),
        });
        let counts: Option<Vec<Poly>> = counts.collect();
        self.nested(variables, counts, &Poly::monomial(factors.clone()))
    }

    /// Leaves everything as nested sums, up to the bounds of the symbols of variables without a count.
    pub(super) fn leave_within_limits(&mut self, variables: &[Variable], body: &Poly) -> Poly {
        let counts = variables.iter().map(|variable| match &variable.count {
            Some(count) => Some(count.clone()),
            None => {
                let symbol = self.symbol(variable.symbol)?;
                Some(symbol.greatest.as_ref()?.add_integer(1))
            }
        });
        let counts: Option<Vec<Poly>> = counts.collect();
        self.nested(variables, counts, body)
    }

    /// Sums within sums, each after those that its count mentions.
    fn nested(&mut self, variables: &[Variable], counts: Option<Vec<Poly>>, body: &Poly) -> Poly {
        let symbols = variables.iter().map(|variable| variable.symbol);
        let mut left: Vec<(AtomId, Poly)> = symbols.zip(counts.unwrap_or_default()).collect();
        if left.len() < variables.len() {
            return Poly::overflow();
        }
        let mut ordered = Vec::new();
        while !left.is_empty() {
            let free = left.iter().position(|(_, count)| {
                !left.iter().any(|(symbol, _)| self.mentions(count, *symbol))
            });
            let Some(free) = free else {
                return Poly::overflow();
            };
            ordered.push(left.remove(free));
        }
        let mut sum = body.clone();
        for (symbol, count) in ordered.iter().rev() {
            sum = self.plain_sum(*symbol, count, &sum);
        }
        sum
    }

    fn large_enough(&mut self, v: AtomId, factors: &Monomial) -> Option<Poly> {
        let (r, a) = factors.iter().find_map(|&(id, _)| {
            let Some(Atom::NonNegative(p)) = self.atom(id) else {
                return None;
            };
            let (a, r) = p.linear_in(v)?;
            let falls = self.is_positive(&a.neg()) || self.is_step(&a.neg());
            let apart = !self.mentions(&a, v) && !self.mentions(&r, v);
            (falls && apart).then(|| (r, a.neg()))
        })?;
        Some(self.floor_div(&r, &a).add_integer(1))
    }
}
