//! Which lanes of a SIMD group are active, at which addresses modulo a line, and how often.
//!
//! Everything outside of the SIMD group (workgroup ids, iterations) enters a condition or an address
//! linearly, or is enumerated. A linear variable contributes a shift of the address, of which only
//! the residue modulo the line matters, and moves thresholds of conditions, between which the set of
//! active lanes stays the same. [`distribution`] counts, for each pair of lane set and residue, how
//! many values of all variables give it, without visiting them one by one.

use rustc_hash::FxHashMap;

/// A set of lanes, bit by lane.
pub(crate) type LaneSet = u128;

/// A quantity that is linear in the free variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    /// Value of each lane where all variables are zero.
    pub(crate) lanes: Vec<i128>,
    /// Coefficient of each variable.
    pub(crate) coefficients: Vec<i128>,
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
    pub(crate) fn holds(self, value: i128) -> bool {
        match self {
            Test::NonNegative => value >= 0,
            Test::Zero => value == 0,
            Test::NonZero => value != 0,
        }
    }
}

/// A SIMD group with its conditions and its address.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) guards: Vec<(Test, Linear)>,
    pub(crate) address: Linear,
    /// Number of values of each variable.
    pub(crate) ranges: Vec<i128>,
    /// Residues are taken modulo this.
    pub(crate) modulus: i128,
}

/// Joint values of coupled variables that are visited one by one at most.
const VISITS: i128 = 200_000;

/// How many values of the variables give each lane set and residue.
pub(crate) type Distribution = FxHashMap<(LaneSet, i128), i128>;

/// Counts lane sets and residues; `None` where variables are coupled over too many values.
pub(crate) fn distribution(mut group: Group) -> Option<Distribution> {
    fuse(&mut group);
    let all = lanes_below(group.address.lanes.len());
    let mut active = all;
    let mut total = Distribution::default();
    for (test, guard) in &group.guards {
        if guard.coefficients.iter().all(|&c| c == 0) {
            active &= lanes_where(&guard.lanes, |value| test.holds(value));
        }
    }
    total.insert((active, 0), 1);
    for component in components(&group) {
        let part = match component.as_slice() {
            [variable] => single(&group, *variable, all)?,
            variables => joint(&group, variables, all)?,
        };
        total = convolve(&total, &part, group.modulus)?;
    }
    Some(total)
}

fn lanes_below(count: usize) -> LaneSet {
    if count >= 128 {
        LaneSet::MAX
    } else {
        (1 << count) - 1
    }
}

fn lanes_where(values: &[i128], holds: impl Fn(i128) -> bool) -> LaneSet {
    let mut set = 0;
    for (lane, &value) in values.iter().enumerate().take(128) {
        if holds(value) {
            set |= 1 << lane;
        }
    }
    set
}

/// Fuses variables that occur only as `n·u + v` with `v < n`.
fn fuse(group: &mut Group) {
    let mut at = 0;
    'search: while at < 64 {
        at += 1;
        for v in 0..group.ranges.len() {
            let n = group.ranges[v];
            for u in 0..group.ranges.len() {
                let mut shared = false;
                let mut fits = |form: &Linear| {
                    shared |= form.coefficients[v] != 0;
                    Some(form.coefficients[u]) == form.coefficients[v].checked_mul(n)
                };
                let fits = group.guards.iter().all(|(_, form)| fits(form)) && fits(&group.address);
                let guarded = group
                    .guards
                    .iter()
                    .any(|(_, form)| form.coefficients[v] != 0);
                if u == v || n <= 1 || !fits || !shared || !guarded {
                    continue;
                }
                let Some(range) = group.ranges[u].checked_mul(n) else {
                    continue;
                };
                group.ranges[v] = range;
                group.ranges[u] = 1;
                for (_, form) in &mut group.guards {
                    form.coefficients[u] = 0;
                }
                group.address.coefficients[u] = 0;
                continue 'search;
            }
        }
        return;
    }
}

