//! Matrix products, from one element an invocation to blocks in registers.
//!
//! `A` is M by K, `B` K by N and `C` M by N, all row by row. The register-blocked kernels are in
//! [`crate::matmul_blocked`]. Start at [`NAIVE`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::{Counts, LINE_BYTES, SIMD_LANES};
use crate::data::{Buffers, Data};
use crate::elementwise::LINEAR_64;
use crate::launch::{LaunchCase, Size};

/// One element of C an invocation, groups of 16 by 16.
pub const NAIVE: KernelCase = KernelCase {
    name: "matmul_naive",
    source: include_str!("../wgsl/matmul_naive.wgsl"),
    file_name: "matmul_naive.wgsl",
    summary: "matrix product straight from storage, groups of 16 by 16",
    workgroup_size: [16, 16, 1],
    make_launches: || launches([16, 16], |shape| naive_counts(shape, [16, 16])),
    ..MATMUL
};

/// One element of C an invocation, groups of 32 columns by 8 rows.
pub const NAIVE_32X8: KernelCase = KernelCase {
    name: "matmul_naive_32x8",
    source: include_str!("../wgsl/matmul_naive_32x8.wgsl"),
    file_name: "matmul_naive_32x8.wgsl",
    summary: "matrix product straight from storage, groups as wide as a SIMD group",
    workgroup_size: [32, 8, 1],
    make_launches: || launches([32, 8], |shape| naive_counts(shape, [32, 8])),
    ..MATMUL
};

/// Tiles of side 16 in workgroup memory.
pub const TILED: KernelCase = KernelCase {
    name: "matmul_tiled",
    source: include_str!("../wgsl/matmul_tiled.wgsl"),
    file_name: "matmul_tiled.wgsl",
    summary: "matrix product through workgroup tiles of side 16",
    workgroup_size: [16, 16, 1],
    workgroup_memory_bytes: 2048,
    bank_conflict_degree: Some(1),
    make_launches: || launches([16, 16], |shape| tiled_counts(shape, 16)),
    ..MATMUL
};

/// Tiles of side 8 in workgroup memory.
pub const TILED_8: KernelCase = KernelCase {
    name: "matmul_tiled_8",
    source: include_str!("../wgsl/matmul_tiled_8.wgsl"),
    file_name: "matmul_tiled_8.wgsl",
    summary: "matrix product through workgroup tiles of side 8",
    workgroup_size: [8, 8, 1],
    workgroup_memory_bytes: 512,
    bank_conflict_degree: Some(1),
    make_launches: || launches([8, 8], |shape| tiled_counts(shape, 8)),
    ..MATMUL
};

/// What all matrix products share.
pub(crate) const MATMUL: KernelCase = KernelCase {
    uniform: UniformSpec::of(&[
        ParamSpec::u32("d.M"),
        ParamSpec::u32("d.N"),
        ParamSpec::u32("d.K"),
    ]),
    buffers: &[
        BufferSpec::input("A", 1, ScalarType::F32),
        BufferSpec::input("B", 2, ScalarType::F32),
        BufferSpec::output("C", 3, ScalarType::F32),
    ],
    tolerance: Tolerance::Relative(1e-4),
    run_reference: reference,
    ..LINEAR_64
};

/// Sizes of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of A and of C.
    pub m: u32,
    /// Columns of B and of C.
    pub n: u32,
    /// Columns of A and rows of B.
    pub k: u32,
}

impl Shape {
    /// Compulsory bytes: both factors read once, the product written once.
    pub(crate) fn compulsory_bytes(self) -> u128 {
        let [m, n, k] = [self.m, self.n, self.k].map(u128::from);
        4 * (m * k + k * n + m * n)
    }

    /// Whether blocks of `width` columns by `height` rows cover C without a remainder.
    pub(crate) fn is_whole(self, [width, height]: [u32; 2]) -> bool {
        self.n.is_multiple_of(width) && self.m.is_multiple_of(height)
    }
}

/// Launches whose workgroups cover `block` = [columns, rows] of C.
pub(crate) fn launches(block: [u32; 2], counts: impl Fn(Shape) -> Counts) -> Vec<LaunchCase> {
    [
        (Size::Tiny, [2, 3, 4]),
        (Size::Round, [64, 128, 32]),
        (Size::Ragged, [50, 70, 33]),
        (Size::Large, [1024, 1024, 1024]),
    ]
    .into_iter()
    .map(|(size, [m, n, k]): (Size, [u32; 3])| {
        let groups = [n.div_ceil(block[0]), m.div_ceil(block[1]), 1];
        let elements = |rows: u32, columns: u32| u64::from(rows) * u64::from(columns);
        LaunchCase::new(size, groups, counts(Shape { m, n, k }))
            .param("d.M", m)
            .param("d.N", n)
            .param("d.K", k)
            .len("A", elements(m, k))
            .len("B", elements(k, n))
            .len("C", elements(m, n))
    })
    .collect()
}

