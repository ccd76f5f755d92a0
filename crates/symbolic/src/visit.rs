//! Visits the SIMD groups of a launch: which lanes are active, at which addresses, how often.
//!
//! A part's conditions and address are taken apart once ([`Split`]). Where the
//! SIMD groups of a workgroup differ in linear terms only, they are values of a variable like any other;
//! otherwise each is taken by itself. Variables that are not linear are visited at each joint value.

use std::cell::Cell;

use crate::arena::Arena;
use crate::concrete::ConcretePart;
use crate::lane_boxes::{LaneBox, lane_boxes};
use crate::lane_values::LaneValues;
use crate::lanes::{Group, Guard, LaneSet, Linear};
use crate::poly::{AtomId, Poly};
use crate::program::Program;

/// Joint values of variables that enter a condition or an address in a way that is not linear, times
/// lanes, that are visited at most.
const VISITS: i128 = 60_000;

/// The same, below which all values are visited even where a few would be enough.
const REPRESENTED: i128 = 1 << 12;

/// Tests whether a condition holds for a lane that all SIMD groups of a part may take.
const TESTS: u64 = 1 << 24;

/// Values of one coupled variable, and of each of several, that stand for more than that.
const FEW: i128 = 8;
const FEW_EACH: i128 = 3;

/// One SIMD group's lanes for some values of the variables.
pub(crate) struct Visit<'a> {
    /// Byte address of each lane, up to a multiple of the modulus.
    pub(crate) addresses: &'a [i64],
    /// Shift of all addresses.
    pub(crate) residue: i64,
    /// Active lanes.
    pub(crate) active: LaneSet,
    /// How often.
    pub(crate) times: i128,
}

/// A polynomial by what its terms are linear in.
struct Split {
    constant: i64,
    /// Coefficients of the local ids.
    local: [i64; 3],
    free: Vec<i64>,
    joint: Vec<i64>,
    /// The terms that are linear in none of those.
    other: Option<Poly>,
}

/// Conditions and address of a part, taken apart.
struct Splits {
    conditions: Vec<Split>,
    combinations: Vec<Vec<Split>>,
    address: Split,
    /// Variables that are linear everywhere, and the others, with the number of their values.
    free: Vec<(AtomId, i128)>,
    joint: Vec<(AtomId, i128)>,
    /// Variables whose only value is zero.
    fixed: Vec<(AtomId, i128)>,
    /// Whether the joint ones have more values than are visited.
    sampled: bool,
    /// What is left of the tests of lanes.
    tests: Cell<u64>,
}

/// Lanes of SIMD groups that are alike.
struct Lanes {
    /// Local ids of each lane of the first.
    ids: Vec<[i64; 3]>,
    /// Axes along which the others lie, the distance between them, and how many.
    along: Vec<(usize, i64, i64)>,
}

