//! Blocks of 256 elements joined in workgroup memory: two trees and a prefix scan.
//!
//! Start at [`HALVING`].

use crate::case::{BufferSpec, KernelCase, ScalarType, Tolerance};
use crate::counts::{Counts, LINE_BYTES, contiguous_transfer};
use crate::data::Data;
use crate::elementwise::{LINEAR_64, LINEAR_SIZES};
use crate::launch::{LaunchCase, Size};

/// Lanes and elements of a workgroup.
pub(crate) const LANES: u32 = 256;

/// A tree whose distance doubles.
pub const DOUBLING: KernelCase = KernelCase {
    name: "reduction_doubling",
    source: include_str!("../wgsl/reduction_doubling.wgsl"),
    file_name: "reduction_doubling.wgsl",
    summary: "sums blocks with a tree whose words meet in the same banks",
    bank_conflict_degree: Some(8),
    make_launches: || launches("sums", |n| tree_counts(n, 9 + 8 + 8 * 3)),
    ..REDUCTION
};

/// A tree whose distance halves.
pub const HALVING: KernelCase = KernelCase {
    name: "reduction_halving",
    source: include_str!("../wgsl/reduction_halving.wgsl"),
    file_name: "reduction_halving.wgsl",
    summary: "sums blocks with a tree whose words stay together",
    bank_conflict_degree: Some(1),
    make_launches: || launches("sums", |n| tree_counts(n, 9 + 8 + 8)),
    ..REDUCTION
};

/// Inclusive prefix sums of blocks, and the blocks' totals.
pub const SCAN: KernelCase = KernelCase {
    name: "scan_workgroup",
    source: include_str!("../wgsl/scan_workgroup.wgsl"),
    file_name: "scan_workgroup.wgsl",
    summary: "inclusive prefix sums of blocks by doubling distances",
    bank_conflict_degree: Some(1),
    buffers: &[
        BufferSpec::input("x", 0, ScalarType::U32).filled(crate::data::Fill::Words),
        BufferSpec::output("prefix", 1, ScalarType::U32),
        BufferSpec::output("totals", 2, ScalarType::U32),
    ],
    tolerance: Tolerance::Exact,
    make_launches: || {
        launches("totals", scan_counts)
            .into_iter()
            .map(|launch| {
                let elements = launch.lengths["x"];
                launch.len("prefix", elements)
            })
            .collect()
    },
    run_reference: |_, inputs| {
        let (prefix, totals) = scan(inputs["x"].u32s());
        [("prefix", Data::U32(prefix)), ("totals", Data::U32(totals))].into()
    },
    ..REDUCTION
};

const REDUCTION: KernelCase = KernelCase {
    workgroup_size: [LANES, 1, 1],
    workgroup_memory_bytes: 1024,
    buffers: &[
        BufferSpec::input("x", 0, ScalarType::F32),
        BufferSpec::output("sums", 1, ScalarType::F32),
    ],
    tolerance: Tolerance::Relative(1e-5),
    run_reference: |_, inputs| [("sums", Data::F32(block_sums(inputs["x"].f32s())))].into(),
    ..LINEAR_64
};

/// Launches of kernels that read `x` and write one element a group to `output`.
fn launches(output: &'static str, counts: impl Fn(u32) -> Counts) -> Vec<LaunchCase> {
    LINEAR_SIZES
        .map(|(size, n): (Size, u32)| {
            let groups = n.div_ceil(LANES);
            LaunchCase::new(size, [groups, 1, 1], counts(n))
                .len("x", u64::from(n))
                .len(output, u64::from(groups))
        })
        .into()
}

/// Counts of [`DOUBLING`] and [`HALVING`] on `n` elements.
///
/// - A group joins 256 lanes with 255 sums, those of missing elements included (they are zero). Each
///   join has two loads and a store of workgroup memory and one index sum; before, every lane stores
///   once; after, one lane loads.
/// - Every lane compares with the length before and its number with 0 after, and evaluates the loop:
///   `loop_ops`. Eight trips have nine compares and eight changes of the counter; in a trip the
///   doubling tree multiplies twice and compares once, the halving tree compares once.
/// - Barriers: one before the tree and one in each of eight trips.
/// - The last store of a group is one lane's: a line.
pub fn tree_counts(n: u32, loop_ops: u128) -> Counts {
    let groups = u128::from(n.div_ceil(LANES));
    let lanes = u128::from(LANES);
    let joins = lanes - 1;
    let n = u128::from(n);
    Counts {
        flops: groups * joins,
        integer_ops: Some(groups * (lanes * (1 + loop_ops + 1) + joins)),
        workgroup_bytes: groups * 4 * (lanes + 3 * joins + 1),
        barriers: groups * 9,
        compulsory_bytes: Some(4 * n + 4 * groups),
        transferred_bytes: Some(contiguous_transfer(n, 4) + groups * LINE_BYTES),
        ..Counts::of(groups * lanes)
    }
    .reads("x", 4 * n)
    .writes("sums", 4 * groups)
}

