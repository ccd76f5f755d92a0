//! Elimination of one variable whose indicators bound it.

use crate::arena::{Arena, Atom, Uniformity};
use crate::poly::{AtomId, Monomial, Poly};

use super::{Variable, others};

/// What the factors of a monomial say of one variable.
struct Occurrences {
    /// Power of the variable itself.
    power: u8,
    /// The variable is at least each of these.
    lows: Vec<Poly>,
    /// The variable is below each of these.
    highs: Vec<Poly>,
    /// Polynomials that are not negative where the other factors are not zero.
    context: Vec<Poly>,
    /// Factors that do not mention it.
    rest: Monomial,
}

impl Arena {
    /// Eliminates the variable that leaves the least behind.
    pub(super) fn eliminate_one(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        let mut best: Option<(u32, usize, Poly)> = None;
        for at in (0..variables.len()).rev() {
            if self.is_in_counts(variables, at) {
                continue;
            }
            let open = variables.iter().filter(|v| v.count.is_none());
            let open: Vec<AtomId> = open
                .map(|v| v.symbol)
                .filter(|&symbol| symbol != variables[at].symbol)
                .collect();
            let Some(body) = self.eliminate(&variables[at], factors, &open) else {
                continue;
            };
            if !open.iter().all(|&symbol| self.is_bounded(&body, symbol)) {
                continue;
            }
            let left = self.entangled(&body, variables);
            if best.as_ref().is_none_or(|(least, ..)| left < *least) {
                best = Some((left, at, body));
            }
            if left == 0 {
                break;
            }
        }
        let (_, at, body) = best?;
        Some((others(variables, at), body))
    }

    /// Whether a factor of every monomial bounds the variable from above.
    fn is_bounded(&self, body: &Poly, v: AtomId) -> bool {
        let bounds = |id: AtomId| {
            let Some(Atom::NonNegative(p)) = self.atom(id) else {
                return false;
            };
            p.linear_in(v)
                .is_some_and(|(a, _)| self.is_positive(&a.neg()) || self.is_step(&a.neg()))
        };
        let mut monomials = body.terms().iter().map(|(monomial, _)| monomial);
        monomials.all(|monomial| monomial.iter().any(|&(id, _)| bounds(id)))
    }

    /// Weight of the quotients, minima and maxima of a body in which a variable occurs.
    fn entangled(&self, body: &Poly, variables: &[Variable]) -> u32 {
        let mut weight = 0;
        for id in body.atoms() {
            let simple = matches!(
                self.atom(id),
                Some(Atom::Symbol(_) | Atom::NonNegative(_) | Atom::Zero(_))
            );
            if !simple && variables.iter().any(|v| self.atom_mentions(id, v.symbol)) {
                weight += self.facts(id).map_or(1, |facts| facts.weight);
            }
        }
        weight
    }

    /// Sums one variable out of a monomial; `None` where it occurs in a way that has no closed form.
    /// Conditions on `open` variables, which indicators bound, stay indicators.
    fn eliminate(
        &mut self,
        variable: &Variable,
        factors: &Monomial,
        open: &[AtomId],
    ) -> Option<Poly> {
        if let Some((id, target, step)) = self.equality(variable.symbol, factors) {
            return Some(self.pin(variable, factors, id, &target, step));
        }
        let found = self.occurrences(variable, factors)?;
        let low = self.greatest_of(&found.lows, &found.context);
        let high = self.least_of(&found.highs, &found.context)?;
        let length = high.sub(&low);
        let indicated = open.iter().any(|&symbol| self.mentions(&length, symbol));
        let nonempty = self.is_at_most_given(&low, &high, &found.context);
        let sum = if indicated && !nonempty {
            let sum = power_difference(&low, &high, found.power)?;
            sum.mul(&self.nonnegative(&length))
        } else {
            self.power_sum(&low, &high, found.power, nonempty)?
        };
        Some(sum.mul(&Poly::monomial(found.rest)))
    }

    /// An equality `step × v = target` with `step > 0` among the factors: its factor, target and step.
    fn equality(&self, v: AtomId, factors: &Monomial) -> Option<(AtomId, Poly, i128)> {
        factors.iter().find_map(|&(id, _)| {
            let Some(Atom::Zero(p)) = self.atom(id) else {
                return None;
            };
            let (a, r) = p.linear_in(v)?;
            let a = a.as_integer().filter(|&a| a != 0)?;
            let target = if a > 0 { r.neg() } else { r };
            (!self.mentions(&target, v)).then(|| (id, target, a.abs()))
        })
    }

