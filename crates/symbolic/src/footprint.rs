//! Compulsory bytes: how many distinct bytes accesses touch, at given values of parameters.
//!
//! Local ids are variables like iterations and workgroup ids here. A part is cut along variables until
//! its address and conditions are linear, as far as that goes; then its bytes are counted exactly
//! (`boxes`). What stays irregular is visited point by point while it is small. Anything
//! else is unknown.

use crate::boxes::{Condition, Form, Interval, Runs, bytes_of};
use crate::concrete::ConcretePart;
use crate::conditions::{Combination, Condition as TestedPoly};
use crate::lanes::Test;
use crate::point::Point;
use crate::poly::{AtomId, Poly};
use crate::program::{PlacedAccess, Program};
use crate::ratio::Ratio;
use crate::substitute::Values;

/// Points that are visited one by one at most.
const POINTS: i128 = 1 << 16;
/// Pieces that one part is cut into at most, so that they are linear.
const PIECES: usize = 2048;
/// Values of a variable that are told apart to that end.
const TOLD_APART: i128 = 64;
/// Ways in which combined conditions can hold that are told apart.
const WAYS: usize = 64;

impl Program {
    /// Distinct bytes of one variable that the accesses touch; `None` where that is not decided.
    pub fn footprint(&mut self, accesses: &[(PlacedAccess, u32)], point: &Point) -> Option<u64> {
        let mut sets: Vec<Runs> = Vec::new();
        let mut intervals: Vec<Interval> = Vec::new();
        let mut points = POINTS;
        for (placed, width) in accesses {
            let address = placed.address.clone()?;
            if !self.data_in(&address).is_empty() {
                return None;
            }
            let width = i128::from(*width);
            for part in self.parts_at(placed.region, point)?.iter() {
                let mut concrete = self.with_address(part, &address, point.values());
                if concrete.weight != 1.0 || concrete.diverges_on_data {
                    return None;
                }
                for axis in 0..3 {
                    let size = i128::from(self.workgroup_size[axis]);
                    let local = self.local[axis].map(|symbol| (symbol, size));
                    concrete.variables.extend(local);
                }
                if let Some(forms) = self.separated(&concrete) {
                    for form in forms {
                        form.add_runs(width, &mut sets)?;
                    }
                    continue;
                }
                for piece in self.linear_pieces(concrete) {
                    let added = forms(&piece).and_then(|forms| {
                        let mut forms = forms.into_iter();
                        forms.try_for_each(|form| form.add_runs(width, &mut sets))
                    });
                    if added.is_none() {
                        self.visit_points(&piece, width, &mut intervals, &mut points)?;
                    }
                }
            }
        }
        bytes_of(sets, intervals)
    }

    /// Cuts a part until no variable with few values is left in anything but linear terms.
    pub(crate) fn linear_pieces(&mut self, part: ConcretePart) -> Vec<ConcretePart> {
        let mut pieces = Vec::new();
        let mut open = self.pieces(part);
        while let Some(part) = open.pop() {
            let cut = self.entangled(&part).filter(|&variable| {
                let values = usize::try_from(part.variables[variable].1).unwrap_or(PIECES);
                pieces.len() + open.len() + values <= PIECES
            });
            match cut {
                Some(variable) => {
                    for value in 0..part.variables[variable].1 {
                        open.push(self.restricted(&part, variable, value, value + 1));
                    }
                }
                None => pieces.push(part),
            }
        }
        pieces
    }

    /// The variable with the fewest values, though more than one, that occurs within other atoms.
    fn entangled(&self, part: &ConcretePart) -> Option<usize> {
        let mut best: Option<(i128, usize)> = None;
        for poly in part.polys() {
            for (monomial, _) in poly.terms() {
                let linear =
                    matches!(monomial.as_slice(), [(id, 1)] if self.arena.symbol(*id).is_some());
                if linear || monomial.is_empty() {
                    continue;
                }
                for (index, &(symbol, range)) in part.variables.iter().enumerate() {
                    let mut factors = monomial.iter();
                    let occurs =
                        factors.any(|&(id, _)| self.arena.mentions(&Poly::atom(id), symbol));
                    if occurs && range > 1 && best.is_none_or(|(least, _)| range < least) {
                        best = Some((range, index));
                    }
                }
            }
        }
        best.filter(|&(range, _)| range <= TOLD_APART)
            .map(|(_, index)| index)
    }

