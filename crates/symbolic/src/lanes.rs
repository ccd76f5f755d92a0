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

    fn uses(&self, variable: usize) -> bool {
        let mut forms = self.forms.iter();
        forms.any(|(_, form)| form.coefficients[variable] != 0)
    }

    /// The lanes for which it holds, at a shift of each form.
    fn lanes(&self, shift: impl Fn(&Linear) -> i128) -> LaneSet {
        let hold = |(test, form): &(Test, Linear)| {
            let shift = shift(form);
            lanes_where(&form.lanes, |value| test.holds(value + shift))
        };
        if let ([form], [(1, _)]) = (self.forms.as_slice(), self.terms.as_slice()) {
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

/// A SIMD group with its conditions and its address.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) guards: Vec<Guard>,
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

/// What every form stays below, for all values of the variables, so that sums and products of a few
/// of its parts fit 128 bits.
const LARGEST: i128 = 1 << 96;

impl Group {
    /// Whether numbers stay within bounds.
    fn is_bounded(&self) -> bool {
        let span = |form: &Linear| {
            let mut lane = form.lanes.iter().map(|lane| lane.checked_abs());
            let lane = lane.try_fold(0, |most: i128, lane| Some(most.max(lane?)))?;
            let mut parts = form.coefficients.iter().zip(&self.ranges);
            parts.try_fold(lane, |sum, (c, range)| {
                sum.checked_add(c.checked_mul(*range)?.checked_abs()?)
            })
        };
        let mut ranges = self.ranges.iter();
        let product = ranges.try_fold(1i128, |product, &range| product.checked_mul(range.max(1)));
        let guards = self.guards.iter().flat_map(|guard| &guard.forms);
        let mut spans = guards
            .map(|(_, form)| form)
            .chain([&self.address])
            .map(span);
        product.is_some_and(|product| product < LARGEST)
            && spans.all(|span| span.is_some_and(|span| span < LARGEST))
    }
}

/// Counts lane sets and residues; `None` where variables are coupled over too many values, or numbers
/// are too large.
pub(crate) fn distribution(mut group: Group) -> Option<Distribution> {
    if !group.is_bounded() {
        return None;
    }
    fuse(&mut group);
    let mut active = lanes_below(group.address.lanes.len());
    let mut total = Distribution::default();
    let variables = group.ranges.len();
    for guard in &group.guards {
        if !(0..variables).any(|variable| guard.uses(variable)) {
            active &= guard.lanes(|_| 0);
        }
    }
    total.insert((active, 0), 1);
    for component in components(&group) {
        let part = Component::new(&group, &component).distribution()?;
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
                let mut forms = group.guards.iter().flat_map(|guard| &guard.forms);
                let fits = forms.all(|(_, form)| fits(form)) && fits(&group.address);
                let guarded = group.guards.iter().any(|guard| guard.uses(v));
                if u == v || n <= 1 || !fits || !shared || !guarded {
                    continue;
                }
                let Some(range) = group.ranges[u].checked_mul(n) else {
                    continue;
                };
                group.ranges[v] = range;
                group.ranges[u] = 1;
                let guards = group.guards.iter_mut();
                for (_, form) in guards.flat_map(|guard| &mut guard.forms) {
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
    for guard in &group.guards {
        let mut used = (0..count).filter(|&v| guard.uses(v));
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

/// Half-open range of a variable's values.
type Segment = (i128, i128);

/// Variables that share conditions.
///
/// Where a form has but one of them, its values are cut at the form's thresholds, so that a whole
/// segment has the same lanes. Of variables that share a form, one is cut at thresholds that the
/// others set, and the others are taken value by value.
struct Component<'g> {
    group: &'g Group,
    guards: Vec<&'g Guard>,
    /// Variables with the segments that do not depend on other variables.
    outer: Vec<(usize, Vec<Segment>)>,
    inner: Option<usize>,
}

impl<'g> Component<'g> {
    fn new(group: &'g Group, variables: &[usize]) -> Self {
        let guards: Vec<&Guard> = group.guards.iter().collect();
        let guards: Vec<&Guard> = guards
            .into_iter()
            .filter(|guard| variables.iter().any(|&variable| guard.uses(variable)))
            .collect();
        let forms = || guards.iter().flat_map(|guard| &guard.forms);
        let is_shared = |form: &Linear| {
            let used = variables.iter().filter(|&&v| form.coefficients[v] != 0);
            used.count() > 1
        };
        let shares = |variable: usize| {
            forms().any(|(_, form)| form.coefficients[variable] != 0 && is_shared(form))
        };
        let sharing = variables.iter().copied().filter(|&v| shares(v));
        let inner = sharing.max_by_key(|&variable| group.ranges[variable]);
        let outer = variables
            .iter()
            .filter(|&&variable| Some(variable) != inner);
        let outer = outer.map(|&variable| {
            let range = group.ranges[variable];
            let segments = if shares(variable) {
                (0..range.min(VISITS + 1))
                    .map(|value| (value, value + 1))
                    .collect()
            } else {
                segments(forms(), variable, range, |_| 0)
            };
            (variable, segments)
        });
        Component {
            outer: outer.collect(),
            group,
            guards,
            inner,
        }
    }

    fn distribution(&self) -> Option<Distribution> {
        let mut visits: i128 = 1;
        for (_, segments) in &self.outer {
            visits = visits.checked_mul(i128::try_from(segments.len()).ok()?)?;
        }
        if visits > VISITS {
            return None;
        }
        let mut part = Distribution::default();
        let mut at = vec![0; self.outer.len()];
        for _ in 0..visits {
            let mut chosen: Vec<(usize, Segment)> = self
                .outer
                .iter()
                .zip(&at)
                .map(|((variable, segments), &at)| (*variable, segments[at]))
                .collect();
            match self.inner {
                None => self.add(&chosen, &mut part),
                Some(inner) => {
                    let forms = self.guards.iter().flat_map(|guard| &guard.forms);
                    let range = self.group.ranges[inner];
                    for segment in segments(forms, inner, range, |form| shift(form, &chosen)) {
                        chosen.push((inner, segment));
                        self.add(&chosen, &mut part);
                        chosen.pop();
                    }
                }
            }
            for (at, (_, segments)) in at.iter_mut().zip(&self.outer) {
                *at += 1;
                if *at < segments.len() {
                    break;
                }
                *at = 0;
            }
        }
        Some(part)
    }

    /// Adds the values of one segment of each variable.
    fn add(&self, chosen: &[(usize, Segment)], part: &mut Distribution) {
        let mut active = lanes_below(self.group.address.lanes.len());
        for guard in &self.guards {
            active &= guard.lanes(|form| shift(form, chosen));
            if active == 0 {
                return;
            }
        }
        let modulus = self.group.modulus;
        let mut sums = FxHashMap::default();
        sums.insert(0, 1);
        for &(variable, segment) in chosen {
            let step = self.group.address.coefficients[variable];
            let mut next: FxHashMap<i128, i128> = FxHashMap::default();
            for (residue, times) in residues(step, segment, modulus) {
                for (&sum, &before) in &sums {
                    *next.entry((sum + residue) % modulus).or_insert(0) += before * times;
                }
            }
            sums = next;
        }
        for (residue, times) in sums {
            *part.entry((active, residue)).or_insert(0) += times;
        }
    }
}

/// What chosen values, each the first of a segment, add to a form.
fn shift(form: &Linear, chosen: &[(usize, Segment)]) -> i128 {
    let terms = chosen.iter();
    terms
        .map(|&(variable, (low, _))| form.coefficients[variable] * low)
        .sum()
}

/// The values of a variable, cut where one of the forms that mention it changes what its test gives
/// for some lane, with the others' values as a shift.
fn segments<'f>(
    forms: impl Iterator<Item = &'f (Test, Linear)>,
    variable: usize,
    range: i128,
    shift: impl Fn(&Linear) -> i128,
) -> Vec<Segment> {
    let mut cuts = vec![0, range];
    for (test, form) in forms {
        let a = form.coefficients[variable];
        if a == 0 {
            continue;
        }
        let shift = shift(form);
        for &lane in &form.lanes {
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

/// The residues of `step × v` for the values of a segment, and how often each.
fn residues(step: i128, (low, high): Segment, modulus: i128) -> impl Iterator<Item = (i128, i128)> {
    let step = step.rem_euclid(modulus);
    let period = modulus / crate::ratio::gcd(step, modulus).max(1);
    let (cycles, rest) = ((high - low) / period, (high - low) % period);
    (0..period.min(high - low)).map(move |offset| {
        let residue = (step * ((low + offset) % period)).rem_euclid(modulus);
        (residue, cycles + i128::from(offset < rest))
    })
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
