//! Sums over lanes, workgroups and iterations, in closed form where there is one.
//!
//! A count is `Σ` over variables of a product of indicators. [`Arena::sum_over`] takes one monomial
//! of the summand at a time and, until no variable is left:
//!
//! 1. multiplies by the count of a variable that nothing mentions;
//! 2. *fuses* two variables that occur only as `n·u + v` with `v < n` (workgroup and lane, trip and
//!    lane) into one;
//! 3. *splits* a variable that occurs in `v / d` and `v % d` into quotient and remainder;
//! 4. *eliminates* a variable whose indicators bound it from both sides, by Faulhaber's formulas;
//! 5. writes out the few values of a variable with a small constant count, and splits minima and
//!    maxima into their cases;
//! 6. leaves what remains as an [`Atom::Sum`], evaluated by adding up.

use crate::arena::{Arena, Atom, Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Monomial, Poly};

/// A variable of a sum: 0 to `count - 1`, or from 0 on where `count` is `None` and indicators bound
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its symbol.
    pub symbol: AtomId,
    /// Number of values.
    pub count: Option<Poly>,
}

/// Values of a variable that are written out one by one.
const WRITTEN_OUT: i128 = 64;
/// Monomials that one sum may pass through before the rest is left as sums.
const BUDGET: u32 = 600;

struct Term {
    factors: Monomial,
    coefficient: Poly,
}

/// How the next variable of a monomial is dealt with.
enum Step {
    Done(Poly),
    Sum(Vec<Variable>, Poly),
}

impl Arena {
    /// `Σ body` over all variables; the counts of later ones may mention earlier ones.
    pub fn sum_over(&mut self, variables: Vec<Variable>, body: &Poly) -> Poly {
        let mut budget = BUDGET;
        self.sum_within(variables, body, &mut budget)
    }

    fn sum_within(&mut self, variables: Vec<Variable>, body: &Poly, budget: &mut u32) -> Poly {
        if variables.is_empty() {
            return body.clone();
        }
        let mut total = Poly::zero();
        for (monomial, coefficient) in body.terms() {
            let coefficient = Poly::integer(*coefficient).divide_by(body.denominator());
            let sum = self.sum_monomial(variables.clone(), monomial.clone(), budget);
            total = total.add(&coefficient.mul(&sum));
        }
        total
    }

    fn sum_monomial(
        &mut self,
        variables: Vec<Variable>,
        factors: Monomial,
        budget: &mut u32,
    ) -> Poly {
        *budget = budget.saturating_sub(1);
        let mut term = Term {
            factors: self.without_implied(factors),
            coefficient: Poly::one(),
        };
        let mut variables = variables;
        self.take_free(&mut variables, &mut term);
        if variables.is_empty() {
            return term.coefficient.mul(&Poly::monomial(term.factors));
        }
        let body = Poly::monomial(term.factors.clone());
        let step = if *budget == 0 {
            Step::Done(self.leave(&variables, &body))
        } else {
            self.next_step(variables, &term.factors, &body)
        };
        let sum = match step {
            Step::Done(sum) => sum,
            Step::Sum(variables, body) => self.sum_within(variables, &body, budget),
        };
        term.coefficient.mul(&sum)
    }

    /// Drops indicators `p ≥ 0` that another factor `q ≥ 0` implies, because `p - q` is never negative.
    fn without_implied(&self, mut factors: Monomial) -> Monomial {
        let mut at = 0;
        while at < factors.len() {
            let implied = match self.atom(factors[at].0) {
                Some(Atom::NonNegative(p)) => factors.iter().any(|&(other, _)| {
                    other != factors[at].0
                        && matches!(self.atom(other), Some(Atom::NonNegative(q))
                            if self.is_nonnegative(&p.sub(q)))
                }),
                _ => false,
            };
            if implied {
                factors.remove(at);
            } else {
                at += 1;
            }
        }
        factors
    }

