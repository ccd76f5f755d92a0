//! Indicators: polynomials that are one where a condition holds and zero elsewhere.
//!
//! Conditions are brought into products of `p ≥ 0` with whole, coprime coefficients where they can be.
//! A complement that is not such a product stays one atom ([`Atom::Not`]): written out, a product of
//! `n` complements would have `2ⁿ` terms.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom};
use crate::build::constant_coefficient;
use crate::poly::{AtomId, Monomial, Poly};

/// Minima and maxima of a condition that are taken apart.
const EXTREMA: usize = 3;
/// Factors of a condition that are not one atom.
const FACTORS: usize = 32;
/// Terms of a condition in which a remainder is looked for.
const TERMS: usize = 16;

impl Arena {
    /// 1 where `p ≥ 0`, else 0.
    pub fn nonnegative(&mut self, p: &Poly) -> Poly {
        if p.is_overflow() {
            return Poly::overflow();
        }
        let normal = match self.normal_inequality(p) {
            Ok(normal) => normal,
            Err(value) => return value,
        };
        if let Some(indicator) = self.without_extremum(&normal) {
            return indicator;
        }
        if let Some((case, with, without)) = self.cases(&normal) {
            let (with, without) = (self.nonnegative(&with), self.nonnegative(&without));
            return self.either(&case, &with, &without);
        }
        self.make(Atom::NonNegative(normal))
    }

    fn normal_inequality(&mut self, p: &Poly) -> Result<Poly, Poly> {
        let mut p = p.clone();
        loop {
            if p.denominator() != 1 {
                p = p.scale(p.denominator());
            }
            if self.is_nonnegative(&p) {
                return Err(Poly::one());
            }
            if self.is_nonnegative(&p.neg().add_integer(-1)) {
                return Err(Poly::zero());
            }
            let content = p.content();
            if content > 1 {
                let offset = p.constant_term().rem_euclid(content);
                p = p.add_integer(-offset).divide_by(content);
            }
            let simpler = self.without_quotient(&p);
            match simpler.or_else(|| self.without_remainder(&p)) {
                Some(next) => p = next,
                None => return Ok(p),
            }
        }
    }

