//! Which lanes of a workgroup are active.

/// Active lanes by local index, ascending, and how many SIMD groups they are in.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    pub(super) lanes: Vec<usize>,
    pub(super) simd_groups: u64,
    simd_width: usize,
}

impl Mask {
    pub(super) fn new(lanes: Vec<usize>, simd_width: usize) -> Self {
        let mut simd_groups = 0;
        let mut last = usize::MAX;
        for &lane in &lanes {
            if lane / simd_width != last {
                last = lane / simd_width;
                simd_groups += 1;
            }
        }
        Mask {
            lanes,
            simd_groups,
            simd_width,
        }
    }

    pub(super) fn none(&self) -> Self {
        Mask::new(Vec::new(), self.simd_width)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lanes.is_empty()
    }

    pub(super) fn count(&self) -> u64 {
        self.lanes.len() as u64
    }

    /// The active lanes of each SIMD group that has any.
    pub(super) fn by_simd_group(&self) -> impl Iterator<Item = &[usize]> {
        let width = self.simd_width;
        self.lanes.chunk_by(move |a, b| a / width == b / width)
    }

    /// The lanes for which a predicate holds, and the others.
    pub(super) fn split(&self, mut predicate: impl FnMut(usize) -> bool) -> (Mask, Mask) {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for &lane in &self.lanes {
            if predicate(lane) { &mut yes } else { &mut no }.push(lane);
        }
        (
            Mask::new(yes, self.simd_width),
            Mask::new(no, self.simd_width),
        )
    }

    /// The lanes of two masks that have none in common.
    pub(super) fn join(self, other: Mask) -> Mask {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let mut lanes = self.lanes;
        lanes.extend(other.lanes);
        lanes.sort_unstable();
        Mask::new(lanes, self.simd_width)
    }
}
