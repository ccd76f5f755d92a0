//! Normalisation of rows, one workgroup of 64 a row: layer normalisation and softmax.
//!
//! Several passes over the row, joined by trees in workgroup memory. Start at [`LAYER_NORM`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::{Counts, SIMD_LANES};
use crate::data::Data;
use crate::elementwise::LINEAR_64;
use crate::launch::{LaunchCase, Size};
use crate::rows::{LANES, tree_integer_ops};

const EPSILON: f32 = 1e-5;

/// Subtracts the mean, divides by the standard deviation, scales and shifts.
pub const LAYER_NORM: KernelCase = KernelCase {
    name: "layer_norm",
    source: include_str!("../wgsl/layer_norm.wgsl"),
    file_name: "layer_norm.wgsl",
    summary: "layer normalisation, a workgroup a row, moments in one pass",
    workgroup_memory_bytes: 512,
    bank_conflict_degree: Some(1),
    uniform: UniformSpec::of(&[ParamSpec::u32("d.N"), ParamSpec::f32("d.epsilon")]),
    buffers: &[
        BufferSpec::input("x", 1, ScalarType::F32),
        BufferSpec::input("gamma", 2, ScalarType::F32),
        BufferSpec::input("beta", 3, ScalarType::F32),
        BufferSpec::output("y", 4, ScalarType::F32),
    ],
    tolerance: Tolerance::Relative(1e-4),
    make_launches: || {
        launches(layer_norm_counts)
            .into_iter()
            .map(|launch| {
                let n = u64::from(launch.u32("d.N"));
                launch
                    .param("d.epsilon", EPSILON)
                    .len("gamma", n)
                    .len("beta", n)
            })
            .collect()
    },
    run_reference: |launch, inputs| {
        let [x, gamma, beta] = ["x", "gamma", "beta"].map(|name| inputs[name].f32s());
        let y = layer_norm(x, gamma, beta, launch.f32("d.epsilon"));
        [("y", Data::F32(y))].into()
    },
    ..LINEAR_64
};

/// Exponentials of the row over their sum, shifted by the maximum.
pub const SOFTMAX: KernelCase = KernelCase {
    name: "softmax",
    source: include_str!("../wgsl/softmax.wgsl"),
    file_name: "softmax.wgsl",
    summary: "softmax, a workgroup a row, in three passes",
    workgroup_memory_bytes: 256,
    bank_conflict_degree: Some(1),
    uniform: UniformSpec::of(&[ParamSpec::u32("d.N")]),
    buffers: &[
        BufferSpec::input("x", 1, ScalarType::F32),
        BufferSpec::output("y", 2, ScalarType::F32).updated(),
    ],
    tolerance: Tolerance::Relative(1e-5),
    make_launches: || launches(softmax_counts),
    run_reference: |launch, inputs| {
        let y = softmax(inputs["x"].f32s(), launch.u32("d.N"));
        [("y", Data::F32(y))].into()
    },
    ..LINEAR_64
};

fn launches(counts: impl Fn(u32, u32) -> Counts) -> Vec<LaunchCase> {
    [
        (Size::Tiny, 2, 5),
        (Size::Round, 4, 256),
        (Size::Ragged, 7, 100),
        (Size::Large, 4096, 1024),
    ]
    .into_iter()
    .map(|(size, rows, n)| {
        let elements = u64::from(rows) * u64::from(n);
        LaunchCase::new(size, [rows, 1, 1], counts(rows, n))
            .param("d.N", n)
            .len("x", elements)
            .len("y", elements)
    })
    .collect()
}

/// Integer operations of 64 lanes in one loop `for (var k = lane; k < d.N; k += LANES)` over `n`
/// elements whose body adds once for an index.
///
/// The trips sum to `n`; a lane compares once more than it has trips.
fn strided_loop_ops(n: u128) -> u128 {
    (n + LANES) + n + n
}

/// Counts of [`LAYER_NORM`] on `rows` rows of `n` elements. Per row:
///
/// - One product a lane for the row's start; two strided loops of three integer operations a trip and
///   64 final compares; the tree's counter and guard, and one index sum in each of its 63 joins.
/// - First pass: one add and one fma an element. Tree: 63 joins of two adds. Then each lane does two
///   divisions, a product, a subtraction, an addition and an inverse square root: 6 FLOP, 3 special.
///   Second pass: a subtraction, a product and an fma an element.
/// - `d.N` is loaded for the start, the two loops' compares and the count, `d.epsilon` once a lane.
/// - Workgroup memory: two stores a lane; 63 joins of four loads and two stores; two loads a lane.
/// - `x` is read twice; `gamma` and `beta` are read by every row, but are compulsory once.
/// - Transfers, with `n` a multiple of 32: every access of a SIMD group is one whole line.
pub fn layer_norm_counts(rows: u32, n: u32) -> Counts {
    let [rows, n] = [rows, n].map(u128::from);
    let joins = LANES - 1;
    let integer = LANES + 2 * strided_loop_ops(n) + tree_integer_ops() + joins;
    Counts {
        flops: rows * (3 * n + 2 * joins + 6 * LANES + 4 * n),
        special_ops: rows * 3 * LANES,
        integer_ops: Some(rows * integer),
        uniform_bytes: Some(rows * 4 * (2 * (n + LANES) + 3 * LANES)),
        workgroup_bytes: rows * 4 * (2 * LANES + 6 * joins + 2 * LANES),
        barriers: rows * 7,
        compulsory_bytes: Some(8 * rows * n + 8 * n),
        transferred_bytes: n.is_multiple_of(SIMD_LANES).then(|| 20 * rows * n),
        ..Counts::of(rows * LANES)
    }
    .reads("x", 8 * rows * n)
    .reads("gamma", 4 * rows * n)
    .reads("beta", 4 * rows * n)
    .writes("y", 4 * rows * n)
}

