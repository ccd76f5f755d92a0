//! Histograms of 256 bins: atomics in workgroup memory, and atomics in storage.
//!
//! The values decide which addresses meet, so bank conflicts and transfers have no closed form. Start
//! at [`WORKGROUP`].

use crate::case::{BufferSpec, KernelCase, ScalarType};
use crate::counts::Counts;
use crate::data::{Data, Fill};
use crate::elementwise::{LINEAR_64, LINEAR_SIZES};
use crate::launch::LaunchCase;

/// Bins, and lanes of a workgroup.
const BINS: u32 = 256;

/// Counts in workgroup memory, merged once a workgroup.
pub const WORKGROUP: KernelCase = KernelCase {
    name: "histogram_workgroup",
    source: include_str!("../wgsl/histogram_workgroup.wgsl"),
    file_name: "histogram_workgroup.wgsl",
    summary: "histogram with atomics in workgroup memory, merged once a workgroup",
    workgroup_memory_bytes: 1024,
    make_launches: || launches(workgroup_counts),
    ..HISTOGRAM
};

/// Every count an atomic in storage.
pub const STORAGE: KernelCase = KernelCase {
    name: "histogram_storage",
    source: include_str!("../wgsl/histogram_storage.wgsl"),
    file_name: "histogram_storage.wgsl",
    summary: "histogram with every count an atomic in storage",
    make_launches: || launches(storage_counts),
    ..HISTOGRAM
};

const HISTOGRAM: KernelCase = KernelCase {
    workgroup_size: [BINS, 1, 1],
    buffers: &[
        BufferSpec::input("values", 0, ScalarType::U32).filled(Fill::Words),
        BufferSpec::output("histogram", 1, ScalarType::U32).updated(),
    ],
    run_reference: |_, inputs| {
        let counts = histogram(inputs["values"].u32s());
        [("histogram", Data::U32(counts))].into()
    },
    ..LINEAR_64
};

fn launches(counts: impl Fn(u32) -> Counts) -> Vec<LaunchCase> {
    LINEAR_SIZES
        .map(|(size, n)| {
            LaunchCase::new(size, [n.div_ceil(BINS), 1, 1], counts(n))
                .len("values", u64::from(n))
                .len("histogram", u64::from(BINS))
        })
        .into()
}

/// Counts of [`WORKGROUP`] on `n` values.
///
/// - Every lane compares with the length; `n` lanes mask a value (one integer operation) and add to a
///   bin in workgroup memory, 8 bytes.
/// - After the barrier every lane loads its bin, 4 bytes of workgroup memory, and adds it to the
///   histogram in storage: 4 bytes read and 4 written.
/// - Every bin of the histogram is touched whatever the values are: 256 words in the read set and in
///   the write set.
pub fn workgroup_counts(n: u32) -> Counts {
    let groups = u128::from(n.div_ceil(BINS));
    let bins = u128::from(BINS);
    let invocations = groups * bins;
    let n = u128::from(n);
    Counts {
        integer_ops: Some(invocations + n),
        workgroup_bytes: 8 * n + 4 * invocations,
        barriers: groups,
        atomics: n + invocations,
        compulsory_bytes: Some(4 * n + 8 * bins),
        ..Counts::of(invocations)
    }
    .reads("values", 4 * n)
    .reads("histogram", 4 * invocations)
    .writes("histogram", 4 * invocations)
}

/// Counts of [`STORAGE`] on `n` values.
///
/// - Every lane compares with the length; `n` lanes mask a value (one integer operation) and add to a
///   bin in storage: 4 bytes read and 4 written.
/// - Which bins are touched depends on the values, and so do the compulsory bytes.
pub fn storage_counts(n: u32) -> Counts {
    let invocations = u128::from(n.div_ceil(BINS)) * u128::from(BINS);
    let n = u128::from(n);
    Counts {
        integer_ops: Some(invocations + n),
        atomics: n,
        ..Counts::of(invocations)
    }
    .reads("values", 4 * n)
    .reads("histogram", 4 * n)
    .writes("histogram", 4 * n)
}

/// How often each low byte occurs.
pub fn histogram(values: &[u32]) -> Vec<u32> {
    let mut counts = vec![0; BINS as usize];
    for value in values {
        counts[(value % BINS) as usize] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_agrees_with_runs_of_the_sorted_bytes() {
        let values: Vec<u32> = (0..1000).map(|i| i * 37 + (i << 9)).collect();
        let mut bytes: Vec<u8> = values.iter().map(|v| v.to_le_bytes()[0]).collect();
        bytes.sort_unstable();
        let counts = histogram(&values);
        for run in bytes.chunk_by(|a, b| a == b) {
            assert_eq!(counts[usize::from(run[0])], run.len() as u32);
        }
        assert_eq!(counts.iter().sum::<u32>(), 1000);
    }

    #[test]
    fn merging_costs_an_atomic_a_lane() {
        // 1000 values in four groups of 256.
        assert_eq!(workgroup_counts(1000).atomics, 1000 + 1024);
        assert_eq!(storage_counts(1000).atomics, 1000);
    }
}
