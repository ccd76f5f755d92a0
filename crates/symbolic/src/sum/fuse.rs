//! Steps that change the variables of a sum: counts from indicators, `n·u + v` as one variable,
//! `v / d` and `v % d` as two.

use crate::arena::{Arena, Atom};
use crate::poly::{AtomId, Monomial, Poly};

use super::Variable;

impl Arena {
    /// Gives a variable without a count the one that an indicator sets by itself.
    pub(super) fn bound(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        for at in (0..variables.len()).filter(|&at| variables[at].count.is_none()) {
            let v = variables[at].symbol;
            let found = factors.iter().enumerate().find_map(|(index, &(id, _))| {
                let (r, a) = self.upper_bound(id, v)?;
                let alone = !variables.iter().any(|w| self.mentions(&r, w.symbol));
                alone.then_some((index, r, a))
            });
            let Some((index, r, a)) = found else { continue };
            let count = self.floor_div(&r, &Poly::integer(a)).add_integer(1);
            let count = self.max(&count, &Poly::zero());
            let bounded = self.summation_symbol(Some(&count));
            let mut rest = factors.clone();
            rest.remove(index);
            let body = self.replace(&Poly::monomial(rest), v, &Poly::atom(bounded));
            let mut variables = variables.to_vec();
            variables[at] = Variable {
                symbol: bounded,
                count: Some(count),
            };
            return Some((variables, body));
        }
        None
    }

    /// `r` and `a > 0` where the factor is `r - a v ≥ 0`.
    pub(super) fn upper_bound(&self, factor: AtomId, v: AtomId) -> Option<(Poly, i128)> {
        let Some(Atom::NonNegative(p)) = self.atom(factor) else {
            return None;
        };
        let (a, r) = p.linear_in(v)?;
        let a = a.as_integer().filter(|&a| a < 0)?;
        (!self.mentions(&r, v)).then_some((r, -a))
    }

    /// Fuses `u` and `v` into `g = n·u + v`.
    pub(super) fn fuse(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        for inner in 0..variables.len() {
            let Some(n) = variables[inner].count.clone() else {
                continue;
            };
            if self.is_in_counts(variables, inner) {
                continue;
            }
            for outer in (0..variables.len()).filter(|&outer| outer != inner) {
                let (u, v) = (variables[outer].symbol, variables[inner].symbol);
                let counted = variables[outer].count.as_ref();
                if self.is_in_counts(variables, outer)
                    || counted.is_some_and(|m| self.mentions(m, v))
                    || !self.is_fusible(factors, u, v, &n)
                {
                    continue;
                }
                let count = counted.map(|m| m.mul(&n));
                let g = self.summation_symbol(count.as_ref());
                let by = Poly::atom(g).sub(&n.mul(&Poly::atom(u)));
                let fused = self.replace(&Poly::monomial(factors.clone()), v, &by);
                if self.mentions(&fused, u) {
                    continue;
                }
                let mut rest = variables.to_vec();
                rest[outer] = Variable { symbol: g, count };
                rest.remove(inner);
                return Some((rest, fused));
            }
        }
        None
    }

    /// Whether every factor that mentions one of the two mentions both, in the right ratio.
    fn is_fusible(&self, factors: &Monomial, u: AtomId, v: AtomId, n: &Poly) -> bool {
        let mut any = false;
        for &(id, _) in factors {
            let (has_u, has_v) = (self.atom_mentions(id, u), self.atom_mentions(id, v));
            if has_u != has_v || id == u || id == v {
                return false;
            }
            any |= has_u;
            if let Some(Atom::NonNegative(p) | Atom::Zero(p)) = self.atom(id)
                && let (Some((a, _)), Some((b, _))) = (p.linear_in(u), p.linear_in(v))
                && !(a.is_zero() && b.is_zero())
                && a != b.mul(n)
            {
                return false;
            }
        }
        any
    }

    /// Splits `v` into `d·q + r` where `v / d` or `v % d` occurs.
    pub(super) fn split(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        for at in 0..variables.len() {
            if self.is_in_counts(variables, at) {
                continue;
            }
            let v = variables[at].symbol;
            let Some(divisor) = self.divisor_of(factors, v) else {
                continue;
            };
            let mut symbols = variables.iter().map(|other| other.symbol);
            if symbols.any(|symbol| self.mentions(&divisor, symbol)) {
                continue;
            }
            let count = variables[at].count.clone();
            let quotients = count.as_ref().map(|n| self.ceil_div(n, &divisor));
            let q = self.summation_symbol(quotients.as_ref());
            let r = self.summation_symbol(Some(&divisor));
            let whole = divisor.mul(&Poly::atom(q)).add(&Poly::atom(r));
            let mut split = self.replace(&Poly::monomial(factors.clone()), v, &whole);
            if let Some(n) = &count
                && n.divide_exactly(&divisor).is_none()
            {
                let inside = self.nonnegative(&n.sub(&whole).add_integer(-1));
                split = split.mul(&inside);
            }
            let mut rest = variables.to_vec();
            rest[at] = Variable {
                symbol: q,
                count: quotients,
            };
            let remainder = Variable {
                symbol: r,
                count: Some(divisor),
            };
            rest.insert(at + 1, remainder);
            return Some((rest, split));
        }
        None
    }

    /// The divisor of a quotient or remainder of the variable itself.
    fn divisor_of(&self, factors: &Monomial, v: AtomId) -> Option<Poly> {
        let mut divisor = None;
        for &(factor, _) in factors.iter().filter(|&&(id, _)| self.atom_mentions(id, v)) {
            self.for_each_atom(&Poly::atom(factor), &mut |id| {
                if let Some(Atom::FloorDiv(a, b) | Atom::Mod(a, b)) = self.atom(id)
                    && a.as_atom() == Some(v)
                {
                    divisor.get_or_insert_with(|| b.clone());
                }
            });
        }
        divisor
    }
}
