//! Matrix products with 4 by 4 elements of C in each invocation: blocks of 64 by 64 a workgroup.
//!
//! Start at [`REGISTER_BLOCKED`].

use crate::case::KernelCase;
use crate::counts::{Counts, LINE_BYTES, SIMD_LANES};
use crate::matmul::{MATMUL, Shape, launches};

/// Elements of C along each side of a workgroup's block.
const BLOCK: u32 = 64;

/// Columns of A and rows of B that one step stages.
const DEPTH: u32 = 16;

/// Accumulators indexed by constants.
pub const REGISTER_BLOCKED: KernelCase = KernelCase {
    name: "matmul_register_blocked",
    source: include_str!("../wgsl/matmul_register_blocked.wgsl"),
    file_name: "matmul_register_blocked.wgsl",
    summary: "matrix product with 4 by 4 elements an invocation, accumulators in registers",
    make_launches: || launches([BLOCK, BLOCK], |shape| counts(shape, UNROLLED)),
    ..BLOCKED
};

/// Accumulators indexed by short loops.
pub const REGISTER_BLOCKED_LOOPS: KernelCase = KernelCase {
    name: "matmul_register_blocked_loops",
    source: include_str!("../wgsl/matmul_register_blocked_loops.wgsl"),
    file_name: "matmul_register_blocked_loops.wgsl",
    summary: "matrix product with 4 by 4 elements an invocation, accumulators indexed by loops",
    make_launches: || launches([BLOCK, BLOCK], |shape| counts(shape, LOOPED)),
    ..BLOCKED
};

const BLOCKED: KernelCase = KernelCase {
    workgroup_size: [16, 16, 1],
    workgroup_memory_bytes: 8192,
    bank_conflict_degree: Some(1),
    ..MATMUL
};

/// What the two spellings of the same kernel do differently, a lane.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Integer operations in one of a step's 16 multiplications of a column by a row.
    multiply_integer_ops: u128,
    /// Loads of workgroup memory in it.
    multiply_loads: u128,
    /// Integer operations after the last step, the 16 guarded stores left out.
    tail_integer_ops: u128,
}

/// Six sums for the rows and columns of the tiles; eight loads. Afterwards two sums for row and column,
/// three for the other rows and three in each of four rows of stores.
pub const UNROLLED: Spelling = Spelling {
    multiply_integer_ops: 6,
    multiply_loads: 8,
    tail_integer_ops: 2 + 3 + 4 * 3,
};

/// A loop of four trips costs five compares and four increments. In each trip over rows, two operations
/// for the row and one load; in each trip over columns, two operations for the column and one load.
/// Afterwards the same two loops with three operations for the row and three for the column.
pub const LOOPED: Spelling = Spelling {
    multiply_integer_ops: 9 + 4 * (2 + 9 + 4 * 2),
    multiply_loads: 4 * (1 + 4),
    tail_integer_ops: 9 + 4 * (9 + 4 * (3 + 3)),
};

/// Counts of both register-blocked kernels, with S = ceil(K / 16) steps.
///
/// - Every lane, inside C or not, runs S · 16 steps of 16 fused multiply-adds.
/// - Every element of A is loaded once by each column of blocks, ceil(N / 64) times; every element of B
///   once by each row of blocks, ceil(M / 64) times. M N elements are stored.
/// - Workgroup memory, a lane and step: 8 stores (a value or a zero), and 16 times the spelling's loads.
/// - Barriers: two a step.
/// - Integer operations where all sides are multiples of the block, so that every guard evaluates both
///   compares: 2 for the block's corner; S + 1 compares and S increments; a step: in each of two
///   stagings 5 compares, 4 increments and 4 times 8 (four for the place, two compares, two for the
///   index), then 17 compares, 16 increments and 16 times the spelling's; at the end the spelling's
///   tail and 16 stores of two compares and two for the index.
/// - Uniform loads of 4 bytes, then: S + 1 for the loop, 3 in each of 8 stagings a step, 3 in each of
///   16 stores.
/// - Transfers of a SIMD group, if moreover K ≥ 32: a staging of A covers 2 rows by 16 columns, two
///   lines; one of B 32 columns, one line; each of 16 stores 2 rows by 16 columns, two lines.
pub fn counts(shape: Shape, spelling: Spelling) -> Counts {
    let columns = u128::from(shape.n.div_ceil(BLOCK));
    let rows = u128::from(shape.m.div_ceil(BLOCK));
    let whole = shape.is_whole([BLOCK, BLOCK]) && shape.k.is_multiple_of(DEPTH);
    let steps = u128::from(shape.k.div_ceil(DEPTH));
    let invocations = columns * rows * 256;
    let [m, n, k] = [shape.m, shape.n, shape.k].map(u128::from);
    let staging = 5 + 4 + 4 * 8;
    let step = 2 * staging + 17 + 16 + 16 * spelling.multiply_integer_ops;
    let integer = 2 + (steps + 1) + steps + steps * step + spelling.tail_integer_ops + 16 * 4;
    let lines = steps * (4 * 2 + 4) + 16 * 2;
    Counts {
        flops: invocations * steps * 16 * 16 * 2,
        integer_ops: whole.then_some(invocations * integer),
        uniform_bytes: whole.then_some(invocations * 4 * (steps + 1 + 24 * steps + 48)),
        workgroup_bytes: invocations * steps * 4 * (8 + 16 * spelling.multiply_loads),
        barriers: columns * rows * 2 * steps,
        compulsory_bytes: Some(shape.compulsory_bytes()),
        transferred_bytes: (whole && k >= 32)
            .then_some(invocations / SIMD_LANES * lines * LINE_BYTES),
        ..Counts::of(invocations)
    }
    .reads("A", 4 * m * k * columns)
    .reads("B", 4 * k * n * rows)
    .writes("C", 4 * m * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effective_tile_of_64_gives_16_flop_a_byte() {
        let shape = Shape {
            m: 1024,
            n: 1024,
            k: 1024,
        };
        let counts = counts(shape, UNROLLED);
        assert_eq!(counts.flops, 16 * counts.requested_read_bytes());
    }

    #[test]
    fn unrolled_lane_by_hand() {
        // One block, one step: 84 + 213 operations a lane.
        let shape = Shape {
            m: 64,
            n: 64,
            k: 16,
        };
        assert_eq!(counts(shape, UNROLLED).integer_ops, Some(256 * (84 + 213)));
        assert_eq!(counts(shape, LOOPED).integer_ops, Some(256 * (208 + 1477)));
    }
}
