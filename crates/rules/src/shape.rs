//! How a workgroup falls into SIMD groups, and what that does to accesses.
//!
//! Start at [`follows_rows`].

use cresta_analysis::{AccessFacts, Facts};

/// Efficiency below which an access wastes what it moves. A stride of two elements, or a run of half
/// a line, gives 0.5; SIMD groups that a guard cuts short raise the mean by some hundredths.
pub(crate) const WASTEFUL: f64 = 0.6;

/// Rows of the workgroup that one SIMD group covers, where rows are shorter than it and of two or
/// more invocations.
pub(crate) fn rows_of_simd_group(facts: &Facts) -> Option<u32> {
    let width = facts.workgroup_size[0];
    let rows = facts.simd_width.checked_div(width)?;
    let fills = invocations(facts) >= u64::from(facts.simd_width);
    (width >= 2 && rows >= 2 && rows * width == facts.simd_width && fills).then_some(rows)
}

/// Whether an access takes one line for each row of the workgroup that the SIMD group covers.
pub(crate) fn follows_rows(facts: &Facts, access: &AccessFacts) -> bool {
    rows_of_simd_group(facts)
        .zip(access.traffic.as_ref())
        .is_some_and(|(rows, traffic)| traffic.transactions.round() == f64::from(rows))
}

/// Invocations of a workgroup.
pub(crate) fn invocations(facts: &Facts) -> u64 {
    facts
        .workgroup_size
        .iter()
        .map(|&side| u64::from(side))
        .product()
}

/// A workgroup's size as the source may write it: `16×16`, without sides of one at the end.
pub(crate) fn size(sides: [u32; 3]) -> String {
    match sides {
        [x, 1, 1] => format!("{x}"),
        [x, y, 1] => format!("{x}×{y}"),
        [x, y, z] => format!("{x}×{y}×{z}"),
    }
}