    fn next_step(&mut self, variables: Vec<Variable>, factors: &Monomial, body: &Poly) -> Step {
        if let Some((variables, body)) = self.bound(&variables, factors) {
            return Step::Sum(variables, body);
        }
        if let Some((variables, body)) = self.fuse(&variables, body) {
            return Step::Sum(variables, body);
        }
        if let Some((variables, body)) = self.split(&variables, factors, body) {
            return Step::Sum(variables, body);
        }
        for at in (0..variables.len()).rev() {
            if self.is_in_counts(&variables, at) {
                continue;
            }
            if let Some(body) = self.eliminate(&variables[at], factors) {
                let mut rest = variables;
                rest.remove(at);
                return Step::Sum(rest, body);
            }
        }
        if let Some(body) = self.split_extremum(&variables, factors) {
            return Step::Sum(variables, body);
        }
        if let Some((variables, body)) = self.write_out(&variables, body) {
            return Step::Sum(variables, body);
        }
        Step::Done(self.leave(&variables, body))
    }

    fn is_in_counts(&self, variables: &[Variable], at: usize) -> bool {
        let symbol = variables[at].symbol;
        let mut counts = variables
            .iter()
            .filter_map(|variable| variable.count.as_ref());
        counts.any(|count| self.mentions(count, symbol))
    }

