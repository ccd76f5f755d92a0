//! Substitution and evaluation.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom};
use crate::build::{bit_length, bitwise};
use crate::poly::{AtomId, Poly};
use crate::ratio::Ratio;

/// Values of symbols.
pub type Values = FxHashMap<AtomId, Ratio>;

/// The most steps that sums may take in one evaluation.
const STEPS: u64 = 400_000;

impl Arena {
    /// Replaces symbols by polynomials, everywhere, and simplifies again.
    pub fn substitute(&mut self, poly: &Poly, with: &FxHashMap<AtomId, Poly>) -> Poly {
        let mut touched = false;
        self.for_each_atom(poly, &mut |id| touched |= with.contains_key(&id));
        if !touched {
            return poly.clone();
        }
        let mut sum = Poly::zero();
        for (monomial, coefficient) in poly.terms() {
            let mut product = Poly::integer(*coefficient);
            for &(atom, power) in monomial {
                let factor = self.substitute_atom(atom, with);
                for _ in 0..power {
                    product = product.mul(&factor);
                }
            }
            sum = sum.add(&product);
        }
        sum.divide_by(poly.denominator())
    }

    /// Replaces one symbol.
    pub fn replace(&mut self, poly: &Poly, symbol: AtomId, by: &Poly) -> Poly {
        let mut with = FxHashMap::default();
        with.insert(symbol, by.clone());
        self.substitute(poly, &with)
    }

    fn substitute_atom(&mut self, id: AtomId, with: &FxHashMap<AtomId, Poly>) -> Poly {
        if let Some(by) = with.get(&id) {
            return by.clone();
        }
        match self.atom(id).cloned() {
            None | Some(Atom::Symbol(_)) => Poly::atom(id),
            Some(Atom::FloorDiv(a, b)) => {
                let (a, b) = (self.substitute(&a, with), self.substitute(&b, with));
                self.floor_div(&a, &b)
            }
            Some(Atom::Mod(a, b)) => {
                let (a, b) = (self.substitute(&a, with), self.substitute(&b, with));
                self.modulo(&a, &b)
            }
            Some(Atom::Min(a, b)) => {
                let (a, b) = (self.substitute(&a, with), self.substitute(&b, with));
                self.min(&a, &b)
            }
            Some(Atom::Max(a, b)) => {
                let (a, b) = (self.substitute(&a, with), self.substitute(&b, with));
                self.max(&a, &b)
            }
            Some(Atom::NonNegative(a)) => {
                let a = self.substitute(&a, with);
                self.nonnegative(&a)
            }
            Some(Atom::Zero(a)) => {
                let a = self.substitute(&a, with);
                self.zero(&a)
            }
            Some(Atom::PowerOfTwo(a)) => {
                let a = self.substitute(&a, with);
                self.power_of_two(&a)
            }
            Some(Atom::BitLength(a)) => {
                let a = self.substitute(&a, with);
                self.bit_length(&a)
            }
            Some(Atom::Bitwise(operation, a, b)) => {
                let (a, b) = (self.substitute(&a, with), self.substitute(&b, with));
                self.bitwise(operation, &a, &b)
            }
            Some(Atom::Sum {
                variable,
                count,
                body,
            }) => {
                let count = self.substitute(&count, with);
                let body = self.substitute(&body, with);
                Poly::atom(self.intern(Atom::Sum {
                    variable,
                    count,
                    body,
                }))
            }
        }
    }

    /// The value at the given values of symbols; `None` where a symbol has none, a division is by
    /// zero, a number leaves 128 bits, or sums take too many steps.
    pub fn evaluate(&self, poly: &Poly, values: &Values) -> Option<Ratio> {
        self.evaluate_with(poly, &mut values.clone())
    }

    /// The same, with room for the variables of sums in `values`, which is left as it was.
    pub(crate) fn evaluate_with(&self, poly: &Poly, values: &mut Values) -> Option<Ratio> {
        let mut steps = STEPS;
        self.evaluate_within(poly, values, &mut steps)
    }

    fn evaluate_within(&self, poly: &Poly, values: &mut Values, steps: &mut u64) -> Option<Ratio> {
        let mut sum = Ratio::ZERO;
        for (monomial, coefficient) in poly.terms() {
            let mut product = Ratio::integer(*coefficient);
            for &(atom, power) in monomial {
                if product == Ratio::ZERO {
                    break;
                }
                let factor = self.evaluate_atom(atom, values, steps)?;
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

    fn evaluate_atom(&self, id: AtomId, values: &mut Values, steps: &mut u64) -> Option<Ratio> {
        if let Some(&value) = values.get(&id) {
            return Some(value);
        }
        let atom = self.atom(id)?;
        let indicator = |holds: bool| Some(Ratio::integer(i128::from(holds)));
        match atom {
            Atom::Symbol(_) => None,
            Atom::FloorDiv(a, b) => {
                let a = self.evaluate_within(a, values, steps)?;
                a.floor_div(self.evaluate_within(b, values, steps)?)
            }
            Atom::Mod(a, b) => {
                let a = self.evaluate_within(a, values, steps)?;
                let b = self.evaluate_within(b, values, steps)?;
                a.add(b.mul(a.floor_div(b)?)?.mul(Ratio::integer(-1))?)
            }
            Atom::Min(a, b) => {
                let a = self.evaluate_within(a, values, steps)?;
                Some(a.min(self.evaluate_within(b, values, steps)?))
            }
            Atom::Max(a, b) => {
                let a = self.evaluate_within(a, values, steps)?;
                Some(a.max(self.evaluate_within(b, values, steps)?))
            }
            Atom::NonNegative(p) => {
                indicator(self.evaluate_within(p, values, steps)? >= Ratio::ZERO)
            }
            Atom::Zero(p) => indicator(self.evaluate_within(p, values, steps)? == Ratio::ZERO),
            Atom::PowerOfTwo(p) => {
                let exponent = self.evaluate_within(p, values, steps)?.to_integer()?;
                let exponent = u32::try_from(exponent).ok().filter(|&e| e < 127)?;
                Some(Ratio::integer(1 << exponent))
            }
            Atom::BitLength(p) => {
                let value = self.evaluate_within(p, values, steps)?.to_integer()?;
                Some(Ratio::integer(bit_length(value)))
            }
            Atom::Bitwise(operation, a, b) => {
                let a = self.evaluate_within(a, values, steps)?.to_integer()?;
                let b = self.evaluate_within(b, values, steps)?.to_integer()?;
                Some(Ratio::integer(bitwise(*operation, a, b)))
            }
            Atom::Sum {
                variable,
                count,
                body,
            } => {
                let count = self.evaluate_within(count, values, steps)?.to_integer()?;
                let mut sum = Ratio::ZERO;
                for value in 0..count {
                    *steps = steps.checked_sub(1)?;
                    values.insert(*variable, Ratio::integer(value));
                    let summand = self.evaluate_within(body, values, steps);
                    sum = sum.add(summand?)?;
                }
                values.remove(variable);
                Some(sum)
            }
        }
    }
}
