//! Coalescing: how many lines and sectors one access of one SIMD group touches, and in what pattern.
//!
//! Addresses are byte addresses of the active lanes in lane order; every lane reads or writes the
//! same width. Lines and sectors are aligned to their own size, so an address must be relative to
//! something that is at least line-aligned (the start of a buffer, not of a binding inside it).
//! Start at [`count`].

use crate::lanes::{Scratch, for_each_granule_range};

/// How the distinct addresses of a SIMD group lie, in lane order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// One address.
    Broadcast,
    /// One ascending run that touches as few lines as its bytes allow.
    Contiguous,
    /// One ascending run that touches more lines than its bytes need.
    Misaligned,
    /// One descending run.
    Reversed,
    /// Several ascending runs, each of two or more elements.
    Segmented,
    /// A constant distance, in either direction, above the element's size.
    Strided,
    /// Anything else.
    Scatter,
    /// No lane was active, or the addresses are not known.
    Unknown,
}

impl Pattern {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Pattern::Broadcast => "broadcast",
            Pattern::Contiguous => "contiguous",
            Pattern::Misaligned => "misaligned",
            Pattern::Reversed => "reversed",
            Pattern::Segmented => "segmented",
            Pattern::Strided => "strided",
            Pattern::Scatter => "scatter",
            Pattern::Unknown => "unknown",
        }
    }
}

/// What one access of one SIMD group moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transactions {
    /// Distinct lines touched.
    pub lines: u64,
    /// The fewest lines that could hold the distinct bytes.
    pub ideal_lines: u64,
    /// Distinct sectors touched.
    pub sectors: u64,
    /// The fewest sectors that could hold the distinct bytes.
    pub ideal_sectors: u64,
    /// Distinct bytes touched.
    pub distinct_bytes: u64,
    /// How the distinct addresses lie.
    pub pattern: Pattern,
    /// Distance in bytes between successive distinct addresses in lane order, where it is constant:
    /// 0 for a broadcast, the element's size for one run, negative downwards.
    pub stride_bytes: Option<i64>,
}

impl Transactions {
    /// Ideal sectors over sectors, 0–1; none where no lane was active.
    pub fn efficiency(&self) -> Option<f64> {
        efficiency(self.ideal_sectors, self.sectors)
    }
}

/// Ideal sectors over sectors. Sums over a whole launch go in the same way, so that a wide access
/// weighs more than a narrow one. None where nothing was moved.
pub fn efficiency(ideal_sectors: u64, sectors: u64) -> Option<f64> {
    (sectors > 0).then(|| ideal_sectors as f64 / sectors as f64)
}

/// Counts the lines and sectors of one access of one SIMD group and classifies its pattern.
///
/// `addresses` holds the byte address of each active lane in lane order. An access may straddle
/// lines. Memory ends at 2⁶⁴ - 1: bytes from there on, which no buffer has, are not counted.
///
/// # Panics
///
/// Where a size is zero, which cannot come from a checked machine.
pub fn count(
    addresses: &[u64],
    width_bytes: u64,
    line_bytes: u64,
    sector_bytes: u64,
) -> Transactions {
    assert!(width_bytes > 0, "an access has a width");
    let mut scratch = Scratch::new();
    let sorted = scratch.sorted(addresses);
    let distinct_bytes = distinct_bytes(sorted, width_bytes);
    let lines = granules(sorted, width_bytes, line_bytes);
    let sectors = if sector_bytes == line_bytes {
        lines
    } else {
        granules(sorted, width_bytes, sector_bytes)
    };
    let ideal_lines = distinct_bytes.div_ceil(line_bytes);
    let (pattern, stride_bytes) = classify(
        scratch.distinct(addresses),
        width_bytes,
        lines == ideal_lines,
    );
    Transactions {
        lines,
        ideal_lines,
        sectors,
        ideal_sectors: distinct_bytes.div_ceil(sector_bytes),
        distinct_bytes,
        pattern,
        stride_bytes,
    }
}

/// Distinct lines (or sectors, or any other aligned granule) that the lanes touch, in any order.
///
/// # Panics
///
/// As [`count`].
pub fn count_lines(addresses: &[u64], width_bytes: u64, line_bytes: u64) -> u64 {
    assert!(width_bytes > 0, "an access has a width");
    granules(Scratch::new().sorted(addresses), width_bytes, line_bytes)
}

/// Cycles of one unit that L1 spends on a request of `lines` lines, where it serves
/// `lines_per_wavefront` of them in one.
///
/// A machine's stride sweep gives the second number. On an H200 with 4, loads over 1, 8, 12 and 32
/// lines take 1, 2, 3 and 8, as its counters say.
pub fn wavefronts(lines: u64, lines_per_wavefront: f64) -> f64 {
    (lines as f64 / lines_per_wavefront).ceil()
}

fn distinct_bytes(sorted: &[u64], width_bytes: u64) -> u64 {
    let mut covered_end = 0;
    let mut total = 0;
    for &address in sorted {
        let end = address.saturating_add(width_bytes);
        total += end.saturating_sub(address.max(covered_end));
        covered_end = end;
    }
    total
}

fn granules(sorted: &[u64], width_bytes: u64, granule_bytes: u64) -> u64 {
    let mut total = 0;
    for_each_granule_range(sorted, width_bytes, granule_bytes, |first, last| {
        total += last - first + 1;
    });
    total
}

fn classify(distinct: &[u64], width_bytes: u64, as_few_as_ideal: bool) -> (Pattern, Option<i64>) {
    let (first, second) = match *distinct {
        [] => return (Pattern::Unknown, None),
        [_] => return (Pattern::Broadcast, Some(0)),
        [first, second, ..] => (first, second),
    };
    let stride = distance(first, second);
    if distinct
        .windows(2)
        .any(|pair| distance(pair[0], pair[1]) != stride)
    {
        return if is_segmented(distinct, width_bytes) {
            (Pattern::Segmented, None)
        } else {
            (Pattern::Scatter, None)
        };
    }
    let pattern = if stride == width_bytes.cast_signed() {
        if as_few_as_ideal {
            Pattern::Contiguous
        } else {
            Pattern::Misaligned
        }
    } else if stride.checked_neg() == Some(width_bytes.cast_signed()) {
        Pattern::Reversed
    } else if stride.unsigned_abs() > width_bytes {
        Pattern::Strided
    } else {
        Pattern::Scatter
    };
    (pattern, Some(stride))
}

fn distance(from: u64, to: u64) -> i64 {
    to.wrapping_sub(from).cast_signed()
}

/// Whether every maximal ascending run has two elements or more.
fn is_segmented(distinct: &[u64], width_bytes: u64) -> bool {
    let mut runs = distinct.chunk_by(|a, b| a.checked_add(width_bytes) == Some(*b));
    runs.all(|run| run.len() >= 2)
}
