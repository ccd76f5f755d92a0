//! Compulsory bytes: how many distinct bytes accesses touch, at given values of parameters.
//!
//! An access whose address and conditions are linear, and whose conditions bound one variable each
//! (after fusing `n·u + v`), touches a set of the form `start + Σ c v`. Sorted by coefficient it is
//! either one run or equal runs at a stride, level by level; then it is counted exactly. Other sets are
//! enumerated while they are small. Anything else is unknown.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::concrete::ConcretePart;
use crate::lanes::Test;
use crate::poly::{AtomId, Poly};
use crate::program::{PlacedAccess, Program};

/// Equal runs of bytes at strides.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Runs {
    start: i128,
    bytes: i128,
    /// Stride and count of each level, innermost first.
    levels: Vec<(i128, i128)>,
}

/// Points, or bytes, that are enumerated at most.
const POINTS: i128 = 1 << 18;
/// Above every address.
const SPAN: i128 = 1 << 60;

impl Program {
    /// Distinct bytes of one variable that the accesses touch; `None` where that is not decided.
    pub fn footprint(
        &mut self,
        accesses: &[(PlacedAccess, u32)],
        values: &FxHashMap<AtomId, Poly>,
    ) -> Option<u64> {
        let mut sets: Vec<Runs> = Vec::new();
        let mut irregular: Vec<(ConcretePart, u32)> = Vec::new();
        for (placed, width) in accesses {
            let address = placed.address.clone()?;
            if !self.data_in(&address).is_empty() {
                return None;
            }
            for part in self.parts(placed.region) {
                let concrete = self.concrete(&part, &address, values)?;
                if concrete.weight != 1.0 || concrete.diverges_on_data {
                    return None;
                }
                for piece in self.pieces(concrete) {
                    match self.runs(&piece, i128::from(*width)) {
                        Some(Some(runs)) if !sets.contains(&runs) => sets.push(runs),
                        Some(_) => {}
                        None => irregular.push((piece, *width)),
                    }
                }
            }
        }
        let scattered = self.enumerate(&irregular)?;
        union(&joined(sets), &scattered)
    }

    /// The runs of a part; `Some(None)` where it touches nothing, `None` where it is not of that form.
    fn runs(&self, part: &ConcretePart, width: i128) -> Option<Option<Runs>> {
        let mut form = self.box_of(part)?;
        if !form.bound()? {
            return Some(None);
        }
        let mut start = form.constant;
        let mut steps: Vec<(i128, i128)> = Vec::new();
        for (index, &(low, high)) in form.ranges.iter().enumerate() {
            let (c, n) = (form.address[index], high - low);
            if n <= 0 {
                return Some(None);
            }
            start += c * if c >= 0 { low } else { high - 1 };
            if c != 0 && n > 1 {
                steps.push((c.abs(), n));
            }
        }
        steps.sort_unstable();
        let mut runs = Runs {
            start,
            bytes: width,
            levels: Vec::new(),
        };
        for (c, n) in steps {
            runs.repeat(c, n)?;
        }
        Some(Some(runs))
    }

    /// Address and conditions as linear forms over all variables, local ids included.
    fn box_of(&self, part: &ConcretePart) -> Option<Form> {
        let mut variables = part.variables.clone();
        for axis in 0..3 {
            if let Some(symbol) = self.local[axis] {
                variables.push((symbol, self.workgroup_size[axis].into()));
            }
        }
        let (constant, address) = linear(&part.address, &variables)?;
        if !part.combinations.is_empty() {
            return None;
        }
        let mut guards = Vec::new();
        for condition in &part.conditions {
            if condition.test != Test::NonNegative {
                return None;
            }
            guards.push(linear(&condition.poly, &variables)?);
        }
        let ranges = variables.iter().map(|&(_, range)| (0, range)).collect();
        Some(Form {
            constant,
            address,
            guards,
            ranges,
        })
    }