/// Groups of variables that share a condition.
fn components(group: &Group) -> Vec<Vec<usize>> {
    let count = group.ranges.len();
    let mut parent: Vec<usize> = (0..count).collect();
    fn root(parent: &[usize], mut at: usize) -> usize {
        while parent[at] != at {
            at = parent[at];
        }
        at
    }
    for (_, guard) in &group.guards {
        let mut used = (0..count).filter(|&v| guard.coefficients[v] != 0);
        let Some(first) = used.next() else { continue };
        for other in used {
            let (a, b) = (root(&parent, first), root(&parent, other));
            parent[b] = a;
        }
    }
    let mut components: Vec<Vec<usize>> = vec![Vec::new(); count];
    for variable in 0..count {
        components[root(&parent, variable)].push(variable);
    }
    components.retain(|component| !component.is_empty());
    components
}

/// The values of one variable, cut at the thresholds of its conditions.
fn single(group: &Group, variable: usize, all: LaneSet) -> Option<Distribution> {
    let range = group.ranges[variable];
    let mut cuts = vec![0, range];
    let guards: Vec<&(Test, Linear)> = group
        .guards
        .iter()
        .filter(|(_, form)| form.coefficients[variable] != 0)
        .collect();
    for (test, form) in &guards {
        let a = form.coefficients[variable];
        for &lane in &form.lanes {
            // a v + lane changes sign, or is zero, here
            let cut = if a < 0 {
                lane.div_euclid(-a) + 1
            } else {
                -(lane.div_euclid(a))
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
    let mut part = Distribution::default();
    for pair in cuts.windows(2) {
        let mut active = all;
        for (test, form) in &guards {
            let shift = form.coefficients[variable].checked_mul(pair[0])?;
            active &= lanes_where(&form.lanes, |value| test.holds(value.saturating_add(shift)));
        }
        if active != 0 {
            let step = group.address.coefficients[variable];
            residues(&mut part, active, step, pair[0], pair[1], group.modulus);
        }
    }
    Some(part)
}

/// Adds the residues of `step × v` for `low ≤ v < high`.
fn residues(
    part: &mut Distribution,
    active: LaneSet,
    step: i128,
    low: i128,
    high: i128,
    modulus: i128,
) {
    let step = step.rem_euclid(modulus);
    let period = modulus / crate::ratio::gcd(step, modulus).max(1);
    let (cycles, rest) = ((high - low) / period, (high - low) % period);
    for offset in 0..period.min(high - low) {
        let residue = (step * ((low + offset) % period)).rem_euclid(modulus);
        *part.entry((active, residue)).or_insert(0) += cycles + i128::from(offset < rest);
    }
}

/// The joint values of several variables, one by one.
fn joint(group: &Group, variables: &[usize], all: LaneSet) -> Option<Distribution> {
    let mut visits: i128 = 1;
    for &variable in variables {
        visits = visits.checked_mul(group.ranges[variable])?;
    }
    if visits > VISITS {
        return None;
    }
    let guards: Vec<&(Test, Linear)> = group
        .guards
        .iter()
        .filter(|(_, form)| variables.iter().any(|&v| form.coefficients[v] != 0))
        .collect();
    let mut part = Distribution::default();
    let mut values = vec![0i128; variables.len()];
    for _ in 0..visits {
        let shift_of = |form: &Linear| -> i128 {
            variables
                .iter()
                .zip(&values)
                .map(|(&v, &value)| form.coefficients[v] * value)
                .sum()
        };
        let mut active = all;
        for (test, form) in &guards {
            let shift = shift_of(form);
            active &= lanes_where(&form.lanes, |value| test.holds(value + shift));
            if active == 0 {
                break;
            }
        }
        if active != 0 {
            let residue = shift_of(&group.address).rem_euclid(group.modulus);
            *part.entry((active, residue)).or_insert(0) += 1;
        }
        for (value, &variable) in values.iter_mut().zip(variables) {
            *value += 1;
            if *value < group.ranges[variable] {
                break;
            }
            *value = 0;
        }
    }
    Some(part)
}

fn convolve(a: &Distribution, b: &Distribution, modulus: i128) -> Option<Distribution> {
    let mut product = Distribution::default();
    for (&(left, x), &m) in a {
        for (&(right, y), &n) in b {
            let active = left & right;
            if active != 0 {
                let count = product.entry((active, (x + y) % modulus)).or_insert(0);
                *count = count.checked_add(m.checked_mul(n)?)?;
            }
        }
    }
    Some(product)
}
