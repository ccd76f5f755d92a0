//! Closed forms of a register over the iterations of a loop, and of indicators that end one.

use crate::arena::{Arena, Atom, Bitwise, Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Monomial, Poly};
use crate::sum::Variable;

/// How an indicator is known never to return to 1 once it is 0.
pub(super) struct Falling {
    /// The indicator, written so that sums over the iteration can use it.
    pub(super) stay: Poly,
    /// Whether that takes for granted that equality is met.
    pub(super) meets: bool,
    /// Whether that takes for granted that a step is not zero.
    pub(super) steps: bool,
}

/// The exponent of a constant power of two above one.
fn exponent_of(value: i128) -> Option<i128> {
    (value > 1 && value & (value - 1) == 0).then(|| value.trailing_zeros().into())
}

impl Arena {
    /// The value at iteration `t` of what starts as `start` and goes from `head` to `next` in each.
    pub(super) fn form(
        &mut self,
        start: &Poly,
        next: &Poly,
        head: AtomId,
        t: AtomId,
    ) -> Option<Poly> {
        if !self.mentions(next, head) {
            return Some(self.shifted(start, next, t));
        }
        let step = next.sub(&Poly::atom(head));
        if !self.mentions(&step, head) {
            return self.accumulated(start, &step, t);
        }
        let (coefficient, rest) = next.linear_in(head)?;
        if let Some(factor) = coefficient.as_integer() {
            if rest.is_zero()
                && let Some(exponent) = exponent_of(factor)
            {
                let exponent = Poly::atom(t).scale(exponent);
                return Some(start.mul(&self.power_of_two(&exponent)));
            }
            let constant = !self.mentions(&rest, head) && !self.mentions(&rest, t);
            if factor == -1 && constant {
                return Some(self.alternating(start, &rest.sub(start), t));
            }
        }
        self.form_of_atom(start, next, head, t)
    }

    /// `start` at `t = 0`, then `next(t - 1)`.
    fn shifted(&mut self, start: &Poly, next: &Poly, t: AtomId) -> Poly {
        if next == start {
            return start.clone();
        }
        let before = self.replace(next, t, &Poly::atom(t).add_integer(-1));
        let later = self.nonnegative(&Poly::atom(t).add_integer(-1));
        self.choose(&later, &before, start)
    }

    /// `start` at even iterations, `other` at odd ones.
    fn alternating(&mut self, start: &Poly, other: &Poly, t: AtomId) -> Poly {
        let odd = self.modulo(&Poly::atom(t), &Poly::integer(2));
        start.add(&other.sub(start).mul(&odd))
    }