    /// Gives a variable without a count the one that an indicator sets by itself.
    fn bound(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
    ) -> Option<(Vec<Variable>, Poly)> {
        for at in (0..variables.len()).filter(|&at| variables[at].count.is_none()) {
            let v = variables[at].symbol;
            let bound = factors.iter().enumerate().find_map(|(index, &(id, _))| {
                let Some(Atom::NonNegative(p)) = self.atom(id) else {
                    return None;
                };
                let (a, r) = p.linear_in(v)?;
                let alone = !variables.iter().any(|w| self.mentions(&r, w.symbol));
                let a = a.as_integer().filter(|&a| a < 0 && alone)?;
                Some((index, r, -a))
            });
            let Some((index, r, a)) = bound else { continue };
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

    /// Takes out variables that no factor mentions, as their counts.
    fn take_free(&mut self, variables: &mut Vec<Variable>, term: &mut Term) {
        let mut at = variables.len();
        while at > 0 {
            at -= 1;
            let symbol = variables[at].symbol;
            let used = term
                .factors
                .iter()
                .any(|&(id, _)| self.mentions(&Poly::atom(id), symbol));
            if used || self.is_in_counts(variables, at) {
                continue;
            }
            let Some(count) = variables[at].count.clone() else {
                term.coefficient = Poly::overflow();
                variables.remove(at);
                continue;
            };
            variables.remove(at);
            let count = self.max(&count, &Poly::zero());
            let depends = variables.iter().any(|v| self.mentions(&count, v.symbol));
            if depends {
                // The count mentions an outer variable: it goes back under that variable's sum.
                let body = count.mul(&Poly::monomial(term.factors.clone()));
                if let [(monomial, 1)] = body.terms()
                    && body.denominator() == 1
                {
                    term.factors = monomial.clone();
                } else {
                    let rest = std::mem::take(variables);
                    let sum = self.sum_over(rest, &body);
                    term.factors = Monomial::new();
                    term.coefficient = term.coefficient.mul(&sum);
                    return;
                }
            } else {
                term.coefficient = term.coefficient.mul(&count);
            }
        }
    }

    /// Fuses `u` and `v` into `g = n·u + v`.
    fn fuse(&mut self, variables: &[Variable], body: &Poly) -> Option<(Vec<Variable>, Poly)> {
        for inner in 0..variables.len() {
            let Some(n) = variables[inner].count.clone() else {
                continue;
            };
            for outer in 0..variables.len() {
                let (u, v) = (variables[outer].symbol, variables[inner].symbol);
                if outer == inner
                    || self.is_in_counts(variables, inner)
                    || self.is_in_counts(variables, outer)
                    || self.mentions(&n, u)
                    || variables[outer]
                        .count
                        .as_ref()
                        .is_some_and(|m| self.mentions(m, v))
                    || !self.is_fusible(body, u, v, &n)
                {
                    continue;
                }
                let count = variables[outer].count.as_ref().map(|m| m.mul(&n));
                let g = self.summation_symbol(count.as_ref());
                let by = Poly::atom(g).sub(&n.mul(&Poly::atom(u)));
                let fused = self.replace(body, v, &by);
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
    fn is_fusible(&self, body: &Poly, u: AtomId, v: AtomId, n: &Poly) -> bool {
        let mut any = false;
        let mut consistent = true;
        for (monomial, _) in body.terms() {
            for &(id, _) in monomial {
                let factor = Poly::atom(id);
                let (has_u, has_v) = (self.mentions(&factor, u), self.mentions(&factor, v));
                any |= has_u && has_v;
                consistent &= has_u == has_v && id != u && id != v;
                if let Some(Atom::NonNegative(p) | Atom::Zero(p)) = self.atom(id)
                    && let (Some((a, _)), Some((b, _))) = (p.linear_in(u), p.linear_in(v))
                    && !(a.is_zero() && b.is_zero())
                {
                    consistent &= a == b.mul(n);
                }
            }
        }
        any && consistent
    }

    fn summation_symbol(&mut self, count: Option<&Poly>) -> AtomId {
        self.fresh(Symbol {
            name: "i".to_owned(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::Lane,
            least: Some(0),
            greatest: count.map(|count| count.add_integer(-1)),
        })
    }

    /// Splits `v` into `d·q + r` where `v / d` or `v % d` occurs.
    fn split(
        &mut self,
        variables: &[Variable],
        factors: &Monomial,
        body: &Poly,
    ) -> Option<(Vec<Variable>, Poly)> {
        for at in 0..variables.len() {
            let v = variables[at].symbol;
            if self.is_in_counts(variables, at) {
                continue;
            }
            let Some(divisor) = self.divisor_of(factors, v) else {
                continue;
            };
            if variables
                .iter()
                .any(|other| self.mentions(&divisor, other.symbol))
            {
                continue;
            }
            let count = variables[at].count.clone();
            let quotients = count.as_ref().map(|n| self.ceil_div(n, &divisor));
            let q = self.summation_symbol(quotients.as_ref());
            let r = self.summation_symbol(Some(&divisor));
            let whole = divisor.mul(&Poly::atom(q)).add(&Poly::atom(r));
            let mut split = self.replace(body, v, &whole);
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
            rest.insert(
                at + 1,
                Variable {
                    symbol: r,
                    count: Some(divisor),
                },
            );
            return Some((rest, split));
        }
        None
    }

    fn divisor_of(&self, factors: &Monomial, v: AtomId) -> Option<Poly> {
        let mut divisor = None;
        for &(factor, _) in factors {
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

    /// Sums one variable out of a monomial; `None` where it occurs in a way that has no closed form.
    fn eliminate(&mut self, variable: &Variable, factors: &Monomial) -> Option<Poly> {
        let v = variable.symbol;
        let mut power = 0u8;
        let (mut lows, mut highs) = (vec![Poly::zero()], Vec::new());
        highs.extend(variable.count.clone());
        let mut context = Vec::new();
        let mut rest = Monomial::new();
        let mut pinned = None;
        for &(id, exponent) in factors {
            if id == v {
                power = exponent;
                continue;
            }
            if !self.mentions(&Poly::atom(id), v) {
                rest.push((id, exponent));
                if let Some(Atom::NonNegative(p)) = self.atom(id) {
                    context.push(p.clone());
                }
                continue;
            }
            match self.atom(id).cloned()? {
                Atom::NonNegative(p) => {
                    let (a, r) = p.linear_in(v)?;
                    if self.mentions(&a, v) || self.mentions(&r, v) {
                        return None;
                    }
                    if self.is_nonnegative(&a.add_integer(-1)) {
                        lows.push(self.ceil_div(&r.neg(), &a));
                    } else if self.is_nonnegative(&a.neg().add_integer(-1))
                        || (self.is_nonnegative(&a.neg()) && a.as_integer().is_none())
                    {
                        highs.push(self.floor_div(&r, &a.neg()).add_integer(1));
                    } else {
                        return None;
                    }
                }
                Atom::Zero(p) => {
                    let (a, r) = p.linear_in(v)?;
                    let a = a.as_integer()?;
                    if self.mentions(&r, v) || pinned.is_some() {
                        return None;
                    }
                    let r = if a > 0 { r.neg() } else { r };
                    pinned = Some((id, r, a.abs()));
                }
                _ => return None,
            }
        }
        if let Some((id, target, step)) = pinned {
            return Some(self.pin(variable, factors, id, &target, step));
        }
        let low = self.greatest_of(&lows, &context);
        let high = self.least_of(&highs, &context)?;
        let sum = self.power_sum(&low, &high, power, &context)?;
        Some(sum.mul(&Poly::monomial(rest)))
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
        let mut greatest = bounds[0].clone();
        for bound in &bounds[1..] {
            if self.is_at_most_given(&greatest, bound, context) {
                greatest = bound.clone();
            } else if !self.is_at_most_given(bound, &greatest, context) {
                greatest = self.max(&greatest, bound);
            }
        }
        greatest
    }

    /// `Σ v^power` for `low ≤ v < high` (Faulhaber), zero where the range is empty.
    fn power_sum(&mut self, low: &Poly, high: &Poly, power: u8, context: &[Poly]) -> Option<Poly> {
        let nonempty = self.is_at_most_given(low, high, context);
        let length = high.sub(low);
        if power == 0 {
            return Some(if nonempty {
                length
            } else {
                self.max(&length, &Poly::zero())
            });
        }
        let high = if nonempty {
            high.clone()
        } else {
            self.max(high, low)
        };
        Some(faulhaber(&high, power)?.sub(&faulhaber(low, power)?))
    }

    /// Replaces a minimum or maximum that mentions a variable by its two cases.
    fn split_extremum(&mut self, variables: &[Variable], factors: &Monomial) -> Option<Poly> {
        for (at, &(id, exponent)) in factors.iter().enumerate() {
            let (a, b, least) = match self.atom(id)? {
                Atom::Min(a, b) => (a.clone(), b.clone(), true),
                Atom::Max(a, b) => (a.clone(), b.clone(), false),
                _ => continue,
            };
            let mentions = |v: &Variable| self.mentions(&Poly::atom(id), v.symbol);
            if exponent != 1 || !variables.iter().any(mentions) {
                continue;
            }
            let ordered = self.nonnegative(&b.sub(&a));
            let (first, second) = if least { (a, b) } else { (b, a) };
            let value = self.choose(&ordered, &first, &second);
            let mut rest = factors.clone();
            rest.remove(at);
            return Some(value.mul(&Poly::monomial(rest)));
        }
        None
    }

    fn write_out(&mut self, variables: &[Variable], body: &Poly) -> Option<(Vec<Variable>, Poly)> {
        for at in (0..variables.len()).rev() {
            let count = variables[at].count.as_ref().and_then(Poly::as_integer);
            let Some(count) = count.filter(|&count| count <= WRITTEN_OUT) else {
                continue;
            };
            if self.is_in_counts(variables, at) {
                continue;
            }
            let mut sum = Poly::zero();
            for value in 0..count {
                sum = sum.add(&self.replace(body, variables[at].symbol, &Poly::integer(value)));
            }
            let mut rest = variables.to_vec();
            rest.remove(at);
            return Some((rest, sum));
        }
        None
    }

    /// Leaves the rest as nested sums.
    fn leave(&mut self, variables: &[Variable], body: &Poly) -> Poly {
        let mut sum = body.clone();
        for variable in variables.iter().rev() {
            let Some(count) = variable.count.clone() else {
                return Poly::overflow();
            };
            if !self.mentions(&sum, variable.symbol) {
                let count = self.max(&count, &Poly::zero());
                sum = sum.mul(&count);
                continue;
            }
            sum = Poly::atom(self.intern(Atom::Sum {
                variable: variable.symbol,
                count,
                body: sum,
            }));
        }
        sum
    }
}

/// `Σ v^power` for `0 ≤ v < n`.
fn faulhaber(n: &Poly, power: u8) -> Option<Poly> {
    let pairs = n.mul(&n.add_integer(-1)).divide_by(2);
    match power {
        0 => Some(n.clone()),
        1 => Some(pairs),
        2 => Some(pairs.mul(&n.scale(2).add_integer(-1)).divide_by(3)),
        3 => Some(pairs.mul(&pairs)),
        _ => None,
    }
}