fn reference(launch: &LaunchCase, inputs: &Buffers) -> Buffers {
    let shape = ["d.M", "d.N", "d.K"].map(|path| launch.u32(path) as usize);
    let product = product(inputs["A"].f32s(), inputs["B"].f32s(), shape);
    [("C", Data::F32(product))].into()
}

/// Counts of [`NAIVE`] and [`NAIVE_32X8`], whose groups are `width` columns by `height` rows.
///
/// - M N lanes pass the guard. Each runs K trips of a product and a sum (2 FLOP), a load of 4 bytes
///   from A and one from B, then stores 4 bytes.
/// - Integer operations and uniform loads where the groups cover C exactly, so that every lane
///   evaluates both compares of the guard (2 operations, 8 bytes): K + 1 compares (4 bytes each) and K
///   increments; four index operations a trip (`d.K` and `d.N`: 8 bytes); two for the store (4 bytes).
/// - Transfers of a SIMD group, 32 / `width` rows by `width` columns, with K ≥ 32, N ≥ 32 and whole
///   groups: a load of A touches one line a row, a load of B one line (`width` elements from a
///   multiple of `width`), the store one line a row.
pub fn naive_counts(shape: Shape, [width, height]: [u32; 2]) -> Counts {
    let groups = u128::from(shape.n.div_ceil(width)) * u128::from(shape.m.div_ceil(height));
    let invocations = groups * u128::from(width) * u128::from(height);
    let whole = shape.is_whole([width, height]);
    let rows_of_a_simd_group = SIMD_LANES / u128::from(width);
    let [m, n, k] = [shape.m, shape.n, shape.k].map(u128::from);
    let lanes = m * n;
    let transferred = || {
        let lines = k * (rows_of_a_simd_group + 1) + rows_of_a_simd_group;
        lanes / SIMD_LANES * lines * LINE_BYTES
    };
    Counts {
        flops: lanes * 2 * k,
        integer_ops: whole.then(|| 2 * invocations + lanes * (k + 1 + k + 4 * k + 2)),
        uniform_bytes: whole.then(|| 8 * invocations + lanes * (4 * (k + 1) + 8 * k + 4)),
        compulsory_bytes: Some(shape.compulsory_bytes()),
        transferred_bytes: (whole && k >= 32 && n >= 32).then(transferred),
        ..Counts::of(invocations)
    }
    .reads("A", lanes * 4 * k)
    .reads("B", lanes * 4 * k)
    .writes("C", lanes * 4)
}

/// Counts of [`TILED`] and [`TILED_8`], with tiles of side `side` = T and S = ceil(K / T) steps.
///
/// - Every lane, inside C or not, runs S · T fused multiply-adds: 2 FLOP each.
/// - Every element of A is loaded once by each column of groups, ceil(N / T) times; every element of B
///   once by each row of groups, ceil(M / T) times. M N lanes store.
/// - Workgroup memory, a lane and step: two stores (a value or a zero) and 2 T loads.
/// - Barriers: two a step.
/// - Integer operations where all sides are multiples of T, so that every guard holds and evaluates
///   both compares. Before the loop 2 + 2 + 3; S + 1 compares and S increments; a step: 4 for the two
///   coordinates, 4 compares, 4 for the two indices, T + 1 compares and T increments; after the loop
///   2 compares and 2 for the index: 12 + S (2 T + 15).
/// - Uniform loads of 4 bytes, then: 1 before the loop, 6 a step (four compares, two indices), 3 after.
/// - Transfers of a SIMD group, 32 / T rows by T columns, if moreover K ≥ 32 and N ≥ 32: a line a row
///   for each load and for the store.
pub fn tiled_counts(shape: Shape, side: u32) -> Counts {
    let columns = u128::from(shape.n.div_ceil(side));
    let rows = u128::from(shape.m.div_ceil(side));
    let whole = shape.is_whole([side, side]) && shape.k.is_multiple_of(side);
    let steps = u128::from(shape.k.div_ceil(side));
    let side = u128::from(side);
    let invocations = columns * rows * side * side;
    let [m, n, k] = [shape.m, shape.n, shape.k].map(u128::from);
    let transferred = || {
        let lines = (2 * steps + 1) * (SIMD_LANES / side);
        invocations / SIMD_LANES * lines * LINE_BYTES
    };
    Counts {
        flops: invocations * steps * side * 2,
        integer_ops: whole.then(|| invocations * (12 + steps * (2 * side + 15))),
        uniform_bytes: whole.then(|| invocations * 4 * (1 + 6 * steps + 3)),
        workgroup_bytes: invocations * steps * 4 * (2 + 2 * side),
        barriers: columns * rows * 2 * steps,
        compulsory_bytes: Some(shape.compulsory_bytes()),
        transferred_bytes: (whole && k >= 32 && n >= 32).then(transferred),
        ..Counts::of(invocations)
    }
    .reads("A", 4 * m * k * columns)
    .reads("B", 4 * k * n * rows)
    .writes("C", 4 * m * n)
}