    fn accumulated(&mut self, start: &Poly, step: &Poly, t: AtomId) -> Option<Poly> {
        if !self.mentions(step, t) {
            return Some(start.add(&step.mul(&Poly::atom(t))));
        }
        let earlier = self.fresh(Symbol {
            name: "u".to_owned(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::Launch,
            least: Some(0),
            greatest: Some(Poly::atom(t).add_integer(-1)),
        });
        let step = self.replace(step, t, &Poly::atom(earlier));
        let variable = Variable {
            symbol: earlier,
            count: Some(Poly::atom(t)),
        };
        let sum = self.sum_over(vec![variable], &step);
        (!self.has_sum(&sum)).then(|| start.add(&sum))
    }

    fn form_of_atom(&mut self, start: &Poly, next: &Poly, head: AtomId, t: AtomId) -> Option<Poly> {
        match self.atom(next.as_atom()?).cloned()? {
            Atom::FloorDiv(a, b) if a.as_atom() == Some(head) => {
                let exponent = Poly::atom(t).scale(exponent_of(b.as_integer()?)?);
                let power = self.power_of_two(&exponent);
                Some(self.floor_div(start, &power))
            }
            Atom::Mod(a, m) => {
                let (coefficient, step) = a.linear_in(head)?;
                let fits = self.is_nonnegative(start)
                    && self.is_at_most(start, &m.add_integer(-1))
                    && coefficient.as_integer() == Some(1)
                    && [&step, &m].iter().all(|p| !self.mentions(p, head))
                    && [&step, &m].iter().all(|p| !self.mentions(p, t));
                let total = start.add(&step.mul(&Poly::atom(t)));
                fits.then(|| self.modulo(&total, &m))
            }
            Atom::Bitwise(Bitwise::Xor, a, b) => {
                let mask = if a.as_atom() == Some(head) {
                    b
                } else if b.as_atom() == Some(head) {
                    a
                } else {
                    return None;
                };
                let other = self.bitwise(Bitwise::Xor, start, &mask);
                let constant = !self.mentions(&mask, head) && !self.mentions(&mask, t);
                constant.then(|| self.alternating(start, &other, t))
            }
            _ => None,
        }
    }

    /// The indicator as one that never returns to 1 once it is 0 as `t` grows, or `None`.
    ///
    /// The `only` exit of a loop that ends is taken at some point.
    pub(super) fn falling(&mut self, stay: &Poly, t: AtomId, only: bool) -> Option<Falling> {
        if !self.mentions(stay, t) {
            return Some(Falling {
                stay: stay.clone(),
                meets: false,
                steps: false,
            });
        }
        let [(monomial, 1)] = stay.terms() else {
            return None;
        };
        let mut all = Falling {
            stay: Poly::one(),
            meets: false,
            steps: false,
        };
        let monomial = monomial.clone();
        let only = only && monomial.len() == 1;
        for (id, _) in monomial {
            if !self.atom_mentions(id, t) {
                all.stay = all.stay.mul(&Poly::atom(id));
                continue;
            }
            let factor = match self.atom(id)?.clone() {
                Atom::NonNegative(p) => {
                    all.steps |= self.may_stand_still(&p, t);
                    self.falling_inequality(id, &p, t)?
                }
                Atom::Not(p) => {
                    let (factor, meets) = self.falling_complement(&p, t, only)?;
                    all.meets |= meets;
                    factor
                }
                _ => return None,
            };
            all.stay = all.stay.mul(&factor);
        }
        Some(all)
    }

    /// Whether the coefficient of `t` is not known to differ from zero.
    fn may_stand_still(&self, p: &Poly, t: AtomId) -> bool {
        p.linear_in(t)
            .is_some_and(|(a, _)| !a.is_zero() && !self.is_positive(&a.neg()))
    }

    /// `p ≥ 0` with `p` falling in `t`.
    fn falling_inequality(&mut self, id: AtomId, p: &Poly, t: AtomId) -> Option<Poly> {
        if let Some((a, r)) = p.linear_in(t)
            && !a.is_zero()
            && !self.mentions(&r, t)
            && !self.mentions(&a, t)
        {
            let falls = self.is_nonnegative(&a.neg());
            return falls.then(|| Poly::atom(id));
        }
        let power = p.atoms().find(|&atom| {
            matches!(self.atom(atom), Some(Atom::PowerOfTwo(_))) && self.atom_mentions(atom, t)
        })?;
        let Some(Atom::PowerOfTwo(exponent)) = self.atom(power).cloned() else {
            return None;
        };
        let (a, r) = p.linear_in(power)?;
        let factor = exponent.divide_exactly(&Poly::atom(t))?.as_integer()?;
        let falls = factor > 0 && self.is_positive(&a.neg());
        if !falls || self.mentions(&r, t) || self.mentions(&a, t) {
            return None;
        }
        // c 2^(k t) ≤ r while k t < bits of floor(r / c)
        let quotient = self.floor_div(&r, &a.neg());
        let bits = self.bit_length(&quotient);
        let trips = self.ceil_div(&bits, &Poly::integer(factor));
        Some(self.nonnegative(&trips.sub(&Poly::atom(t)).add_integer(-1)))
    }

    /// A complement of a condition that only comes to hold as `t` grows: `p = 0` for `p` that steps
    /// by one, or several `p ≥ 0` with rising `p`. Whether it takes for granted that equality is met.
    fn falling_complement(&mut self, p: &Poly, t: AtomId, only: bool) -> Option<(Poly, bool)> {
        let ahead = |trips: &Poly| trips.sub(&Poly::atom(t)).add_integer(-1);
        if let Some(Atom::Zero(p)) = p.as_atom().and_then(|id| self.atom(id)) {
            let (a, r) = p.linear_in(t)?;
            let a = a.as_integer().filter(|a| a.abs() == 1)?;
            if self.mentions(&r, t) {
                return None;
            }
            let trips = r.scale(-a);
            let meets = self.is_nonnegative(&trips);
            if meets || only {
                return Some((self.nonnegative(&ahead(&trips)), !meets));
            }
            let met = self.nonnegative(&ahead(&trips).neg().add_integer(-1));
            let gone = self.nonnegative(&trips).mul(&met);
            return Some((self.complement(&gone), false));
        }
        let [(monomial, 1)] = p.terms() else {
            return None;
        };
        let monomial: Monomial = monomial.clone();
        let mut trips = Poly::zero();
        for (id, _) in monomial {
            let Some(Atom::NonNegative(q)) = self.atom(id) else {
                return None;
            };
            let (a, r) = q.linear_in(t)?;
            let a = a.as_integer().filter(|&a| a > 0)?;
            if self.mentions(&r, t) {
                return None;
            }
            // a t + r ≥ 0 from t = ceil(-r / a) on
            let from = self.ceil_div(&r.neg(), &Poly::integer(a));
            trips = self.max(&trips, &from);
        }
        Some((self.nonnegative(&ahead(&trips)), false))
    }
}

#[cfg(test)]
mod tests;