    /// Rewrites `c q + r ≥ 0`, where `r` always lies between `c k` and `c k + c - 1`, to `q + k ≥ 0`.
    fn without_remainder(&self, p: &Poly) -> Option<Poly> {
        if p.terms().len() > TERMS {
            return None;
        }
        let sizes = p
            .terms()
            .iter()
            .filter(|(monomial, _)| !monomial.is_empty());
        let mut sizes: Vec<i128> = sizes.map(|(_, c)| c.abs()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.into_iter().rev().filter(|&c| c > 1).find_map(|c| {
            let (quotient, rest) = p.split_coefficients(c);
            let range = self.interval(&rest);
            let block = range.low?.div_euclid(c);
            let within = block == range.high?.div_euclid(c);
            (within && rest.as_integer().is_none()).then(|| quotient.add_integer(block))
        })
    }

    /// Rewrites `floor(a / b) + r ≥ 0` to `a + r b ≥ 0` and `r - floor(a / b) ≥ 0` to
    /// `(r + 1) b - a - 1 ≥ 0`.
    fn without_quotient(&self, p: &Poly) -> Option<Poly> {
        p.atoms().find_map(|id| {
            let Some(Atom::FloorDiv(a, b)) = self.atom(id) else {
                return None;
            };
            if a.denominator() != 1 || b.denominator() != 1 || !self.is_divisor(b) {
                return None;
            }
            match constant_coefficient(p, id)? {
                (1, rest) => Some(a.add(&rest.mul(b))),
                (-1, rest) => Some(rest.add_integer(1).mul(b).sub(a).add_integer(-1)),
                _ => None,
            }
        })
    }

    /// Whether `p > 0` is proved, or `p` is no constant and never negative: divisors are taken to be
    /// positive wherever they divide.
    fn is_divisor(&self, p: &Poly) -> bool {
        self.is_positive(p) || (p.as_integer().is_none() && self.is_nonnegative(p))
    }

    /// Takes a minimum or maximum in `p ≥ 0` apart, where both of its operands must satisfy the
    /// condition.
    fn without_extremum(&mut self, p: &Poly) -> Option<Poly> {
        let (a, b) = self.operands_of_extremum(p, true, |_| true)?;
        Some(self.nonnegative(&a).mul(&self.nonnegative(&b)))
    }

    /// The two polynomials that `p` is, with a minimum or maximum replaced by each of its operands, of
    /// which both must be at least zero where `p` is, or one.
    pub(crate) fn operands_of_extremum(
        &self,
        p: &Poly,
        both: bool,
        choose: impl Fn(AtomId) -> bool,
    ) -> Option<(Poly, Poly)> {
        let is_extremum =
            |id: &AtomId| matches!(self.atom(*id), Some(Atom::Min(..) | Atom::Max(..)));
        let extrema: Vec<AtomId> = p.atoms().filter(is_extremum).collect();
        if extrema.len() > EXTREMA {
            return None;
        }
        extrema.into_iter().filter(|&id| choose(id)).find_map(|id| {
            let (coefficient, rest) = constant_coefficient(p, id)?;
            let (a, b, least) = match self.atom(id)? {
                Atom::Min(a, b) => (a, b, true),
                Atom::Max(a, b) => (a, b, false),
                _ => return None,
            };
            let with = |operand: &Poly| rest.add(&operand.scale(coefficient));
            ((least == (coefficient > 0)) == both).then(|| (with(a), with(b)))
        })
    }

    /// Drops indicators `p + k ≥ 0` beside `p + j ≥ 0` with a lesser constant `j`.
    pub(crate) fn without_weaker(&self, mut factors: Monomial) -> Monomial {
        let mut strongest: FxHashMap<Poly, i128> = FxHashMap::default();
        let parts = |id: AtomId| match self.atom(id) {
            Some(Atom::NonNegative(p)) => {
                let constant = p.constant_term();
                Some((p.add_integer(-constant), constant))
            }
            _ => None,
        };
        for &(id, _) in &factors {
            if let Some((p, constant)) = parts(id) {
                let least = strongest.entry(p).or_insert(constant);
                *least = constant.min(*least);
            }
        }
        if strongest.len() < factors.len() {
            factors.retain(|&mut (id, _)| {
                parts(id).is_none_or(|(p, constant)| strongest.get(&p) == Some(&constant))
            });
        }
        factors
    }

    /// 1 where `p < 0`, else 0, for a whole-numbered polynomial.
    pub(crate) fn negative(&mut self, p: &Poly) -> Poly {
        self.nonnegative(&p.neg().add_integer(-1))
    }

    /// 1 where `p = 0`, else 0.
    pub fn zero(&mut self, p: &Poly) -> Poly {
        let mut p = if p.denominator() == 1 {
            p.clone()
        } else {
            p.scale(p.denominator())
        };
        if p.is_zero() {
            return Poly::one();
        }
        if p.is_overflow() {
            return p;
        }
        if self.is_positive(&p) || self.is_positive(&p.neg()) {
            return Poly::zero();
        }
        let content = p.content();
        if content > 1 {
            if p.constant_term() % content != 0 {
                return Poly::zero();
            }
            p = p.divide_by(content);
        }
        if self.is_nonnegative(&p) {
            return self.nonnegative(&p.neg());
        }
        if self.is_nonnegative(&p.neg()) {
            return self.nonnegative(&p);
        }
        if let Some((case, with, without)) = self.cases(&p) {
            let (with, without) = (self.zero(&with), self.zero(&without));
            return self.either(&case, &with, &without);
        }
        let negated = p.neg();
        let p = if p <= negated { p } else { negated };
        self.make(Atom::Zero(p))
    }

    /// The indicator `with` where `case` is 1, else `without`, as a product where it is one.
    fn either(&mut self, case: &Poly, with: &Poly, without: &Poly) -> Poly {
        let other = self.complement(case);
        if with.is_zero() {
            return self.both(&other, without);
        }
        if without.is_zero() {
            return self.both(case, with);
        }
        // neither in the one case nor in the other
        let (fails, misses) = (self.complement(with), self.complement(without));
        if fails.is_zero() {
            let gone = self.both(&other, &misses);
            return self.complement(&gone);
        }
        if misses.is_zero() {
            let gone = self.both(case, &fails);
            return self.complement(&gone);
        }
        self.choose(case, with, without)
    }

    /// `1 - p` for an indicator or a fraction.
    pub fn complement(&mut self, p: &Poly) -> Poly {
        let opposite = Poly::one().sub(p);
        if matches!(opposite.terms(), [(_, 1)]) && opposite.denominator() == 1
            || opposite.as_constant().is_some()
            || opposite.is_overflow()
        {
            return opposite;
        }
        match p.as_atom().and_then(|id| self.atom(id)) {
            Some(Atom::NonNegative(q)) => {
                let q = q.clone();
                self.negative(&q)
            }
            Some(Atom::Not(q)) => q.clone(),
            _ => self.make(Atom::Not(p.clone())),
        }
    }

    /// A product of indicators, without those that others imply.
    pub(crate) fn both(&mut self, a: &Poly, b: &Poly) -> Poly {
        let product = a.mul(b);
        match product.terms() {
            [(monomial, 1)] if product.denominator() == 1 => {
                let shorter = self.without_weaker(monomial.clone());
                self.compact(&Poly::monomial(shorter))
            }
            _ => product,
        }
    }

    /// An indicator as one term with few factors: products of many indicators stay short.
    pub(crate) fn compact(&mut self, p: &Poly) -> Poly {
        let long = |monomial: &Monomial| monomial.len() > FACTORS;
        match p.terms() {
            [] => return p.clone(),
            [(monomial, _)] if !long(monomial) => return p.clone(),
            _ => {}
        }
        let opposite = Poly::one().sub(p);
        self.make(Atom::Not(opposite))
    }

    /// `accept` where the indicator is 1, `reject` where it is 0.
    pub fn choose(&mut self, indicator: &Poly, accept: &Poly, reject: &Poly) -> Poly {
        reject.add(&indicator.mul(&accept.sub(reject)))
    }
}

#[cfg(test)]
mod tests;
