//! Bytes that linear addresses touch, over boxes of whole numbers with linear conditions.
//!
//! A [`Form`] is turned into [`Runs`]: conditions on one variable become its range; variables that occur
//! only as `n·u + v` are fused; one that the address does not mention is projected out; and where a
//! condition on several is left, one variable is taken value by value. What remains is a box, whose
//! bytes `start + Σ c v` are runs at strides, level by level.

/// Boxes that one form may be taken apart into.
const BOXES: u32 = 1 << 14;
/// Runs that are merged one by one at most.
const INTERVALS: i128 = 1 << 19;
/// What addresses and conditions stay below.
const LARGEST: i128 = 1 << 90;

/// A half-open range of bytes.
pub(crate) type Interval = (i128, i128);

/// Equal runs of bytes at strides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Runs {
    start: i128,
    bytes: i128,
    /// Stride and count of each level, innermost first.
    levels: Vec<(i128, i128)>,
}

/// `constant + Σ coefficient × variable ≥ 0`.
pub(crate) type Condition = (i128, Vec<i128>);

/// An address and conditions over a box.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) constant: i128,
    /// Coefficients of the address.
    pub(crate) address: Vec<i128>,
    pub(crate) guards: Vec<Condition>,
    /// Half-open range of each variable.
    pub(crate) ranges: Vec<(i128, i128)>,
}

impl Form {
    /// Adds the runs of `width` bytes that the form touches; `None` where they are too many.
    pub(crate) fn add_runs(self, width: i128, sets: &mut Vec<Runs>) -> Option<()> {
        if !self.is_bounded() {
            return None;
        }
        let mut budget = BOXES;
        self.take_apart(width, sets, &mut budget)
    }

    /// Whether numbers stay so far below 128 bits that adding conditions up keeps them there.
    fn is_bounded(&self) -> bool {
        let span = |constant: i128, coefficients: &[i128]| {
            let mut parts = coefficients.iter().zip(&self.ranges);
            parts.try_fold(constant.checked_abs()?, |sum, (&c, &(low, high))| {
                let most = low.checked_abs()?.max(high.checked_abs()?).max(1);
                sum.checked_add(c.checked_abs()?.checked_mul(most)?)
            })
        };
        let guards = self.guards.iter().map(|(constant, c)| span(*constant, c));
        let mut spans = guards.chain([span(self.constant, &self.address)]);
        spans.all(|span| span.is_some_and(|span| span < LARGEST))
    }

    fn take_apart(mut self, width: i128, sets: &mut Vec<Runs>, budget: &mut u32) -> Option<()> {
        *budget = budget.checked_sub(1)?;
        loop {
            if !self.apply() {
                return Some(());
            }
            if self.guards.is_empty() {
                return self.add_box(width, sets, budget);
            }
            if !self.fuse() && !self.project() {
                break;
            }
        }
        let guarded = |v: &usize| self.guards.iter().any(|(_, c)| c[*v] != 0);
        let variables = (0..self.ranges.len()).filter(guarded);
        let stepped = variables.max_by_key(|&v| self.address[v].abs())?;
        let (low, high) = self.ranges[stepped];
        if high - low > i128::from(*budget) {
            return None;
        }
        for value in low..high {
            self.at(stepped, value).take_apart(width, sets, budget)?;
        }
        Some(())
    }

    /// The form at one value of a variable.
    fn at(&self, v: usize, value: i128) -> Form {
        let mut form = self.clone();
        form.constant += form.address[v] * value;
        form.address[v] = 0;
        for (constant, c) in &mut form.guards {
            *constant += c[v] * value;
            c[v] = 0;
        }
        form.ranges[v] = (0, 1);
        form
    }

    fn add_box(&self, width: i128, sets: &mut Vec<Runs>, budget: &mut u32) -> Option<()> {
        let mut start = self.constant;
        let mut steps: Vec<(i128, i128)> = Vec::new();
        for (&c, &(low, high)) in self.address.iter().zip(&self.ranges) {
            if high <= low {
                return Some(());
            }
            start += c * if c >= 0 { low } else { high - 1 };
            if c != 0 && high - low > 1 {
                steps.push((c.abs(), high - low));
            }
        }
        steps.sort_unstable();
        let mut copies = vec![Runs {
            start,
            bytes: width,
            levels: Vec::new(),
        }];
        for (c, n) in steps {
            let mut next = Vec::new();
            for runs in copies {
                let mut repeated = runs.clone();
                if repeated.repeat(c, n).is_some() {
                    next.push(repeated);
                    continue;
                }
                *budget = budget.checked_sub(u32::try_from(n).ok()?)?;
                next.extend((0..n).map(|index| Runs {
                    start: runs.start + index * c,
                    ..runs.clone()
                }));
            }
            copies = next;
        }
        sets.extend(copies);
        Some(())
    }