impl Program {
    /// Visits every combination of lane set and address residue of every SIMD group of a part.
    /// Returns `None`, possibly after some visits, where there are too many to count, and whether a few
    /// stood for all.
    pub(crate) fn visit_simd_groups(
        &self,
        part: &ConcretePart,
        simd_width: u32,
        modulus: i64,
        visit: &mut impl FnMut(&Visit<'_>),
    ) -> Option<bool> {
        let splits = self.splits(part, modulus)?;
        let lanes: u64 = self.workgroup_size.iter().map(|&n| u64::from(n)).product();
        let mut visits: i128 = 1;
        for (_, range) in &splits.joint {
            visits = visits.checked_mul(*range)?;
        }
        if visits.checked_mul(lanes.into())? > VISITS {
            return None;
        }
        let boxes = lane_boxes(self.workgroup_size, simd_width);
        let alike = |boxes: &Vec<LaneBox>| boxes.iter().all(|&lanes| self.is_alike(&splits, lanes));
        let groups: Vec<Lanes> = match boxes.filter(alike) {
            Some(boxes) => boxes.into_iter().map(|lanes| self.in_box(lanes)).collect(),
            None => self.one_by_one(simd_width),
        };
        let mut at = vec![0; splits.joint.len()];
        for _ in 0..visits {
            for lanes in &groups {
                self.visit_group(part, &splits, &at, lanes, modulus, visit)?;
            }
            for (value, (_, range)) in at.iter_mut().zip(&splits.joint) {
                *value += 1;
                if i128::from(*value) < *range {
                    break;
                }
                *value = 0;
            }
        }
        Some(splits.sampled)
    }

    fn splits(&self, part: &ConcretePart, modulus: i64) -> Option<Splits> {
        let coupled = self.coupled(part);
        let (fixed, variables): (Vec<_>, Vec<_>) = part
            .variables
            .iter()
            .copied()
            .partition(|&(_, range)| range == 1);
        let variables = variables.into_iter();
        let (mut joint, free): (Vec<_>, Vec<_>) =
            variables.partition(|(id, _)| coupled.contains(id));
        let lanes: i128 = self.workgroup_size.iter().map(|&n| i128::from(n)).product();
        let mut ranges = joint.iter().map(|(_, range)| *range);
        let all = ranges.try_fold(lanes, i128::checked_mul);
        let sampled = part.representative && all.is_none_or(|all| all > REPRESENTED);
        if sampled {
            let most = if joint.len() > 1 { FEW_EACH } else { FEW };
            for (_, range) in &mut joint {
                *range = (*range).min(most);
            }
        }
        let split = |poly: &Poly| self.split_linear(poly, [&free, &joint, &fixed], None);
        let conditions = part
            .conditions
            .iter()
            .map(|condition| split(&condition.poly));
        let combinations = part.combinations.iter().map(|combination| {
            let tests = combination.tests.iter();
            tests.map(|condition| split(&condition.poly)).collect()
        });
        Some(Splits {
            conditions: conditions.collect::<Option<_>>()?,
            combinations: combinations.collect::<Option<_>>()?,
            address: self.split_linear(&part.address, [&free, &joint, &fixed], Some(modulus))?,
            free,
            joint,
            fixed,
            sampled,
            tests: Cell::new(TESTS),
        })
    }

    /// Takes a polynomial apart; what is the same for all lanes only matters up to a multiple of the
    /// modulus, where there is one.
    fn split_linear(
        &self,
        poly: &Poly,
        [free, joint, fixed]: [&[(AtomId, i128)]; 3],
        modulus: Option<i64>,
    ) -> Option<Split> {
        let denominator = poly.denominator();
        let mut split = Split {
            constant: 0,
            local: [0; 3],
            free: vec![0; free.len()],
            joint: vec![0; joint.len()],
            other: None,
        };
        let mut other = Poly::zero();
        for (monomial, coefficient) in poly.terms() {
            let whole = (coefficient % denominator == 0).then(|| coefficient / denominator);
            let is_of_lanes = monomial
                .iter()
                .any(|&(id, _)| self.local.contains(&Some(id)));
            let whole = whole.map(|whole| match modulus.filter(|_| !is_of_lanes) {
                Some(modulus) => whole.rem_euclid(modulus.into()),
                None => whole,
            });
            let whole = whole.map(i64::try_from).transpose().ok()?;
            if monomial.iter().any(|(id, _)| is_among(fixed, *id)) {
                continue;
            }
            let term = || Poly::monomial(monomial.clone()).scale(*coefficient);
            match (monomial.as_slice(), whole) {
                ([], Some(whole)) => split.constant = whole,
                ([(id, 1)], whole) => {
                    let among = |variables: &[(AtomId, i128)]| {
                        variables.iter().position(|(variable, _)| variable == id)
                    };
                    let axis = self.local.iter().position(|local| *local == Some(*id));
                    match (among(free), whole, axis, among(joint)) {
                        (Some(at), whole, _, _) => split.free[at] = whole?,
                        (_, Some(whole), Some(axis), _) => split.local[axis] = whole,
                        (_, Some(whole), _, Some(at)) => split.joint[at] = whole,
                        _ => other = other.add(&term()),
                    }
                }
                _ => other = other.add(&term()),
            }
        }
        split.other = (!other.is_zero()).then(|| other.divide_by(denominator));
        Some(split)
    }

    /// Variables that enter a condition or the address other than linearly.
    fn coupled(&self, part: &ConcretePart) -> Vec<AtomId> {
        let mut coupled = Vec::new();
        for poly in part.polys() {
            for (monomial, _) in poly.terms() {
                if let [(id, 1)] = monomial.as_slice()
                    && self.arena.symbol(*id).is_some()
                {
                    continue;
                }
                for &(id, _) in monomial {
                    self.arena
                        .for_each_atom(&Poly::atom(id), &mut |id| coupled.push(id));
                }
            }
        }
        coupled
    }

    /// Whether the SIMD groups of a box differ in linear terms only.
    fn is_alike(&self, splits: &Splits, lanes: LaneBox) -> bool {
        let differs =
            |axis: usize| self.workgroup_size[axis] > 1 && (axis > lanes.axis || lanes.repeats > 1);
        let axes = (lanes.axis..3).filter(|&axis| differs(axis));
        let symbols: Vec<AtomId> = axes.filter_map(|axis| self.local[axis]).collect();
        splits.others().all(|other| {
            let mut symbols = symbols.iter();
            !symbols.any(|&symbol| self.arena.mentions(other, symbol))
        })
    }

    fn in_box(&self, lanes: LaneBox) -> Lanes {
        let size = self.workgroup_size.map(i64::from);
        let (first, length) = (i64::from(lanes.first), i64::from(lanes.length));
        let within: i64 = size[..lanes.axis].iter().product();
        let ids = (0..within * length).map(|index| {
            let mut ids = [0; 3];
            let mut rest = index;
            for axis in 0..lanes.axis {
                ids[axis] = rest % size[axis];
                rest /= size[axis];
            }
            ids[lanes.axis] = first + rest;
            ids
        });
        let mut along = vec![(lanes.axis, length, i64::from(lanes.repeats))];
        along.extend((lanes.axis + 1..3).map(|axis| (axis, 1, size[axis])));
        along.retain(|&(_, _, count)| count > 1);
        Lanes {
            ids: ids.collect(),
            along,
        }
    }

    fn one_by_one(&self, simd_width: u32) -> Vec<Lanes> {
        let [x, y, z] = self.workgroup_size.map(i64::from);
        let ids = (0..x * y * z).map(|index| [index % x, index / x % y, index / (x * y)]);
        let ids: Vec<[i64; 3]> = ids.collect();
        let groups = ids.chunks(simd_width.max(1) as usize).map(|ids| Lanes {
            ids: ids.to_vec(),
            along: Vec::new(),
        });
        groups.collect()
    }

    fn visit_group(
        &self,
        part: &ConcretePart,
        splits: &Splits,
        at: &[i64],
        lanes: &Lanes,
        modulus: i64,
        visit: &mut impl FnMut(&Visit<'_>),
    ) -> Option<()> {
        let steps = splits.address.coefficients(lanes)?;
        let along = lanes.along.iter().map(|&(_, _, count)| Some(count));
        let free = splits.free.iter();
        let free = free.map(|&(_, range)| i64::try_from(range).ok());
        let ranges = free.chain(along).collect::<Option<_>>()?;
        let mut group = Group::new(lanes.ids.len(), &steps, ranges, modulus);
        let mut values = self.lane_values(splits, at, lanes);
        for (condition, split) in part.conditions.iter().zip(&splits.conditions) {
            let form = split.linear(at, lanes, &mut values)?;
            if !group.require(Guard::single(condition.test, form)) {
                return Some(());
            }
        }
        for (combination, tests) in part.combinations.iter().zip(&splits.combinations) {
            let mut forms = Vec::new();
            for (condition, split) in combination.tests.iter().zip(tests) {
                forms.push((condition.test, split.linear(at, lanes, &mut values)?));
            }
            let terms = combination.terms.clone();
            if !group.require(Guard { forms, terms }) {
                return Some(());
            }
        }
        let distribution = group.distribution(&splits.tests)?;
        let mut visits = distribution.iter().peekable();
        if visits.peek().is_none() {
            return Some(());
        }
        let address = splits.address.at_lanes(at, lanes, &mut values)?;
        for (active, residue, times) in visits {
            visit(&Visit {
                addresses: &address,
                residue,
                active,
                times,
            });
        }
        Some(())
    }

    fn lane_values<'a>(&'a self, splits: &Splits, at: &[i64], lanes: &Lanes) -> LaneValues<'a> {
        let arena: &Arena = &self.arena;
        let mut values = LaneValues::new(arena, lanes.ids.len());
        if splits.others().next().is_some() {
            for (axis, symbol) in self.local.iter().enumerate() {
                if let Some(symbol) = symbol {
                    let ids = lanes.ids.iter().map(|ids| ids[axis]);
                    values.set(*symbol, ids.collect::<Vec<_>>());
                }
            }
            for ((symbol, _), &value) in splits.joint.iter().zip(at) {
                values.set(*symbol, vec![value; lanes.ids.len()]);
            }
            for (symbol, _) in &splits.fixed {
                values.set(*symbol, vec![0; lanes.ids.len()]);
            }
        }
        values
    }
}

