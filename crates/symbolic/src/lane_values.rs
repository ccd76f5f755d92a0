//! Values of polynomials for all lanes of a SIMD group at once.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom};
use crate::build::{bit_length, bitwise};
use crate::poly::{AtomId, Poly};
use crate::ratio::Ratio;
use crate::substitute::Values;

/// One value for each lane.
type Lanes = Rc<[i64]>;

/// Polynomials at one value of each symbol for each lane; atoms are evaluated once.
pub(crate) struct LaneValues<'a> {
    arena: &'a Arena,
    lanes: usize,
    atoms: FxHashMap<AtomId, Lanes>,
    symbols: Vec<(AtomId, Lanes)>,
}

impl<'a> LaneValues<'a> {
    pub(crate) fn new(arena: &'a Arena, lanes: usize) -> Self {
        LaneValues {
            arena,
            lanes,
            atoms: FxHashMap::default(),
            symbols: Vec::new(),
        }
    }

    /// Gives a symbol its values, before anything is evaluated.
    pub(crate) fn set(&mut self, symbol: AtomId, values: impl Into<Lanes>) {
        let values: Lanes = values.into();
        self.atoms.insert(symbol, values.clone());
        self.symbols.push((symbol, values));
    }

    /// Whole values; `None` where a symbol has none, a division is by zero, a value is a fraction or
    /// leaves 64 bits.
    pub(crate) fn poly(&mut self, poly: &Poly) -> Option<Vec<i64>> {
        self.whole(poly).or_else(|| self.one_by_one(poly))
    }

    /// The same, where all parts are whole numbers of 64 bits too.
    fn whole(&mut self, poly: &Poly) -> Option<Vec<i64>> {
        let mut sums = vec![0i64; self.lanes];
        for (monomial, coefficient) in poly.terms() {
            let coefficient = i64::try_from(*coefficient).ok()?;
            match monomial.as_slice() {
                [] => add_times(&mut sums, coefficient, |_| 1)?,
                [(atom, 1)] => {
                    let values = self.atom(*atom)?;
                    add_times(&mut sums, coefficient, |lane| values[lane])?;
                }
                factors => {
                    let mut products = vec![1i64; self.lanes];
                    for &(atom, power) in factors {
                        let values = self.atom(atom)?;
                        for _ in 0..power {
                            for (product, value) in products.iter_mut().zip(values.iter()) {
                                *product = product.checked_mul(*value)?;
                            }
                        }
                    }
                    add_times(&mut sums, coefficient, |lane| products[lane])?;
                }
            }
        }
        let denominator = i64::try_from(poly.denominator()).ok()?;
        if denominator != 1 {
            for sum in &mut sums {
                if *sum % denominator != 0 {
                    return None;
                }
                *sum /= denominator;
            }
        }
        Some(sums)
    }

    fn one_by_one(&self, poly: &Poly) -> Option<Vec<i64>> {
        let mut values = Values::default();
        let lanes = (0..self.lanes).map(|lane| {
            for (symbol, of) in &self.symbols {
                values.insert(*symbol, Ratio::integer(of[lane].into()));
            }
            let value = self.arena.evaluate(poly, &values)?.to_integer()?;
            i64::try_from(value).ok()
        });
        lanes.collect()
    }

    fn atom(&mut self, id: AtomId) -> Option<Lanes> {
        if let Some(values) = self.atoms.get(&id) {
            return Some(values.clone());
        }
        let values: Lanes = self.compound(id)?.into();
        self.atoms.insert(id, values.clone());
        Some(values)
    }

    fn compound(&mut self, id: AtomId) -> Option<Vec<i64>> {
        let arena = self.arena;
        match arena.atom(id)? {
            Atom::Symbol(_) => None,
            Atom::Sum { .. } => self.one_by_one(&Poly::atom(id)),
            Atom::FloorDiv(a, b) => self.pairs(a, b, |a, b| {
                let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
                Some(quotient - i64::from(rest != 0 && (rest < 0) != (b < 0)))
            }),
            Atom::Mod(a, b) => self.pairs(a, b, |a, b| {
                let rest = a.checked_rem(b)?;
                Some(if rest != 0 && (rest < 0) != (b < 0) {
                    rest + b
                } else {
                    rest
                })
            }),
            Atom::Min(a, b) => self.pairs(a, b, |a, b| Some(a.min(b))),
            Atom::Max(a, b) => self.pairs(a, b, |a, b| Some(a.max(b))),
            Atom::Bitwise(operation, a, b) => self.pairs(a, b, |a, b| {
                i64::try_from(bitwise(*operation, a.into(), b.into())).ok()
            }),
            Atom::NonNegative(p) => self.each(p, |value| Some(i64::from(value >= 0))),
            Atom::Zero(p) => self.each(p, |value| Some(i64::from(value == 0))),
            Atom::Not(p) => self.each(p, |value| 1i64.checked_sub(value)),
            Atom::PowerOfTwo(p) => self.each(p, |value| {
                let exponent = u32::try_from(value).ok().filter(|&e| e < 63)?;
                Some(1 << exponent)
            }),
            Atom::BitLength(p) => {
                self.each(p, |value| i64::try_from(bit_length(value.into())).ok())
            }
        }
    }

    fn each(&mut self, p: &Poly, of: impl Fn(i64) -> Option<i64>) -> Option<Vec<i64>> {
        let mut values = self.whole(p)?;
        for value in &mut values {
            *value = of(*value)?;
        }
        Some(values)
    }

    fn pairs(
        &mut self,
        a: &Poly,
        b: &Poly,
        of: impl Fn(i64, i64) -> Option<i64>,
    ) -> Option<Vec<i64>> {
        let mut values = self.whole(a)?;
        if let Some(b) = b.as_integer() {
            let b = i64::try_from(b).ok()?;
            for a in &mut values {
                *a = of(*a, b)?;
            }
            return Some(values);
        }
        for (a, b) in values.iter_mut().zip(self.whole(b)?) {
            *a = of(*a, b)?;
        }
        Some(values)
    }
}

/// Adds a multiple of each lane's value; `None` where a sum leaves 64 bits.
fn add_times(sums: &mut [i64], coefficient: i64, value: impl Fn(usize) -> i64) -> Option<()> {
    for (lane, sum) in sums.iter_mut().enumerate() {
        *sum = sum.checked_add(coefficient.checked_mul(value(lane))?)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::made_up::{expressions, symbol, values};

    proptest! {
        #[test]
        fn every_lane_has_the_value_of_the_expression(
            made in expressions(2),
            first in proptest::collection::vec(-20i64..40, 5),
            second in -20i64..40,
        ) {
            let mut arena = Arena::default();
            let symbols = ["a", "b"].map(|name| symbol(&mut arena, name, None, None));
            let poly = made.build(&mut arena, &symbols);
            let mut lanes = LaneValues::new(&arena, first.len());
            lanes.set(symbols[0], first.as_slice());
            lanes.set(symbols[1], vec![second; first.len()]);
            let alone: Option<Vec<i64>> = first
                .iter()
                .map(|&first| {
                    let at = values(&symbols, &[first.into(), second.into()]);
                    i64::try_from(arena.evaluate(&poly, &at)?.to_integer()?).ok()
                })
                .collect();
            prop_assert_eq!(lanes.poly(&poly), alone);
        }
    }
}