/// Counts of [`SOFTMAX`] on `rows` rows of `n` elements. Per row:
///
/// - One product a lane for the row's start; three strided loops; two trees with 63 joins, each with
///   an index sum.
/// - FLOP: a maximum an element, 63 in the tree; a subtraction, an exponential and an addition an
///   element, 63 additions in the tree; a division a lane; a product an element. Exponentials and
///   divisions are special.
/// - Workgroup memory, twice: a store a lane, 63 joins of two loads and a store, a load a lane.
/// - Barriers: before each tree one and in it six, and one between the trees: 15.
/// - `x` is read twice, `y` written twice and read once; `y` is in the read set and in the write set.
/// - Transfers, with `n` a multiple of 32: every access of a SIMD group is one whole line.
pub fn softmax_counts(rows: u32, n: u32) -> Counts {
    let [rows, n] = [rows, n].map(u128::from);
    let joins = LANES - 1;
    let integer = LANES + 3 * strided_loop_ops(n) + 2 * (tree_integer_ops() + joins);
    Counts {
        flops: rows * (n + joins + 3 * n + joins + LANES + n),
        special_ops: rows * (n + LANES),
        integer_ops: Some(rows * integer),
        uniform_bytes: Some(rows * 4 * (LANES + 3 * (n + LANES))),
        workgroup_bytes: rows * 4 * 2 * (LANES + 3 * joins + LANES),
        barriers: rows * 15,
        compulsory_bytes: Some(12 * rows * n),
        transferred_bytes: n.is_multiple_of(SIMD_LANES).then(|| 20 * rows * n),
        ..Counts::of(rows * LANES)
    }
    .reads("x", 8 * rows * n)
    .reads("y", 4 * rows * n)
    .writes("y", 8 * rows * n)
}

/// Rows as long as `gamma`, normalised to mean 0 and variance 1 (of the population), times `gamma`
/// plus `beta`, in double precision.
pub fn layer_norm(x: &[f32], gamma: &[f32], beta: &[f32], epsilon: f32) -> Vec<f32> {
    let count = gamma.len() as f64;
    x.chunks_exact(gamma.len())
        .flat_map(|row| {
            let mean = row.iter().copied().map(f64::from).sum::<f64>() / count;
            let variance = row
                .iter()
                .map(|v| (f64::from(*v) - mean).powi(2))
                .sum::<f64>()
                / count;
            let deviation = (variance + f64::from(epsilon)).sqrt();
            row.iter().zip(gamma).zip(beta).map(move |((v, g), b)| {
                ((f64::from(*v) - mean) / deviation * f64::from(*g) + f64::from(*b)) as f32
            })
        })
        .collect()
}

/// Softmax of rows of `n` elements, in double precision.
pub fn softmax(x: &[f32], n: u32) -> Vec<f32> {
    x.chunks_exact(n as usize)
        .flat_map(|row| {
            let peak = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let exponential = move |v: &f32| (f64::from(*v) - f64::from(peak)).exp();
            let total: f64 = row.iter().map(exponential).sum();
            row.iter().map(move |v| (exponential(v) / total) as f32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layer_norm_by_moments_in_one_pass() {
        let x = [1.0f32, 2.0, 4.0, 9.0];
        let ones = [1.0; 4];
        // Mean 4, mean of squares 25.5: variance 9.5.
        let expected = x.map(|v| (v - 4.0) / 9.5f32.sqrt());
        let y = layer_norm(&x, &ones, &[0.0; 4], 0.0);
        assert!(y.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6));
        let shifted = layer_norm(&x, &[2.0; 4], &[1.0; 4], 0.0);
        assert!(
            shifted
                .iter()
                .zip(&y)
                .all(|(a, b)| (a - (2.0 * b + 1.0)).abs() < 1e-6)
        );
    }

    #[test]
    fn softmax_of_logarithms_is_their_share() {
        let shares = [0.5f32, 0.25, 0.125, 0.125];
        let y = softmax(&shares.map(|s| (40.0 * s).ln()), 4);
        assert!(y.iter().zip(shares).all(|(a, b)| (a - b).abs() < 1e-6));
    }

    #[test]
    fn softmax_of_one_row_by_hand() {
        // 5 elements: 5 maxima, 15 and 5 operations, 63 + 63 joins, 64 divisions.
        let counts = softmax_counts(1, 5);
        assert_eq!(counts.flops, 5 + 15 + 5 + 126 + 64);
        assert_eq!(counts.special_ops, 69);
        assert_eq!(counts.barriers, 15);
    }
}
