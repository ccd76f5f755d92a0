//! Sums over lanes, workgroups and iterations, in closed form where there is one.
//!
//! A count is `Σ` over variables of a product of indicators. [`Arena::sum_over`] takes one monomial
//! of the summand at a time, takes out what mentions no variable, and separates variables that no
//! factor connects: their sums multiply. Until no variable is left, it then
//!
//! 1. gives a variable without a count the one that an indicator sets (`fuse`);
//! 2. *fuses* two variables that occur only as `n·u + v` with `v < n` (workgroup and lane, trip and
//!    lane) into one;
//! 3. *splits* a variable that occurs in `v / d` and `v % d` into quotient and remainder;
//! 4. splits what an indicator chooses between, and complements, into cases (`cases`);
//! 5. *eliminates* a variable whose indicators bound it, by Faulhaber's formulas (`eliminate`);
//! 6. splits minima and maxima into their cases, and writes out the few values of a variable with a
//!    small constant count, if that is not longer;
//! 7. leaves what remains as an [`Atom::Sum`], evaluated by adding up.
//!
//! Budgets count monomials, so that the same kernel gives the same formula everywhere. When one is
//! used up, the rest is left as sums: long, but right.

mod cases;
mod eliminate;
mod fuse;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom, Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Monomial, Poly};

/// A variable of a sum: 0 to `count - 1`, or from 0 on where `count` is `None` and indicators bound
/// it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Its symbol.
    pub symbol: AtomId,
    /// Number of values.
    pub count: Option<Poly>,
}

/// Monomials that one sum may pass through before the rest is left as sums.
const BUDGET: u32 = 200;
/// Monomials that all sums of an arena may pass through before each gets [`SPARE`], unless
/// [`Arena::allow_sums`] sets another number.
const TOTAL: u32 = 4_000;
/// Monomials of each sum once the total is used up.
const SPARE: u32 = 12;
/// Weight above which a result that still holds sums gives way to one sum over everything.
const WEIGHT: u32 = 400;
/// Atoms of a monomial that count as one more monomial of the budget.
const STEP: u64 = 24;
/// Factors of a monomial among which implied ones are looked for.
const FACTORS: usize = 24;

/// How the next variable of a monomial is dealt with.
enum Step {
    Done(Poly),
    Sum(Vec<Variable>, Poly),
}

impl Arena {
    /// Sets how many monomials all sums together may pass through before each has to do with few.
    pub(crate) fn allow_sums(&mut self, monomials: u32) {
        self.summable = Some(monomials);
    }

    /// `Σ body` over all variables; the counts of later ones may mention earlier ones.
    pub fn sum_over(&mut self, variables: Vec<Variable>, body: &Poly) -> Poly {
        let mut open = variables.clone();
        let twin = self.with_twins(&mut open, body);
        let total = self.summable.unwrap_or(TOTAL);
        let mut budget = if self.summed < total { BUDGET } else { SPARE };
        let sum = self.sum_within(open, &twin, &mut budget);
        if sum.is_overflow() && !body.is_overflow() {
            return self.leave_within_limits(&variables, body);
        }
        sum
    }

    /// Replaces variables without a count by symbols that have no upper bound: an indicator must not be
    /// dropped because of a bound that it alone sets.
    fn with_twins(&mut self, variables: &mut [Variable], body: &Poly) -> Poly {
        let mut open = Vec::new();
        let mut twins = FxHashMap::default();
        for variable in variables.iter_mut().filter(|v| v.count.is_none()) {
            let twin = self.unbounded_twin(variable.symbol);
            open.push(variable.symbol);
            twins.insert(variable.symbol, Poly::atom(twin));
            variable.symbol = twin;
        }
        if open.is_empty() {
            return body.clone();
        }
        let mut done = self.with_twins.remove(&open).unwrap_or_default();
        let body = self.substitute_again(body, &twins, &mut done);
        self.with_twins.insert(open, done);
        body
    }