/// Counts of [`SCAN`] on `n` elements. Per group:
///
/// - Eight trips, for distances 1, 2, 4, … 128. A lane at or past the distance loads its partner: the
///   sum of 256 − distance over the trips is 8 · 256 − 255 = 1793 loads, each with an index
///   subtraction. Every lane then adds: a load, a store and an integer sum.
/// - A lane's other integer operations: two compares with the length, one with the last lane, nine
///   compares and eight products of the loop, one compare a trip.
/// - Workgroup memory besides: a store a lane before, a load for each of the `n` elements after, and
///   one load of the total.
/// - Barriers: one before the loop, two a trip: 17.
pub fn scan_counts(n: u32) -> Counts {
    let groups = u128::from(n.div_ceil(LANES));
    let lanes = u128::from(LANES);
    let partners = 8 * lanes - 255;
    let lane_ops = 2 + 1 + 9 + 8 + 8 + 8;
    let n = u128::from(n);
    Counts {
        integer_ops: Some(groups * (lanes * lane_ops + partners)),
        workgroup_bytes: 4 * (groups * (lanes + partners + 8 * 2 * lanes + 1) + n),
        barriers: groups * 17,
        compulsory_bytes: Some(8 * n + 4 * groups),
        transferred_bytes: Some(2 * contiguous_transfer(n, 4) + groups * LINE_BYTES),
        ..Counts::of(groups * lanes)
    }
    .reads("x", 4 * n)
    .writes("prefix", 4 * n)
    .writes("totals", 4 * groups)
}

/// Sums of blocks of 256 elements, in double precision, rounded once; the last block may be short.
pub fn block_sums(x: &[f32]) -> Vec<f32> {
    x.chunks(LANES as usize)
        .map(|block| block.iter().copied().map(f64::from).sum::<f64>() as f32)
        .collect()
}

/// Inclusive prefix sums of blocks of 256 elements, modulo 2³², and each block's total.
pub fn scan(x: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let blocks: Vec<Vec<u32>> = x
        .chunks(LANES as usize)
        .map(|block| {
            block
                .iter()
                .scan(0u32, |sum, v| {
                    *sum = sum.wrapping_add(*v);
                    Some(*sum)
                })
                .collect()
        })
        .collect();
    let totals = blocks
        .iter()
        .filter_map(|block| block.last().copied())
        .collect();
    (blocks.concat(), totals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_sums_agree_with_a_tree() {
        let x: Vec<f32> = (0..300u16).map(|i| f32::from(i % 7) - 3.0).collect();
        let mut tree = x.clone();
        tree.resize(512, 0.0);
        let expected: Vec<f32> = tree
            .chunks_exact_mut(256)
            .map(|block| {
                for step in [128, 64, 32, 16, 8, 4, 2, 1] {
                    for lane in 0..step {
                        block[lane] += block[lane + step];
                    }
                }
                block[0]
            })
            .collect();
        assert_eq!(block_sums(&x), expected);
    }

    #[test]
    fn scan_differences_give_the_input_back() {
        let x: Vec<u32> = (0..600).map(|i| i * i + 1).collect();
        let (prefix, totals) = scan(&x);
        for (i, value) in x.iter().enumerate() {
            let before = if i % 256 == 0 { 0 } else { prefix[i - 1] };
            assert_eq!(prefix[i] - before, *value);
        }
        assert_eq!(totals, [prefix[255], prefix[511], prefix[599]]);
    }

    #[test]
    fn one_block_by_hand() {
        let counts = scan_counts(256);
        assert_eq!(counts.integer_ops, Some(256 * 36 + 1793));
        assert_eq!(counts.barriers, 17);
        assert_eq!(
            tree_counts(256, 25).workgroup_bytes,
            4 * (256 + 255 + 510 + 1)
        );
    }
}
