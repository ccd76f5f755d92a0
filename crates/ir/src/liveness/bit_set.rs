//! Dense sets of small indices (registers, variables), one bit each.

/// A set of indices below a bound.
#[derive(Clone, Debug)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set with room for indices below `count`.
    pub(crate) fn new(count: usize) -> Self {
        BitSet {
            words: vec![0; count.div_ceil(64)],
        }
    }

    pub(crate) fn contains(&self, index: u32) -> bool {
        let (word, bit) = position(index);
        self.words[word] & bit != 0
    }

    /// Adds an index; whether it was absent.
    pub(crate) fn insert(&mut self, index: u32) -> bool {
        let (word, bit) = position(index);
        let absent = self.words[word] & bit == 0;
        self.words[word] |= bit;
        absent
    }

    /// Removes an index; whether it was present.
    pub(crate) fn remove(&mut self, index: u32) -> bool {
        let (word, bit) = position(index);
        let present = self.words[word] & bit != 0;
        self.words[word] &= !bit;
        present
    }

    /// Adds every index of `other`; whether any was absent.
    pub(crate) fn union(&mut self, other: &BitSet) -> bool {
        let mut grown = 0;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            grown |= more & !*word;
            *word |= more;
        }
        grown != 0
    }

    /// Number of indices in the set.
    pub(crate) fn len(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Number of indices in both sets.
    pub(crate) fn common(&self, other: &BitSet) -> u32 {
        let both = self.words.iter().zip(&other.words);
        both.map(|(a, b)| (a & b).count_ones()).sum()
    }
}

fn position(index: u32) -> (usize, u64) {
    ((index / 64) as usize, 1 << (index % 64))
}