    /// Applies conditions on one variable, and drops those that always hold; whether anything is left.
    fn apply(&mut self) -> bool {
        let mut possible = self.ranges.iter().all(|&(low, high)| low < high);
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
                        range.0 = range.0.max(-(constant.div_euclid(a)));
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

    /// Fuses variables that occur only as `n·u + v` with `v < n`.
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

    /// Projects out a variable that the address does not mention: between each lower and each upper
    /// bound there is a whole number, as its coefficients are one.
    fn project(&mut self) -> bool {
        let projectable = |v: &usize| {
            let mut coefficients = self.guards.iter().map(|(_, c)| c[*v]);
            self.address[*v] == 0
                && coefficients.clone().any(|c| c != 0)
                && coefficients.all(|c| c.abs() <= 1)
        };
        let Some(v) = (0..self.ranges.len()).find(projectable) else {
            return false;
        };
        let (low, high) = self.ranges[v];
        let bound = |coefficient: i128, constant: i128| {
            let mut c = vec![0; self.ranges.len()];
            c[v] = coefficient;
            (constant, c)
        };
        let mut lower = vec![bound(1, -low)];
        let mut upper = vec![bound(-1, high - 1)];
        let mut others = Vec::new();
        for guard in std::mem::take(&mut self.guards) {
            match guard.1[v] {
                0 => others.push(guard),
                1 => lower.push(guard),
                _ => upper.push(guard),
            }
        }
        for (a, left) in &lower {
            for (b, right) in &upper {
                let sum = left.iter().zip(right).map(|(x, y)| x + y);
                others.push((a + b, sum.collect()));
            }
        }
        self.guards = others;
        self.ranges[v] = (0, 1);
        true
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

    fn count(&self) -> Option<i128> {
        let mut counts = self.levels.iter().map(|&(_, count)| count);
        counts.try_fold(1i128, |product, count| product.checked_mul(count))
    }

    fn expand(&self, level: usize, start: i128, into: &mut Vec<Interval>) {
        match level.checked_sub(1) {
            None => into.push((start, start + self.bytes)),
            Some(level) => {
                let (stride, count) = self.levels[level];
                for index in 0..count {
                    self.expand(level, start + index * stride, into);
                }
            }
        }
    }
}

/// Sets that are copies of one another at one or two strides, as one set each.
fn joined(mut sets: Vec<Runs>) -> Vec<Runs> {
    let mut joined = Vec::new();
    sets.sort_unstable_by(|a, b| (a.bytes, &a.levels, a.start).cmp(&(b.bytes, &b.levels, b.start)));
    sets.dedup();
    for copies in sets.chunk_by(|a, b| a.bytes == b.bytes && a.levels == b.levels) {
        let starts: Vec<i128> = copies.iter().map(|runs| runs.start).collect();
        match copies[0].at_all(&starts) {
            Some(runs) => joined.push(runs),
            None => joined.extend_from_slice(copies),
        }
    }
    joined
}

/// Bytes in any of the sets and intervals; `None` where they are too many to be merged.
pub(crate) fn bytes_of(sets: Vec<Runs>, mut intervals: Vec<Interval>) -> Option<u64> {
    let sets = joined(sets);
    if let Some(first) = sets.first() {
        let same = sets.iter().all(|runs| runs.levels == first.levels);
        let period = first.levels.first().map(|&(stride, _)| stride);
        let starts = || sets.iter().map(|runs| runs.start);
        let ends = sets.iter().map(|runs| runs.start + runs.bytes);
        let apart = period.is_none_or(|period| {
            let (start, end) = (starts().min(), ends.max());
            start
                .zip(end)
                .is_some_and(|(start, end)| end - start <= period)
        });
        if same && apart && intervals.is_empty() {
            let innermost = sets
                .iter()
                .map(|runs| (runs.start, runs.start + runs.bytes));
            let bytes = covered(innermost.collect()).checked_mul(first.count()?)?;
            return u64::try_from(bytes).ok();
        }
    }
    let mut count = 0;
    for runs in &sets {
        count += runs.count()?;
        if count > INTERVALS {
            return None;
        }
        runs.expand(runs.levels.len(), runs.start, &mut intervals);
    }
    u64::try_from(covered(intervals)).ok()
}

/// The values in any of the sets of runs of one byte, ascending; `None` where they are more than
/// `most`.
pub(crate) fn values_of(sets: Vec<Runs>, most: i128) -> Option<Vec<i128>> {
    let mut values = Vec::new();
    let mut count = 0;
    for runs in joined(sets) {
        count += runs.count()?.checked_mul(runs.bytes)?;
        if count > most {
            return None;
        }
        let mut intervals = Vec::new();
        runs.expand(runs.levels.len(), runs.start, &mut intervals);
        values.extend(intervals.into_iter().flat_map(|(from, to)| from..to));
    }
    values.sort_unstable();
    values.dedup();
    Some(values)
}

/// Bytes that intervals cover together.
fn covered(mut intervals: Vec<Interval>) -> i128 {
    intervals.sort_unstable();
    let (mut total, mut end) = (0, i128::MIN);
    for (from, to) in intervals {
        total += (to - from.max(end)).max(0);
        end = end.max(to);
    }
    total
}

#[cfg(test)]
mod tests;