    fn unbounded_twin(&mut self, symbol: AtomId) -> AtomId {
        if let Some(&twin) = self.twins.get(&symbol) {
            return twin;
        }
        let name = self.symbol(symbol).map(|symbol| symbol.name.clone());
        let twin = self.fresh(Symbol {
            name: name.unwrap_or_default(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::Lane,
            least: Some(0),
            greatest: None,
        });
        self.twins.insert(symbol, twin);
        twin
    }

    fn sum_within(&mut self, variables: Vec<Variable>, body: &Poly, budget: &mut u32) -> Poly {
        if variables.is_empty() {
            return body.clone();
        }
        if body.is_overflow() {
            return Poly::overflow();
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
        mut variables: Vec<Variable>,
        factors: Monomial,
        budget: &mut u32,
    ) -> Poly {
        let size = u64::from(self.monomial_weight(&factors)) + 4 * variables.len() as u64;
        let effort = u32::try_from(1 + size / STEP).unwrap_or(u32::MAX);
        *budget = budget.saturating_sub(effort);
        self.summed = self.summed.saturating_add(effort);
        let factors = self.without_implied(factors);
        let (bound, outside): (Monomial, Monomial) = factors
            .into_iter()
            .partition(|&(id, _)| variables.iter().any(|v| self.atom_mentions(id, v.symbol)));
        let mut product = Poly::monomial(outside);
        let mut at = variables.len();
        while at > 0 {
            at -= 1;
            let symbol = variables[at].symbol;
            let used = bound.iter().any(|&(id, _)| self.atom_mentions(id, symbol));
            if used || self.is_in_counts(&variables, at) {
                continue;
            }
            let free = variables.remove(at);
            let Some(count) = free.count else {
                return Poly::overflow();
            };
            let count = self.max(&count, &Poly::zero());
            if variables.iter().any(|v| self.mentions(&count, v.symbol)) {
                // the count mentions an outer variable: it goes back under that variable's sum
                let body = count.mul(&Poly::monomial(bound));
                return product.mul(&self.sum_within(variables, &body, budget));
            }
            product = product.mul(&count);
        }
        for (variables, factors) in self.components(variables, &bound) {
            let sum = self.sum_connected(variables, factors, budget);
            product = product.mul(&sum);
        }
        product
    }

    /// Drops indicators `p ≥ 0` that another factor `q ≥ 0` implies, because `p - q` is never negative.
    fn without_implied(&self, factors: Monomial) -> Monomial {
        let mut factors = self.without_weaker(factors);
        if factors.len() > FACTORS {
            return factors;
        }
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

    /// Variables and factors in groups that have no factor or count in common.
    fn components(
        &self,
        variables: Vec<Variable>,
        factors: &Monomial,
    ) -> Vec<(Vec<Variable>, Monomial)> {
        let mut group: Vec<usize> = (0..variables.len()).collect();
        let mut join = |mentioned: Vec<usize>| {
            let Some(&first) = mentioned.first() else {
                return;
            };
            let into = group[first];
            let joined: Vec<usize> = mentioned.iter().map(|&at| group[at]).collect();
            for of in &mut group {
                if joined.contains(of) {
                    *of = into;
                }
            }
        };
        let mentioned = |mentions: &dyn Fn(AtomId) -> bool| -> Vec<usize> {
            (0..variables.len())
                .filter(|&at| mentions(variables[at].symbol))
                .collect()
        };
        for &(id, _) in factors {
            join(mentioned(&|symbol| self.atom_mentions(id, symbol)));
        }
        for (at, variable) in variables.iter().enumerate() {
            if let Some(count) = &variable.count {
                let mut together = mentioned(&|symbol| self.mentions(count, symbol));
                together.push(at);
                join(together);
            }
        }
        let mut components: Vec<(usize, Vec<Variable>, Monomial)> = Vec::new();
        for (at, variable) in variables.into_iter().enumerate() {
            match components.iter_mut().find(|(of, ..)| *of == group[at]) {
                Some((_, members, _)) => members.push(variable),
                None => components.push((group[at], vec![variable], Monomial::new())),
            }
        }
        for &(id, power) in factors {
            let of_factor = |(_, members, _): &&mut (usize, Vec<Variable>, Monomial)| {
                members.iter().any(|v| self.atom_mentions(id, v.symbol))
            };
            if let Some((_, _, own)) = components.iter_mut().find(of_factor) {
                own.push((id, power));
            }
        }
        components
            .into_iter()
            .map(|(_, variables, factors)| (variables, factors))
            .collect()
    }

    /// Sums a product all of whose variables are connected.
    fn sum_connected(
        &mut self,
        variables: Vec<Variable>,
        factors: Monomial,
        budget: &mut u32,
    ) -> Poly {
        let key = (variables, factors);
        if let Some(sum) = self.sums.get(&key) {
            return sum.clone();
        }
        let step = if *budget == 0 {
            Step::Done(self.leave(&key.0, &key.1))
        } else {
            self.next_step(&key.0, &key.1, budget)
        };
        let sum = match step {
            Step::Done(sum) => sum,
            Step::Sum(variables, body) => self.sum_within(variables, &body, budget),
        };
        let sum = if self.has_sum(&sum) && self.weight(&sum) > WEIGHT {
            self.leave(&key.0, &key.1)
        } else {
            sum
        };
        self.sums.insert(key, sum.clone());
        sum
    }

    fn next_step(&mut self, variables: &[Variable], factors: &Monomial, budget: &mut u32) -> Step {
        let step = self
            .bound(variables, factors)
            .or_else(|| self.fuse(variables, factors))
            .or_else(|| self.split(variables, factors))
            .or_else(|| self.split_choice(variables, factors))
            .or_else(|| self.split_complement(variables, factors))
            .or_else(|| self.eliminate_one(variables, factors))
            .or_else(|| self.sum_of_clamps(variables, factors))
            .or_else(|| self.split_extremum(variables, factors))
            .or_else(|| self.split_condition(variables, factors));
        if let Some((variables, body)) = step {
            return Step::Sum(variables, body);
        }
        if let Some(sum) = self.write_out(variables, factors, budget) {
            return Step::Done(sum);
        }
        Step::Done(self.leave(variables, factors))
    }

    fn is_in_counts(&self, variables: &[Variable], at: usize) -> bool {
        let symbol = variables[at].symbol;
        let mut counts = variables.iter().filter_map(|v| v.count.as_ref());
        counts.any(|count| self.mentions(count, symbol))
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
}

/// The variables but for one.
fn others(variables: &[Variable], at: usize) -> Vec<Variable> {
    let mut rest = variables.to_vec();
    rest.remove(at);
    rest
}

#[cfg(test)]
mod tests;
