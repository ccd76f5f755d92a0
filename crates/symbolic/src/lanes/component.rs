//! Variables that share conditions, counted together.
//!
//! Where a form has but one of them, its values are cut at the form's thresholds, so that a whole
//! segment has the same lanes. A variable whose conditions are the same for all lanes and concern one
//! other variable besides is counted for each value of that other one, and goes (inner loops of a
//! triangular nest). Of variables that still share a form, the one with the most values is cut at
//! thresholds that the others set, and the others are taken value by value.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::residues::Residues;
use super::{Group, Guard, LaneSet, Linear, Test, lanes_below};

/// Joint values of coupled variables that are visited one by one at most.
const VISITS: i64 = 200_000;
/// Counts that tables of one component hold at most.
const TABLE: i64 = 1 << 19;

/// Half-open range of a variable's values.
type Segment = (i64, i64);

struct Variable {
    index: usize,
    range: i64,
    /// What a value adds to the address, in units.
    step: i64,
    /// Residues of the variables that were counted for each value of this one.
    inner: Option<Vec<Residues>>,
}

pub(super) struct Component<'g> {
    guards: Vec<&'g Guard>,
    variables: Vec<Variable>,
    lanes: LaneSet,
    /// Number of residues.
    count: usize,
    /// What is left of the tests of lanes.
    tests: &'g Cell<u64>,
}

/// Residues of a variable over ranges of its values.
enum Profile {
    Steps(i64),
    /// Those of all values below, for each value.
    Below(Vec<Residues>),
}

impl<'g> Component<'g> {
    pub(super) fn new(
        group: &'g Group,
        variables: &[usize],
        unit: i64,
        count: usize,
        tests: &'g Cell<u64>,
    ) -> Self {
        let used = |guard: &&Guard| variables.iter().any(|&variable| guard.uses(variable));
        let variable = |&index: &usize| Variable {
            index,
            range: group.ranges[index],
            step: group.steps[index] / unit,
            inner: None,
        };
        Component {
            guards: group.guards.iter().filter(used).collect(),
            variables: variables.iter().map(variable).collect(),
            lanes: lanes_below(group.lanes),
            count,
            tests,
        }
    }

    pub(super) fn distribution(mut self) -> Option<FxHashMap<LaneSet, Residues>> {
        while let Some((inner, outer)) = self.countable() {
            self.count_for_each(inner, outer)?;
        }
        self.cut()
    }

    /// A variable, and the only other one that its conditions concern, where those are the same for all
    /// lanes.
    fn countable(&self) -> Option<(usize, usize)> {
        (0..self.variables.len()).find_map(|inner| {
            let index = self.variables[inner].index;
            let mut outer = None;
            for guard in self.guards.iter().filter(|guard| guard.uses(index)) {
                let (_, form) = guard.as_single()?;
                if form.lanes.iter().any(|lane| *lane != form.lanes[0]) {
                    return None;
                }
                for (other, variable) in self.variables.iter().enumerate() {
                    let used = other != inner && form.coefficients[variable.index] != 0;
                    if used && outer.is_some_and(|outer| outer != other) {
                        return None;
                    }
                    if used {
                        outer = Some(other);
                    }
                }
            }
            let outer = outer?;
            let counts = self.variables[outer].range.checked_mul(self.count as i64)?;
            (counts <= TABLE).then_some((inner, outer))
        })
    }

    /// Counts the inner variable for each value of the outer one.
    fn count_for_each(&mut self, inner: usize, outer: usize) -> Option<()> {
        let counted = self.variables.swap_remove(inner);
        let outer = if outer == self.variables.len() {
            inner
        } else {
            outer
        };
        let profile = self.profile(&counted)?;
        let (own, others): (Vec<&Guard>, Vec<&Guard>) =
            (self.guards.iter()).partition(|guard| guard.uses(counted.index));
        self.guards = others;
        let forms = || own.iter().filter_map(|guard| guard.as_single());
        let variable = &mut self.variables[outer];
        let mut table = Vec::new();
        for value in 0..variable.range {
            let shift = |form: &Linear| form.coefficients[variable.index] * value;
            let mut residues = Residues::none(self.count);
            for segment in segments(forms(), counted.index, counted.range, shift) {
                let holds = |(test, form): &(Test, Linear)| {
                    let at = form.coefficients[counted.index] * segment.0;
                    form.lanes
                        .first()
                        .is_some_and(|lane| test.holds(lane + shift(form) + at))
                };
                if forms().all(holds) {
                    residues.add_rotated(&profile.over(segment, self.count), 0)?;
                }
            }
            table.push(match &variable.inner {
                Some(inner) => residues.convolved(&inner[value as usize])?,
                None => residues,
            });
        }
        variable.inner = Some(table);
        Some(())
    }

    fn profile(&self, variable: &Variable) -> Option<Profile> {
        let Some(inner) = &variable.inner else {
            return Some(Profile::Steps(variable.step));
        };
        let mut below = vec![Residues::none(self.count)];
        for (value, residues) in inner.iter().enumerate() {
            let mut next = below[value].clone();
            next.add_rotated(residues, variable.step * value as i64)?;
            below.push(next);
        }
        Some(Profile::Below(below))
    }

