//! Transposition: directly, and through tiles whose pitch decides the bank conflicts.
//!
//! Start at [`NAIVE`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, UniformSpec};
use crate::counts::{Counts, LINE_BYTES, SIMD_LANES};
use crate::data::{Buffers, Data};
use crate::elementwise::LINEAR_64;
use crate::launch::{LaunchCase, Size};

/// Rows by columns of a direct workgroup; a tile is [`TILE`] by [`TILE`].
const GROUP: [u32; 3] = [32, 8, 1];

const TILE: u32 = 32;

/// Contiguous reads, strided writes.
pub const NAIVE: KernelCase = KernelCase {
    name: "transpose_naive",
    source: include_str!("../wgsl/transpose_naive.wgsl"),
    file_name: "transpose_naive.wgsl",
    summary: "transposes directly; every lane writes its own line",
    make_launches: || launches(GROUP[1], naive_counts),
    ..TRANSPOSE
};

/// Tiles with a pitch of 32 words.
pub const TILED: KernelCase = KernelCase {
    name: "transpose_tiled",
    source: include_str!("../wgsl/transpose_tiled.wgsl"),
    file_name: "transpose_tiled.wgsl",
    summary: "transposes through tiles whose columns lie in one bank",
    workgroup_memory_bytes: 4096,
    bank_conflict_degree: Some(32),
    make_launches: || launches(TILE, tiled_counts),
    ..TRANSPOSE
};

/// Tiles with a pitch of 33 words.
pub const TILED_PADDED: KernelCase = KernelCase {
    name: "transpose_tiled_padded",
    source: include_str!("../wgsl/transpose_tiled_padded.wgsl"),
    file_name: "transpose_tiled_padded.wgsl",
    summary: "transposes through tiles whose columns spread over the banks",
    workgroup_memory_bytes: 4224,
    bank_conflict_degree: Some(1),
    make_launches: || launches(TILE, tiled_counts),
    ..TRANSPOSE
};

const TRANSPOSE: KernelCase = KernelCase {
    workgroup_size: GROUP,
    uniform: UniformSpec::of(&[ParamSpec::u32("d.width"), ParamSpec::u32("d.height")]),
    buffers: &[
        BufferSpec::input("src", 1, ScalarType::F32),
        BufferSpec::output("dst", 2, ScalarType::F32),
    ],
    run_reference: reference,
    ..LINEAR_64
};

fn launches(rows_of_a_group: u32, counts: impl Fn(u32, u32) -> Counts) -> Vec<LaunchCase> {
    [
        (Size::Tiny, 3, 5),
        (Size::Round, 96, 64),
        (Size::Ragged, 70, 45),
        (Size::Large, 4096, 4096),
    ]
    .into_iter()
    .map(|(size, width, height): (Size, u32, u32)| {
        let groups = [width.div_ceil(TILE), height.div_ceil(rows_of_a_group), 1];
        let elements = u64::from(width) * u64::from(height);
        LaunchCase::new(size, groups, counts(width, height))
            .param("d.width", width)
            .param("d.height", height)
            .len("src", elements)
            .len("dst", elements)
    })
    .collect()
}

fn reference(launch: &LaunchCase, inputs: &Buffers) -> Buffers {
    let dst = transpose(inputs["src"].f32s(), launch.u32("d.width"));
    [("dst", Data::F32(dst))].into()
}

/// Counts of [`NAIVE`] on a matrix of `height` rows and `width` columns.
///
/// - `width` · `height` lanes pass the guard, load and store 4 bytes.
/// - Integer operations where groups of 32 by 8 cover the matrix, so that both compares are evaluated:
///   2, and 2 for each index. Uniform loads of 4 bytes, then: 2 and 1 for each index.
/// - Transfers, then, with `height` ≥ 32: a line for the load of a SIMD group, which is one row of 32,
///   and a line a lane for its store.
pub fn naive_counts(width: u32, height: u32) -> Counts {
    let groups = u128::from(width.div_ceil(GROUP[0])) * u128::from(height.div_ceil(GROUP[1]));
    let whole = width.is_multiple_of(GROUP[0]) && height.is_multiple_of(GROUP[1]);
    let elements = u128::from(width) * u128::from(height);
    let lines = elements / SIMD_LANES + elements;
    Counts {
        integer_ops: whole.then_some(6 * elements),
        uniform_bytes: whole.then_some(16 * elements),
        transferred_bytes: (whole && height >= 32).then_some(lines * LINE_BYTES),
        ..copy_counts(groups * 256, elements)
    }
}

/// Counts of [`TILED`] and [`TILED_PADDED`] on a matrix of `height` rows and `width` columns.
///
/// - Every element is loaded, staged, read back and stored once.
/// - Integer operations where tiles cover the matrix, a lane: 2 for each of two coordinates; each of
///   two loops has 5 compares, 4 increments and 4 trips of 6 (2 for a coordinate, 2 compares, 2 for the
///   index): 70. Uniform loads of 4 bytes, then: 3 in each of 8 trips. A lane has four elements.
/// - Barriers: one a group.
/// - Transfers, then: every access of a SIMD group is one whole line.
pub fn tiled_counts(width: u32, height: u32) -> Counts {
    let groups = u128::from(width.div_ceil(TILE)) * u128::from(height.div_ceil(TILE));
    let whole = width.is_multiple_of(TILE) && height.is_multiple_of(TILE);
    let invocations = groups * 256;
    let elements = u128::from(width) * u128::from(height);
    Counts {
        integer_ops: whole.then_some(invocations * 70),
        uniform_bytes: whole.then_some(invocations * 8 * 12),
        workgroup_bytes: 8 * elements,
        barriers: groups,
        transferred_bytes: whole.then_some(8 * elements),
        ..copy_counts(invocations, elements)
    }
}

fn copy_counts(invocations: u128, elements: u128) -> Counts {
    Counts {
        compulsory_bytes: Some(8 * elements),
        ..Counts::of(invocations)
    }
    .reads("src", 4 * elements)
    .writes("dst", 4 * elements)
}

/// The transpose of a matrix with `width` columns.
pub fn transpose(src: &[f32], width: u32) -> Vec<f32> {
    let width = width as usize;
    (0..width)
        .flat_map(|col| src.iter().skip(col).step_by(width).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_moves_rows_to_columns_and_back() {
        let src: Vec<f32> = (0..15u8).map(f32::from).collect();
        let dst = transpose(&src, 3);
        for row in 0..5 {
            for col in 0..3 {
                assert_eq!(dst[col * 5 + row], src[row * 3 + col]);
            }
        }
        assert_eq!(transpose(&dst, 5), src);
    }

    #[test]
    fn strided_writes_move_a_line_an_element() {
        // 64 × 96: 192 SIMD groups, each with one line read and 32 written.
        assert_eq!(naive_counts(96, 64).transferred_bytes, Some(192 * 33 * 128));
        assert_eq!(tiled_counts(96, 64).transferred_bytes, Some(192 * 2 * 128));
    }
}
