//! Row sums of a matrix in two ways that do the same work on the same bytes, in different order.
//!
//! Start at [`ROW_SUM_THREAD_PER_ROW`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::{Counts, LINE_BYTES, SIMD_LANES};
use crate::data::Data;
use crate::elementwise::{LINEAR_64, linear_invocations};
use crate::launch::{LaunchCase, Size};

/// Lanes of a workgroup of every kernel that works on rows.
pub(crate) const LANES: u128 = 64;

/// One invocation a row: lanes read a row apart.
pub const ROW_SUM_THREAD_PER_ROW: KernelCase = KernelCase {
    name: "row_sum_thread_per_row",
    entry: "thread_per_row",
    summary: "sums each row in one invocation; every lane reads its own line",
    make_launches: || launches(|rows| rows.div_ceil(64), thread_per_row_counts),
    ..ROW_SUM
};

/// One workgroup a row: lanes read neighbours, then a tree joins their sums.
pub const ROW_SUM_WORKGROUP_PER_ROW: KernelCase = KernelCase {
    name: "row_sum_workgroup_per_row",
    entry: "workgroup_per_row",
    summary: "sums each row in one workgroup; the lanes of a SIMD group share a line",
    workgroup_memory_bytes: 256,
    bank_conflict_degree: Some(1),
    make_launches: || launches(|rows| rows, workgroup_per_row_counts),
    ..ROW_SUM
};

const ROW_SUM: KernelCase = KernelCase {
    source: include_str!("../wgsl/row_sum.wgsl"),
    file_name: "row_sum.wgsl",
    uniform: UniformSpec::of(&[ParamSpec::u32("d.N"), ParamSpec::u32("d.rows")]),
    buffers: &[
        BufferSpec::input("m", 1, ScalarType::F32),
        BufferSpec::output("sums", 2, ScalarType::F32),
    ],
    tolerance: Tolerance::Relative(1e-4),
    run_reference: |launch, inputs| {
        let sums = row_sums(inputs["m"].f32s(), launch.u32("d.N"));
        [("sums", Data::F32(sums))].into()
    },
    ..LINEAR_64
};

fn launches(groups: impl Fn(u32) -> u32, counts: impl Fn(u32, u32) -> Counts) -> Vec<LaunchCase> {
    [
        (Size::Tiny, 3, 5),
        (Size::Round, 128, 64),
        (Size::Ragged, 100, 77),
        (Size::Large, 4096, 4096),
    ]
    .into_iter()
    .map(|(size, rows, n)| {
        LaunchCase::new(size, [groups(rows), 1, 1], counts(rows, n))
            .param("d.N", n)
            .param("d.rows", rows)
            .len("m", u64::from(rows) * u64::from(n))
            .len("sums", u64::from(rows))
    })
    .collect()
}

/// Counts of [`ROW_SUM_THREAD_PER_ROW`] on `rows` rows of `n` elements.
///
/// - Every lane evaluates the guard, with a load of `d.rows`. `rows` lanes pass it.
/// - Such a lane runs `n` trips: `n` + 1 compares (each with a load of `d.N`), `n` increments, and in
///   each trip one product and one sum for the index (with a load of `d.N`): 4 n + 1 integer
///   operations; one add and one load of 4 bytes a trip; one store.
/// - No byte is touched twice.
/// - Transfers: with `n` ≥ 32 two lanes of a load are at least a line apart, so each load moves a line
///   for every lane. The stores are contiguous.
pub fn thread_per_row_counts(rows: u32, n: u32) -> Counts {
    let invocations = linear_invocations(rows);
    let [rows, n] = [rows, n].map(u128::from);
    Counts {
        flops: rows * n,
        integer_ops: Some(invocations + rows * (4 * n + 1)),
        uniform_bytes: Some(4 * invocations + rows * 4 * (2 * n + 1)),
        compulsory_bytes: Some(4 * rows * n + 4 * rows),
        transferred_bytes: (n >= SIMD_LANES)
            .then(|| (rows * n + rows.div_ceil(SIMD_LANES)) * LINE_BYTES),
        ..Counts::of(invocations)
    }
    .reads("m", 4 * rows * n)
    .writes("sums", 4 * rows)
}