fn is_among(variables: &[(AtomId, i128)], id: AtomId) -> bool {
    variables.iter().any(|&(variable, _)| variable == id)
}

impl Splits {
    /// What is not linear.
    fn others(&self) -> impl Iterator<Item = &Poly> {
        let combined = self.combinations.iter().flatten();
        let all = self
            .conditions
            .iter()
            .chain(combined)
            .chain([&self.address]);
        all.filter_map(|split| split.other.as_ref())
    }
}

impl Split {
    /// Values of the lanes of the first SIMD group, where the free variables are zero, at values of the
    /// joint ones.
    fn at_lanes(&self, at: &[i64], lanes: &Lanes, values: &mut LaneValues<'_>) -> Option<Vec<i64>> {
        let mut constant = self.constant;
        for (coefficient, value) in self.joint.iter().zip(at) {
            constant = constant.checked_add(coefficient.checked_mul(*value)?)?;
        }
        let mut own = vec![constant; lanes.ids.len()];
        for (axis, coefficient) in self.local.iter().enumerate() {
            if *coefficient != 0 {
                for (value, ids) in own.iter_mut().zip(&lanes.ids) {
                    *value = value.checked_add(coefficient.checked_mul(ids[axis])?)?;
                }
            }
        }
        if let Some(other) = &self.other {
            for (value, more) in own.iter_mut().zip(values.poly(other)?) {
                *value = value.checked_add(more)?;
            }
        }
        Some(own)
    }

    /// Coefficients of the free variables and of what distinguishes the SIMD groups.
    fn coefficients(&self, lanes: &Lanes) -> Option<Vec<i64>> {
        let along = lanes.along.iter();
        let along = along.map(|&(axis, step, _)| self.local[axis].checked_mul(step));
        self.free.iter().copied().map(Some).chain(along).collect()
    }

    fn linear(&self, at: &[i64], lanes: &Lanes, values: &mut LaneValues<'_>) -> Option<Linear> {
        Some(Linear {
            lanes: self.at_lanes(at, lanes, values)?,
            coefficients: self.coefficients(lanes)?,
        })
    }
}