    /// Cuts every variable into segments, and adds up those of the lanes that are active in each.
    fn cut(&self) -> Option<FxHashMap<LaneSet, Residues>> {
        let forms = || self.guards.iter().flat_map(|guard| &guard.forms);
        let is_shared = |form: &Linear| {
            let used = |variable: &&Variable| form.coefficients[variable.index] != 0;
            self.variables.iter().filter(used).count() > 1
        };
        let shares = |variable: &Variable| {
            let uses = |form: &Linear| form.coefficients[variable.index] != 0;
            forms().any(|(_, form)| uses(form) && is_shared(form))
        };
        let sharing = self.variables.iter().enumerate().filter(|(_, v)| shares(v));
        let inner = sharing.max_by_key(|(_, v)| v.range).map(|(at, _)| at);
        let mut profiles = Vec::new();
        for variable in &self.variables {
            profiles.push((variable.index, self.profile(variable)?));
        }
        let mut outer = Vec::new();
        let mut visits: i64 = 1;
        for (at, variable) in self.variables.iter().enumerate() {
            if Some(at) == inner {
                continue;
            }
            let segments: Vec<Segment> = if shares(variable) {
                let values = 0..variable.range.min(VISITS + 1);
                values.map(|value| (value, value + 1)).collect()
            } else {
                segments(forms(), variable.index, variable.range, |_| 0)
            };
            visits = visits.checked_mul(i64::try_from(segments.len()).ok()?)?;
            outer.push((at, segments));
        }
        if visits > VISITS {
            return None;
        }
        let mut sum = FxHashMap::default();
        let mut at = vec![0; outer.len()];
        for _ in 0..visits {
            let chosen = outer.iter().zip(&at);
            let mut chosen: Vec<(usize, Segment)> = chosen
                .map(|((variable, segments), &at)| (*variable, segments[at]))
                .collect();
            match inner {
                None => self.add(&chosen, &profiles, &mut sum)?,
                Some(inner) => {
                    let variable = &self.variables[inner];
                    let shift = |form: &Linear| self.shift(form, &chosen);
                    for segment in segments(forms(), variable.index, variable.range, shift) {
                        chosen.push((inner, segment));
                        self.add(&chosen, &profiles, &mut sum)?;
                        chosen.pop();
                    }
                }
            }
            for (at, (_, segments)) in at.iter_mut().zip(&outer) {
                *at += 1;
                if *at < segments.len() {
                    break;
                }
                *at = 0;
            }
        }
        Some(sum)
    }

    /// What chosen values, each the first of a segment, add to a form.
    fn shift(&self, form: &Linear, chosen: &[(usize, Segment)]) -> i64 {
        let terms = chosen.iter();
        terms
            .map(|&(at, (low, _))| form.coefficients[self.variables[at].index] * low)
            .sum()
    }

    /// Adds the values of one segment of each variable.
    fn add(
        &self,
        chosen: &[(usize, Segment)],
        profiles: &[(usize, Profile)],
        sum: &mut FxHashMap<LaneSet, Residues>,
    ) -> Option<()> {
        let mut active = self.lanes;
        for guard in &self.guards {
            let tests = guard.forms.iter().map(|(_, form)| form.lanes.len() as u64);
            self.tests.set(self.tests.get().checked_sub(tests.sum())?);
            active &= guard.lanes(|form| self.shift(form, chosen));
            if active == 0 {
                return Some(());
            }
        }
        let count = self.count;
        let sum = sum.entry(active).or_insert_with(|| Residues::none(count));
        let mut moved = 0;
        let mut residues: Option<Residues> = None;
        for &(at, segment) in chosen {
            match &profiles[at].1 {
                Profile::Steps(step) if segment.1 - segment.0 == 1 => {
                    moved += step * (segment.0 % count as i64);
                }
                profile => {
                    let own = profile.over(segment, count);
                    residues = Some(match residues {
                        Some(residues) => residues.convolved(&own)?,
                        None => own,
                    });
                }
            }
        }
        match residues {
            Some(residues) => sum.add_rotated(&residues, moved),
            None => sum.add(moved),
        }
    }
}

impl Profile {
    fn over(&self, segment: Segment, count: usize) -> Residues {
        match self {
            Profile::Steps(step) => Residues::of_steps(count, *step, segment),
            Profile::Below(below) => below[segment.1 as usize].less(&below[segment.0 as usize]),
        }
    }
}

/// The values of a variable, cut where one of the forms that mention it changes what its test gives
/// for some lane, with the others' values as a shift.
fn segments<'f>(
    forms: impl Iterator<Item = &'f (Test, Linear)>,
    variable: usize,
    range: i64,
    shift: impl Fn(&Linear) -> i64,
) -> Vec<Segment> {
    let mut cuts = vec![0, range];
    for (test, form) in forms {
        let a = form.coefficients[variable];
        if a == 0 {
            continue;
        }
        let shift = shift(form);
        let mut last = None;
        for &lane in &form.lanes {
            if last.replace(lane) == Some(lane) {
                continue;
            }
            let value = lane + shift;
            // a v + value changes sign, or is zero, here
            let cut = if a < 0 {
                value.div_euclid(-a) + 1
            } else {
                -(value.div_euclid(a))
            };
            cuts.push(cut);
            if *test != Test::NonNegative {
                cuts.extend([cut - 1, cut + 1]);
            }
        }
    }
    cuts.retain(|&cut| (0..=range).contains(&cut));
    cuts.sort_unstable();
    cuts.dedup();
    cuts.windows(2).map(|pair| (pair[0], pair[1])).collect()
}