/// Counts of [`ROW_SUM_WORKGROUP_PER_ROW`] on `rows` rows of `n` elements. Per row:
///
/// - The trips of the 64 lanes sum to `n`. A lane compares once more than it has trips (each compare
///   with a load of `d.N`): `n` + 64 compares; a trip has an increment and two index operations (with
///   a load of `d.N`): 3 n. One add and one load of 4 bytes a trip.
/// - The tree has six trips: a lane compares the counter seven times, halves it six times and compares
///   its number six times. It adds 63 index sums and 63 floating-point adds, each with two loads and a
///   store of workgroup memory; before it each lane stores once.
/// - At the end each lane compares its number with 0, and one loads and stores the result.
/// - Barriers: one before the tree and one in each of its six trips.
/// - Transfers, with `n` a multiple of 32: every load of a SIMD group is one whole line; the store of
///   one lane moves a line.
pub fn workgroup_per_row_counts(rows: u32, n: u32) -> Counts {
    let [rows, n] = [rows, n].map(u128::from);
    let loop_ops = (n + LANES) + 3 * n;
    let workgroup_words = LANES + 3 * (LANES - 1) + 1;
    Counts {
        flops: rows * (n + LANES - 1),
        integer_ops: Some(rows * (loop_ops + tree_integer_ops() + (LANES - 1) + LANES)),
        uniform_bytes: Some(rows * 4 * ((n + LANES) + n)),
        workgroup_bytes: rows * 4 * workgroup_words,
        barriers: rows * 7,
        compulsory_bytes: Some(4 * rows * n + 4 * rows),
        transferred_bytes: n
            .is_multiple_of(SIMD_LANES)
            .then(|| rows * (4 * n + LINE_BYTES)),
        ..Counts::of(rows * LANES)
    }
    .reads("m", 4 * rows * n)
    .writes("sums", 4 * rows)
}

/// Integer operations of `for (var step = 32u; step > 0u; step /= 2u) { if (lane < step) { … } … }`
/// in 64 lanes, its body's own operations left out.
///
/// Six trips, for 32, 16, 8, 4, 2 and 1: a lane compares the counter seven times, halves it six times
/// and compares its number six times.
pub(crate) fn tree_integer_ops() -> u128 {
    LANES * (7 + 6 + 6)
}

/// Sums of the rows of a matrix with `n` columns, in double precision, rounded once.
pub fn row_sums(m: &[f32], n: u32) -> Vec<f32> {
    m.chunks_exact(n as usize)
        .map(|row| row.iter().copied().map(f64::from).sum::<f64>() as f32)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_sums_are_a_product_with_ones() {
        let m: Vec<f32> = (0..12u8).map(f32::from).collect();
        let ones = [1.0; 4];
        assert_eq!(
            row_sums(&m, 4),
            crate::matmul::product(&m, &ones, [3, 1, 4])
        );
    }

    #[test]
    fn both_ways_request_the_same_bytes() {
        let [thread, group] = [
            thread_per_row_counts(100, 77),
            workgroup_per_row_counts(100, 77),
        ];
        assert_eq!(thread.requested_bytes(), group.requested_bytes());
        assert_eq!(thread.compulsory_bytes, group.compulsory_bytes);
    }

    #[test]
    fn a_thread_per_row_moves_a_line_for_every_element() {
        // The loads alone: 32 lines of 128 bytes for 32 elements of 4, 3.1 % efficient.
        let loads = thread_per_row_counts(4096, 4096)
            .transferred_bytes
            .map(|b| b - 128 * 128);
        assert_eq!(loads, Some(32 * 4 * 4096 * 4096));
    }

    #[test]
    fn one_row_by_hand() {
        // 64 elements: a trip a lane, 128 compares, 64 increments, 128 index operations; the tree has
        // 64 · 19 + 63; the last compare 64.
        let counts = workgroup_per_row_counts(1, 64);
        assert_eq!(counts.integer_ops, Some(128 + 64 + 128 + 1216 + 63 + 64));
        assert_eq!(counts.flops, 127);
        assert_eq!(counts.workgroup_bytes, 4 * (64 + 63 + 126 + 1));
    }
}