    /// The bytes of parts, point by point; `None` where there are too many.
    fn enumerate(&self, parts: &[(ConcretePart, u32)]) -> Option<FxHashSet<i128>> {
        let lanes: i128 = self.workgroup_size.iter().map(|&n| i128::from(n)).product();
        let mut points: i128 = 0;
        for (part, _) in parts {
            let mut own = lanes;
            for (_, range) in &part.variables {
                own = own.checked_mul(*range)?;
            }
            points = points.checked_add(own)?;
        }
        if points > POINTS {
            return None;
        }
        let mut touched = FxHashSet::default();
        for (part, width) in parts {
            // one lane at a time, so that the residue is the whole address
            self.visit_simd_groups(part, 1, SPAN, &mut |visit| {
                let first = (visit.addresses[0] + visit.residue).rem_euclid(SPAN);
                touched.extend(first..first + i128::from(*width));
            })?;
        }
        Some(touched)
    }
}

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

struct Form {
    constant: i128,
    address: Vec<i128>,
    guards: Vec<(i128, Vec<i128>)>,
    /// Half-open range of each variable.
    ranges: Vec<(i128, i128)>,
}

impl Form {
    /// Turns conditions into ranges; whether anything is left, `None` where a condition remains.
    fn bound(&mut self) -> Option<bool> {
        loop {
            if !self.apply() {
                return Some(false);
            }
            if self.guards.is_empty() {
                return Some(true);
            }
            if !self.fuse() {
                return None;
            }
        }
    }

    /// Applies conditions on one variable, and drops those that always hold.
    fn apply(&mut self) -> bool {
        let mut possible = true;
        let guards = std::mem::take(&mut self.guards);
        for (constant, coefficients) in guards {
            let used: Vec<usize> = (0..coefficients.len())
                .filter(|&i| coefficients[i] != 0)
                .collect();
            match used.as_slice() {
                [] => possible &= constant >= 0,
                [v] => {
                    let a = coefficients[*v];
                    let range = &mut self.ranges[*v];
                    if a > 0 {
                        range.0 = range.0.max(
                            (-constant).div_euclid(a) + i128::from((-constant).rem_euclid(a) != 0),
                        );
                    } else {
                        range.1 = range.1.min(constant.div_euclid(-a) + 1);
                    }
                    possible &= range.0 < range.1;
                }
                _ => self.guards.push((constant, coefficients)),
            }
        }
        if possible {
            let ranges = &self.ranges;
            self.guards.retain(|(constant, coefficients)| {
                let least: i128 = coefficients
                    .iter()
                    .zip(ranges)
                    .map(|(&a, &(low, high))| a * if a >= 0 { low } else { high - 1 })
                    .sum();
                constant + least < 0
            });
        }
        possible
    }

    fn fuse(&mut self) -> bool {
        for v in 0..self.ranges.len() {
            let (low, n) = self.ranges[v];
            for u in 0..self.ranges.len() {
                if u == v || low != 0 || n <= 1 || self.ranges[u].0 != 0 {
                    continue;
                }
                let fits = |c: &Vec<i128>| c[u] == c[v].saturating_mul(n);
                let fits = self.guards.iter().all(|(_, c)| fits(c)) && fits(&self.address);
                let used = self.guards.iter().any(|(_, c)| c[v] != 0);
                let Some(range) = self.ranges[u].1.checked_mul(n) else {
                    continue;
                };
                if !fits || !used {
                    continue;
                }
                self.ranges[v] = (0, range);
                self.ranges[u] = (0, 1);
                self.address[u] = 0;
                for (_, c) in &mut self.guards {
                    c[u] = 0;
                }
                return true;
            }
        }
        false
    }
}

impl Runs {
    /// The union of `n` copies, each `c` bytes further on; `None` where copies overlap in part.
    fn repeat(&mut self, c: i128, n: i128) -> Option<()> {
        let extent = self.extent()?;
        match self.levels.last_mut() {
            None if c <= self.bytes => self.bytes += c.checked_mul(n - 1)?,
            Some((stride, count)) if c % *stride == 0 && c / *stride <= *count => {
                *count = (c / *stride).checked_mul(n - 1)?.checked_add(*count)?;
            }
            _ if c >= extent => self.levels.push((c, n)),
            _ => return None,
        }
        Some(())
    }

