//! Which lanes of a SIMD group are active, at which addresses modulo a line, and how often.
//!
//! Everything outside of the SIMD group (workgroup ids, iterations) enters a condition or an address
//! linearly, or is enumerated. A linear variable contributes a shift of the address, of which only
//! the residue modulo the line matters, and moves thresholds of conditions, between which the set of
//! active lanes stays the same. [`Group::distribution`] counts, for each pair of lane set and residue,
//! how many values of all variables give it, without visiting them one by one: variables that share no
//! condition are counted apart ([`component`]), and their residues are convolved ([`residues`]).

mod component;
mod residues;

use std::cell::Cell;

use rustc_hash::FxHashMap;

use component::Component;
use residues::Residues;

/// A set of lanes, bit by lane.
pub(crate) type LaneSet = u128;

/// Greatest magnitude of a term, so that sums of them stay within `i64`.
const MAGNITUDE: i64 = 1 << 56;

/// A quantity that is linear in the free variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    /// Value of each lane where all variables are zero.
    pub(crate) lanes: Vec<i64>,
    /// Coefficient of each variable.
    pub(crate) coefficients: Vec<i64>,
}

impl Linear {
    fn is_small(&self, ranges: &[i64]) -> bool {
        let terms = self.coefficients.iter().zip(ranges);
        self.lanes
            .iter()
            .all(|lane| lane.unsigned_abs() < MAGNITUDE.unsigned_abs())
            && terms
                .map(|(coefficient, range)| coefficient.checked_mul(*range))
                .all(|term| term.is_some_and(|term| term.abs() < MAGNITUDE))
    }
}

/// What is required of a linear quantity for a lane to be active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    /// At least zero.
    NonNegative,
    /// Zero.
    Zero,
    /// Anything but zero.
    NonZero,
}

impl Test {
    pub(crate) fn holds<T: PartialOrd + From<i8>>(self, value: T) -> bool {
        let zero = T::from(0);
        match self {
            Test::NonNegative => value >= zero,
            Test::Zero => value == zero,
            Test::NonZero => value != zero,
        }
    }
}

/// A condition on the lanes of a SIMD group: `Σ c Π [test]` over linear forms is not zero.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) forms: Vec<(Test, Linear)>,
    /// Coefficients, each with the forms of its product.
    pub(crate) terms: Vec<(i128, Vec<usize>)>,
}

impl Guard {
    /// One test of one form.
    pub(crate) fn single(test: Test, form: Linear) -> Guard {
        Guard {
            forms: vec![(test, form)],
            terms: vec![(1, vec![0])],
        }
    }

    /// The test and its form, where it is but one.
    fn as_single(&self) -> Option<&(Test, Linear)> {
        match (self.forms.as_slice(), self.terms.as_slice()) {
            ([form], [(1, _)]) => Some(form),
            _ => None,
        }
    }

    fn uses(&self, variable: usize) -> bool {
        let mut forms = self.forms.iter();
        forms.any(|(_, form)| form.coefficients[variable] != 0)
    }

    /// The lanes for which it holds, at a shift of each form.
    fn lanes(&self, shift: impl Fn(&Linear) -> i64) -> LaneSet {
        let hold = |(test, form): &(Test, Linear)| {
            let shift = shift(form);
            match test {
                Test::NonNegative => lanes_where(&form.lanes, |value| value + shift >= 0),
                Test::Zero => lanes_where(&form.lanes, |value| value + shift == 0),
                Test::NonZero => lanes_where(&form.lanes, |value| value + shift != 0),
            }
        };
        if let Some(form) = self.as_single() {
            return hold(form);
        }
        let sets: Vec<LaneSet> = self.forms.iter().map(hold).collect();
        let count = self.forms.first().map_or(0, |(_, form)| form.lanes.len());
        let mut holds = 0;
        for lane in 0..count.min(128) {
            let product =
                |product: &Vec<usize>| product.iter().all(|&form| sets[form] >> lane & 1 == 1);
            let terms = self.terms.iter().filter(|(_, forms)| product(forms));
            if terms.map(|(coefficient, _)| coefficient).sum::<i128>() != 0 {
                holds |= 1 << lane;
            }
        }
        holds
    }
}

/// A SIMD group with its conditions, and what moves its addresses.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Conditions that variables move.
    guards: Vec<Guard>,
    /// Lanes for which the other conditions hold.
    active: LaneSet,
    /// Number of lanes.
    lanes: usize,
    /// What a value of each variable adds to the address, as a residue.
    steps: Vec<i64>,
    /// Number of values of each variable.
    ranges: Vec<i64>,
    /// Residues are taken modulo this.
    modulus: i64,
}

/// How many values of the variables give each lane set and residue.
#[derive(Clone, Debug)]
pub(crate) struct Distribution {
    sets: FxHashMap<LaneSet, Residues>,
    unit: i64,
}

impl Distribution {
    /// Each lane set with lanes in it, residue and count that is not zero.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (LaneSet, i64, i128)> {
        let sets = self.sets.iter().filter(|(active, _)| **active != 0);
        sets.flat_map(move |(&active, residues)| {
            let residues = residues.iter();
            residues.map(move |(residue, times)| (active, residue as i64 * self.unit, times))
        })
    }
}

impl Group {
    /// Lanes without conditions; a step and a number of values for each variable.
    pub(crate) fn new(lanes: usize, steps: &[i64], ranges: Vec<i64>, modulus: i64) -> Group {
        Group {
            guards: Vec::new(),
            active: lanes_below(lanes),
            lanes,
            steps: steps.iter().map(|step| step.rem_euclid(modulus)).collect(),
            ranges,
            modulus,
        }
    }