    fn occurrences(&mut self, variable: &Variable, factors: &Monomial) -> Option<Occurrences> {
        let v = variable.symbol;
        let mut found = Occurrences {
            power: 0,
            lows: vec![Poly::zero()],
            highs: variable.count.iter().cloned().collect(),
            context: Vec::new(),
            rest: Monomial::new(),
        };
        for &(id, exponent) in factors {
            if id == v {
                found.power = exponent;
                continue;
            }
            if !self.atom_mentions(id, v) {
                found.rest.push((id, exponent));
                if let Some(Atom::NonNegative(p)) = self.atom(id) {
                    found.context.push(p.clone());
                }
                continue;
            }
            match self.atom(id)? {
                Atom::NonNegative(p) => {
                    let (a, r) = p.linear_in(v)?;
                    if self.mentions(&a, v) || self.mentions(&r, v) {
                        return None;
                    }
                    if self.is_positive(&a) {
                        let low = self.ceil_div(&r.neg(), &a);
                        found.lows.push(low);
                    } else if self.is_positive(&a.neg())
                        || (variable.count.is_none() && self.is_step(&a.neg()))
                    {
                        let high = self.floor_div(&r, &a.neg()).add_integer(1);
                        found.highs.push(high);
                    } else {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        Some(found)
    }

    /// Whether a coefficient of a variable that counts iterations is the step of a loop, which is taken
    /// not to be zero: never negative, and the same for all lanes.
    pub(super) fn is_step(&self, a: &Poly) -> bool {
        a.as_integer().is_none()
            && self.is_nonnegative(a)
            && self.uniformity(a) == Uniformity::Launch
    }

    /// The one summand at `v = target / step`, where that is a whole number in range.
    fn pin(
        &mut self,
        variable: &Variable,
        factors: &Monomial,
        indicator: AtomId,
        target: &Poly,
        step: i128,
    ) -> Poly {
        let divisor = Poly::integer(step);
        let value = self.floor_div(target, &divisor);
        let remainder = self.modulo(target, &divisor);
        let mut product = self.zero(&remainder);
        product = product.mul(&self.nonnegative(target));
        if let Some(count) = &variable.count {
            let below = self.nonnegative(&count.sub(&value).add_integer(-1));
            product = product.mul(&below);
        }
        for &(id, exponent) in factors.iter().filter(|&&(id, _)| id != indicator) {
            let factor = self.replace(&Poly::atom(id), variable.symbol, &value);
            for _ in 0..exponent {
                product = product.mul(&factor);
            }
        }
        product
    }

    fn is_at_most_given(&self, a: &Poly, b: &Poly, context: &[Poly]) -> bool {
        let difference = b.sub(a);
        self.is_nonnegative(&difference)
            || context
                .iter()
                .any(|p| self.is_nonnegative(&difference.sub(p)))
    }

    fn least_of(&mut self, bounds: &[Poly], context: &[Poly]) -> Option<Poly> {
        let mut least = bounds.first()?.clone();
        for bound in &bounds[1..] {
            if self.is_at_most_given(bound, &least, context) {
                least = bound.clone();
            } else if !self.is_at_most_given(&least, bound, context) {
                least = self.min(&least, bound);
            }
        }
        Some(least)
    }

    fn greatest_of(&mut self, bounds: &[Poly], context: &[Poly]) -> Poly {
        let mut greatest = bounds.first().cloned().unwrap_or_else(Poly::zero);
        for bound in bounds.iter().skip(1) {
            if self.is_at_most_given(&greatest, bound, context) {
                greatest = bound.clone();
            } else if !self.is_at_most_given(bound, &greatest, context) {
                greatest = self.max(&greatest, bound);
            }
        }
        greatest
    }

    /// `Σ v^power` for `low ≤ v < high` (Faulhaber), zero where the range is empty.
    fn power_sum(&mut self, low: &Poly, high: &Poly, power: u8, nonempty: bool) -> Option<Poly> {
        if nonempty {
            return power_difference(low, high, power);
        }
        if power == 0 {
            return Some(self.max(&high.sub(low), &Poly::zero()));
        }
        let high = self.max(high, low);
        power_difference(low, &high, power)
    }
}

/// `Σ v^power` for `low ≤ v < high`, where `low ≤ high`.
fn power_difference(low: &Poly, high: &Poly, power: u8) -> Option<Poly> {
    Some(faulhaber(high, power)?.sub(&faulhaber(low, power)?))
}

/// `Σ v^power` for `0 ≤ v < n`.
pub(super) fn faulhaber(n: &Poly, power: u8) -> Option<Poly> {
    let pairs = n.mul(&n.add_integer(-1)).divide_by(2);
    let squares = pairs.mul(&n.scale(2).add_integer(-1)).divide_by(3);
    match power {
        0 => Some(n.clone()),
        1 => Some(pairs),
        2 => Some(squares),
        3 => Some(pairs.mul(&pairs)),
        4 => {
            let last = n.mul(&n.add_integer(-1)).scale(3).add_integer(-1);
            Some(squares.mul(&last).divide_by(5))
        }
        _ => None,
    }
}