    /// The union of copies at starts that make up one or two arithmetic progressions.
    fn at_all(&self, starts: &[i128]) -> Option<Runs> {
        let (&start, &second) = (starts.first()?, starts.get(1)?);
        let step = second - start;
        let inner = starts
            .windows(2)
            .take_while(|pair| pair[1] - pair[0] == step)
            .count()
            + 1;
        let outer = starts.len() / inner;
        let stride = starts.get(inner).map_or(0, |next| next - start);
        let regular = starts.len() == inner * outer
            && starts.iter().enumerate().all(|(index, &at)| {
                let (row, column) = ((index / inner) as i128, (index % inner) as i128);
                at == start + row * stride + column * step
            });
        if !regular {
            return None;
        }
        let mut steps = self.levels.clone();
        steps.push((step, inner as i128));
        if outer > 1 {
            steps.push((stride, outer as i128));
        }
        steps.sort_unstable();
        let mut runs = Runs {
            start,
            bytes: self.bytes,
            levels: Vec::new(),
        };
        for (c, n) in steps {
            runs.repeat(c, n)?;
        }
        Some(runs)
    }

    fn extent(&self) -> Option<i128> {
        self.levels
            .iter()
            .try_fold(self.bytes, |extent, &(stride, count)| {
                extent.checked_add(stride.checked_mul(count - 1)?)
            })
    }

    fn size(&self) -> Option<i128> {
        self.levels
            .iter()
            .try_fold(self.bytes, |size, &(_, count)| size.checked_mul(count))
    }
}

/// Sets that are copies of one another at one or two strides, as one set each.
fn joined(mut sets: Vec<Runs>) -> Vec<Runs> {
    let mut joined = Vec::new();
    while let Some(first) = sets.pop() {
        let is_copy = |runs: &Runs| runs.bytes == first.bytes && runs.levels == first.levels;
        let (copies, rest): (Vec<Runs>, Vec<Runs>) = sets.into_iter().partition(is_copy);
        sets = rest;
        let mut starts: Vec<i128> = copies.iter().map(|runs| runs.start).collect();
        starts.push(first.start);
        starts.sort_unstable();
        match first.at_all(&starts) {
            Some(runs) => joined.push(runs),
            None => {
                let at = |start| Runs {
                    start,
                    ..first.clone()
                };
                joined.extend(starts.into_iter().map(at));
            }
        }
    }
    joined
}

fn union(sets: &[Runs], scattered: &FxHashSet<i128>) -> Option<u64> {
    if sets.is_empty() {
        return u64::try_from(scattered.len()).ok();
    }
    let levels = &sets[0].levels;
    let same = sets.iter().all(|runs| &runs.levels == levels);
    let period = levels.first().map(|&(stride, _)| stride);
    let (first, last) = (
        sets.iter().map(|runs| runs.start).min()?,
        sets.iter().map(|runs| runs.start + runs.bytes).max()?,
    );
    let apart = period.is_none_or(|period| last - first <= period);
    if same && apart && scattered.is_empty() {
        let copies = Runs {
            start: 0,
            bytes: 1,
            levels: levels.clone(),
        }
        .size()?;
        return u64::try_from(covered(sets).checked_mul(copies)?).ok();
    }
    let mut bytes: FxHashSet<i128> = scattered.clone();
    for runs in sets {
        if runs.size()? > POINTS {
            return None;
        }
        runs.expand(runs.levels.len(), runs.start, &mut bytes);
    }
    u64::try_from(bytes.len()).ok()
}

impl Runs {
    fn expand(&self, level: usize, start: i128, into: &mut FxHashSet<i128>) {
        match level.checked_sub(1) {
            None => into.extend(start..start + self.bytes),
            Some(level) => {
                let (stride, count) = self.levels[level];
                for index in 0..count {
                    self.expand(level, start + index * stride, into);
                }
            }
        }
    }
}

/// Bytes that the innermost runs cover together.
fn covered(sets: &[Runs]) -> i128 {
    let mut runs: Vec<(i128, i128)> = sets.iter().map(|r| (r.start, r.start + r.bytes)).collect();
    runs.sort_unstable();
    let (mut total, mut end) = (0, i128::MIN);
    for (from, to) in runs {
        total += (to - from.max(end)).max(0);
        end = end.max(to);
    }
    total
}