    /// Adds the bytes of a part point by point.
    fn visit_points(
        &self,
        part: &ConcretePart,
        width: i128,
        intervals: &mut Vec<Interval>,
        points: &mut i128,
    ) -> Option<()> {
        let mut count: i128 = 1;
        for &(_, range) in &part.variables {
            count = count.checked_mul(range)?;
        }
        *points -= count;
        if *points < 0 {
            return None;
        }
        let mut values = Values::default();
        for point in 0..count {
            let mut rest = point;
            for &(symbol, range) in &part.variables {
                values.insert(symbol, Ratio::integer(rest % range));
                rest /= range;
            }
            if self.holds_at(part, &mut values)? {
                let first = self.arena.evaluate_with(&part.address, &mut values)?;
                let first = first.to_integer()?;
                intervals.push((first, first + width));
            }
        }
        Some(())
    }

    fn holds_at(&self, part: &ConcretePart, values: &mut Values) -> Option<bool> {
        for condition in &part.conditions {
            let value = self.arena.evaluate_with(&condition.poly, values)?;
            if !condition.test.holds(value.to_integer()?) {
                return Some(false);
            }
        }
        for combination in &part.combinations {
            let mut holds = Vec::new();
            for condition in &combination.tests {
                let value = self.arena.evaluate_with(&condition.poly, values)?;
                holds.push(condition.test.holds(value.to_integer()?));
            }
            if !combination.holds(&holds) {
                return Some(false);
            }
        }
        Some(true)
    }
}

/// Conditions in disjunctive form: all of any one of the lists.
type Ways = Vec<Vec<Condition>>;

/// A part as linear forms, whose bytes together are its bytes; `None` where it is not linear.
pub(crate) fn forms(part: &ConcretePart) -> Option<Vec<Form>> {
    let variables = &part.variables;
    let (constant, address) = linear(&part.address, variables)?;
    let mut ways: Ways = vec![Vec::new()];
    for condition in &part.conditions {
        ways = both(&ways, &ways_of(condition, true, variables)?)?;
    }
    for combination in &part.combinations {
        ways = both(&ways, &ways_to_combine(combination, variables)?)?;
    }
    let ranges: Vec<(i128, i128)> = variables.iter().map(|&(_, range)| (0, range)).collect();
    let forms = ways.into_iter().map(|guards| Form {
        constant,
        address: address.clone(),
        guards,
        ranges: ranges.clone(),
    });
    Some(forms.collect())
}

/// The ways in which a combination can hold: a sum of products, or the complement of a product.
fn ways_to_combine(combination: &Combination, variables: &[(AtomId, i128)]) -> Option<Ways> {
    let test = |&index: &usize| &combination.tests[index];
    let (added, taken): (Vec<_>, Vec<_>) = combination.terms.iter().partition(|(c, _)| *c > 0);
    let mut ways = Ways::new();
    match (added.as_slice(), taken.as_slice()) {
        ([(1, one)], [(-1, product)]) if one.is_empty() => {
            for index in product {
                ways.extend(ways_of(test(index), false, variables)?);
            }
        }
        (products, []) => {
            for (_, product) in products {
                let mut all: Ways = vec![Vec::new()];
                for index in product {
                    all = both(&all, &ways_of(test(index), true, variables)?)?;
                }
                ways.extend(all);
            }
        }
        _ => return None,
    }
    Some(ways)
}

/// The ways in which a test succeeds, or fails.
fn ways_of(condition: &TestedPoly, succeeds: bool, variables: &[(AtomId, i128)]) -> Option<Ways> {
    let p = &condition.poly;
    let at_least = |p: &Poly, least: i128| linear(&p.add_integer(-least), variables);
    Some(match (condition.test, succeeds) {
        (Test::NonNegative, true) => vec![vec![at_least(p, 0)?]],
        (Test::NonNegative, false) => vec![vec![at_least(&p.neg(), 1)?]],
        (Test::Zero, true) | (Test::NonZero, false) => {
            vec![vec![at_least(p, 0)?, at_least(&p.neg(), 0)?]]
        }
        (Test::Zero, false) | (Test::NonZero, true) => {
            vec![vec![at_least(p, 1)?], vec![at_least(&p.neg(), 1)?]]
        }
    })
}

/// The ways in which two conditions can both hold; `None` where they are too many.
fn both(left: &Ways, right: &Ways) -> Option<Ways> {
    let pairs = left
        .iter()
        .flat_map(|a| right.iter().map(move |b| [a.as_slice(), b].concat()));
    (left.len() * right.len() <= WAYS).then(|| pairs.collect())
}

/// Constant and coefficients of the variables; `None` where anything else is left.
fn linear(poly: &Poly, variables: &[(AtomId, i128)]) -> Option<(i128, Vec<i128>)> {
    let mut rest = poly.clone();
    let mut coefficients = Vec::with_capacity(variables.len());
    for (id, _) in variables {
        let (coefficient, without) = rest.linear_in(*id)?;
        coefficients.push(coefficient.as_integer()?);
        rest = without;
    }
    Some((rest.as_integer()?, coefficients))
}
