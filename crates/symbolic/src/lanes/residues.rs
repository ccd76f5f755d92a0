//! How often each residue occurs.

/// Counts of the residues `0 … n − 1` modulo `n`, each in units that the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Residues(Vec<i128>);

impl Residues {
    /// No value.
    pub(super) fn none(n: usize) -> Residues {
        Residues(vec![0; n])
    }

    /// Residue zero, once.
    pub(super) fn once(n: usize) -> Residues {
        let mut residues = Residues::none(n);
        residues.0[0] = 1;
        residues
    }

    /// The residues of `step × v` for the values `low ≤ v < high`.
    pub(super) fn of_steps(n: usize, step: i64, (low, high): (i64, i64)) -> Residues {
        let mut residues = Residues::none(n);
        let modulus = n as i64;
        let step = step.rem_euclid(modulus);
        let period = (1..=modulus).find(|cycle| cycle * step % modulus == 0);
        let period = period.unwrap_or(modulus);
        let (cycles, rest) = ((high - low) / period, (high - low) % period);
        let mut residue = step * (low % period) % modulus;
        for offset in 0..period.min(high - low) {
            residues.0[residue as usize] += i128::from(cycles + i64::from(offset < rest));
            residue = (residue + step) % modulus;
        }
        residues
    }

    /// Adds one value.
    pub(super) fn add(&mut self, residue: i64) -> Option<()> {
        let to = residue.rem_euclid(self.0.len() as i64) as usize;
        self.0[to] = self.0[to].checked_add(1)?;
        Some(())
    }

    /// Residues that occur, with their counts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, i128)> {
        let counts = self.0.iter().copied().enumerate();
        counts.filter(|&(_, count)| count != 0)
    }

    /// Adds another's counts, each residue moved up by `by`; `None` where a count leaves `i128`.
    pub(super) fn add_rotated(&mut self, other: &Residues, by: i64) -> Option<()> {
        let n = self.0.len();
        let by = by.rem_euclid(n as i64) as usize;
        for (residue, count) in other.iter() {
            let to = &mut self.0[(residue + by) % n];
            *to = to.checked_add(count)?;
        }
        Some(())
    }

    /// The counts that are more than another's.
    pub(super) fn less(&self, other: &Residues) -> Residues {
        let pairs = self.0.iter().zip(&other.0);
        Residues(pairs.map(|(a, b)| a - b).collect())
    }

    /// Residues of sums of one value of each; `None` where a count leaves `i128`.
    pub(super) fn convolved(&self, other: &Residues) -> Option<Residues> {
        let n = self.0.len();
        let mut convolved = Residues::none(n);
        for (a, times) in self.iter() {
            for (b, count) in other.iter() {
                let to = &mut convolved.0[(a + b) % n];
                *to = to.checked_add(times.checked_mul(count)?)?;
            }
        }
        Some(convolved)
    }
}