    /// Adds a condition, and tells whether any lane may still be active.
    pub(crate) fn require(&mut self, guard: Guard) -> bool {
        if self.varying().any(|variable| guard.uses(variable)) {
            self.guards.push(guard);
        } else {
            self.active &= guard.lanes(|_| 0);
        }
        self.active != 0
    }

    /// Counts lane sets and residues; `None` where variables are coupled over too many values, no
    /// `tests` of lanes are left, or numbers are too large.
    pub(crate) fn distribution(mut self, tests: &Cell<u64>) -> Option<Distribution> {
        let forms = || self.guards.iter().flat_map(|guard| &guard.forms);
        let small = forms().all(|(_, form)| form.is_small(&self.ranges));
        if !small || self.ranges.iter().any(|&range| range >= MAGNITUDE) {
            return None;
        }
        self.fuse();
        let steps = self.steps.iter().map(|&step| i128::from(step));
        let unit = steps.fold(self.modulus.into(), crate::ratio::gcd);
        let unit = i64::try_from(unit).ok()?;
        let count = usize::try_from(self.modulus / unit).ok()?;
        let (guarded, alone): (Vec<usize>, Vec<usize>) = self
            .varying()
            .partition(|&variable| self.guards.iter().any(|guard| guard.uses(variable)));
        let mut residues = Residues::once(count);
        for variable in alone {
            let (step, range) = (self.steps[variable] / unit, self.ranges[variable]);
            residues = residues.convolved(&Residues::of_steps(count, step, (0, range)))?;
        }
        let mut sets = FxHashMap::default();
        sets.insert(self.active, residues);
        for variables in self.components(&guarded) {
            let component = Component::new(&self, &variables, unit, count, tests);
            sets = product(&sets, &component.distribution()?)?;
        }
        Some(Distribution { sets, unit })
    }

    /// Fuses variables that occur only as `n·u + v` with `v < n`.
    fn fuse(&mut self) {
        while let Some((u, v, range)) = self.fusible() {
            self.ranges[v] = range;
            self.ranges[u] = 1;
            let guards = self.guards.iter_mut();
            for (_, form) in guards.flat_map(|guard| &mut guard.forms) {
                form.coefficients[u] = 0;
            }
            self.steps[u] = 0;
        }
    }

    fn fusible(&self) -> Option<(usize, usize, i64)> {
        for v in 0..self.ranges.len() {
            let n = self.ranges[v];
            if n <= 1 || !self.guards.iter().any(|guard| guard.uses(v)) {
                continue;
            }
            for u in (0..self.ranges.len()).filter(|&u| u != v && self.ranges[u] > 1) {
                let fits = |form: &Linear| {
                    Some(form.coefficients[u]) == form.coefficients[v].checked_mul(n)
                };
                let mut forms = self.guards.iter().flat_map(|guard| &guard.forms);
                let moved = i128::from(self.steps[v]) * i128::from(n) - i128::from(self.steps[u]);
                let range = self.ranges[u].checked_mul(n).filter(|&n| n < MAGNITUDE);
                if let Some(range) = range
                    && moved % i128::from(self.modulus) == 0
                    && forms.all(|(_, form)| fits(form))
                {
                    return Some((u, v, range));
                }
            }
        }
        None
    }

    /// Variables with other values than zero, or none.
    fn varying(&self) -> impl Iterator<Item = usize> {
        (0..self.ranges.len()).filter(|&variable| self.ranges[variable] != 1)
    }

    /// Groups of variables that share a condition.
    fn components(&self, variables: &[usize]) -> Vec<Vec<usize>> {
        let mut components: Vec<Vec<usize>> = Vec::new();
        for &variable in variables {
            let guards = self.guards.iter().filter(|guard| guard.uses(variable));
            let guards: Vec<&Guard> = guards.collect();
            let is_joined = |component: &Vec<usize>| {
                let mut others = component.iter();
                others.any(|&other| guards.iter().any(|guard| guard.uses(other)))
            };
            let (joined, mut apart): (Vec<_>, Vec<_>) = components.into_iter().partition(is_joined);
            let mut own = joined.concat();
            own.push(variable);
            apart.push(own);
            components = apart;
        }
        components
    }
}

fn lanes_below(count: usize) -> LaneSet {
    if count >= 128 {
        LaneSet::MAX
    } else {
        (1 << count) - 1
    }
}

fn lanes_where(values: &[i64], holds: impl Fn(i64) -> bool) -> LaneSet {
    let half = |values: &[i64]| {
        let lanes = values.iter().enumerate();
        lanes.fold(0u64, |set, (lane, &value)| {
            set | u64::from(holds(value)) << lane
        })
    };
    let mut halves = values.chunks(64).map(half);
    let low = halves.next().unwrap_or(0);
    let high = halves.next().unwrap_or(0);
    LaneSet::from(high) << 64 | LaneSet::from(low)
}

/// Counts of two components that share no condition.
fn product(
    left: &FxHashMap<LaneSet, Residues>,
    right: &FxHashMap<LaneSet, Residues>,
) -> Option<FxHashMap<LaneSet, Residues>> {
    let mut product = FxHashMap::default();
    for (&a, of_a) in left {
        for (&b, of_b) in right {
            if a & b != 0 {
                let convolved = of_a.convolved(of_b)?;
                match product.entry(a & b) {
                    std::collections::hash_map::Entry::Vacant(entry) => {
                        entry.insert(convolved);
                    }
                    std::collections::hash_map::Entry::Occupied(mut entry) => {
                        entry.get_mut().add_rotated(&convolved, 0)?;
                    }
                }
            }
        }
    }
    Some(product)
}

#[cfg(test)]
mod tests;