/// Product of `a`, m by k, and `b`, k by n, in double precision, rounded once an element.
pub fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3]) -> Vec<f32> {
    let mut sums = vec![0.0f64; m * n];
    for row in 0..m {
        for inner in 0..k {
            let factor = f64::from(a[row * k + inner]);
            let terms = &b[inner * n..(inner + 1) * n];
            for (sum, term) in sums[row * n..(row + 1) * n].iter_mut().zip(terms) {
                *sum += factor * f64::from(*term);
            }
        }
    }
    sums.into_iter().map(|sum| sum as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::ScalarType;
    use crate::data::Fill;

    /// The tiled algorithm in single precision, tile by tile, with zeros outside.
    fn tiled_product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3], side: usize) -> Vec<f32> {
        let at = |matrix: &[f32], row: usize, col: usize, rows: usize, columns: usize| {
            if row < rows && col < columns {
                matrix[row * columns + col]
            } else {
                0.0
            }
        };
        let mut c = vec![0.0f32; m * n];
        for first in (0..k).step_by(side) {
            for row in 0..m {
                for col in 0..n {
                    for inner in first..first + side {
                        let left = at(a, row, inner, m, k);
                        let right = at(b, inner, col, k, n);
                        c[row * n + col] = left.mul_add(right, c[row * n + col]);
                    }
                }
            }
        }
        c
    }

    #[test]
    fn product_agrees_with_the_tiled_algorithm() {
        let shape = [13, 9, 21];
        let signed = Fill::Uniform {
            low: -1.0,
            high: 1.0,
        };
        let a = signed.generate(ScalarType::F32, 13 * 21, 1);
        let b = signed.generate(ScalarType::F32, 21 * 9, 2);
        let direct = product(a.f32s(), b.f32s(), shape);
        for side in [4, 8, 16] {
            let tiled = Data::F32(tiled_product(a.f32s(), b.f32s(), shape, side));
            assert!(Tolerance::Relative(1e-5).accepts(&tiled, &Data::F32(direct.clone())));
        }
    }

    #[test]
    fn naive_1024_gives_the_published_figures() {
        let shape = Shape {
            m: 1024,
            n: 1024,
            k: 1024,
        };
        let square = naive_counts(shape, [16, 16]);
        // 2 N³ reads of 4 bytes, a quarter FLOP a byte; three lines a step for two requested.
        assert_eq!(square.requested_read_bytes(), 8 << 30);
        assert_eq!(square.flops * 4, square.requested_read_bytes());
        assert_eq!(
            square.transferred_bytes,
            Some((1 << 15) * (1024 * 384 + 256))
        );
        let wide = naive_counts(shape, [32, 8]);
        assert_eq!(wide.transferred_bytes, Some((1 << 15) * (1024 * 256 + 128)));
    }

    #[test]
    fn tiled_1024_gives_the_published_figures() {
        let counts = tiled_counts(
            Shape {
                m: 1024,
                n: 1024,
                k: 1024,
            },
            16,
        );
        // 2 N³ / 16 loads: 537 MB; with the store 541 MB. Transferred 1.074 and 1.082 GB.
        assert_eq!(counts.requested_read_bytes(), 536_870_912);
        assert_eq!(counts.requested_bytes(), 541_065_216);
        assert_eq!(counts.transferred_bytes, Some(1_082_130_432));
    }

    #[test]
    fn lanes_outside_still_multiply_zeros() {
        // One group of 256 lanes, one step of 16 fused multiply-adds.
        let counts = tiled_counts(Shape { m: 2, n: 3, k: 4 }, 16);
        assert_eq!(counts.flops, 256 * 16 * 2);
        assert_eq!(counts.requested_read_bytes(), 4 * (8 + 12));
        assert_eq!(counts.integer_ops, None);
    }
}
