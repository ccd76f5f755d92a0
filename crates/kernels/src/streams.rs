//! Streams over a vector: a copy that starts mid-line, and a fixed grid that strides over the data.
//!
//! Start at [`COPY_MISALIGNED`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::{Counts, LINE_BYTES, SIMD_LANES, contiguous_transfer};
use crate::data::Data;
use crate::elementwise::{LINEAR_64, launches, linear_invocations};
use crate::launch::{LaunchCase, Size};

/// Half a line of 128 bytes, in elements of four bytes.
const HALF_LINE: u32 = 16;

/// Copies from half a line into the source.
pub const COPY_MISALIGNED: KernelCase = KernelCase {
    name: "copy_misaligned",
    source: include_str!("../wgsl/copy_misaligned.wgsl"),
    file_name: "copy_misaligned.wgsl",
    summary: "copies from half a line into the source; every SIMD group reads two lines",
    uniform: UniformSpec::of(&[ParamSpec::u32("d.offset")]),
    buffers: &[
        BufferSpec::input("src", 1, ScalarType::F32),
        BufferSpec::output("dst", 2, ScalarType::F32),
    ],
    make_launches: || {
        launches(&["dst"], copy_misaligned_counts)
            .into_iter()
            .map(|launch| {
                let elements = launch.lengths["dst"];
                launch
                    .param("d.offset", HALF_LINE)
                    .len("src", elements + u64::from(HALF_LINE))
            })
            .collect()
    },
    run_reference: |launch, inputs| {
        let dst = copy_from(inputs["src"].f32s(), launch.u32("d.offset"));
        [("dst", Data::F32(dst))].into()
    },
    ..LINEAR_64
};

/// `y = alpha x + y` with a fixed number of workgroups.
pub const GRID_STRIDE_SAXPY: KernelCase = KernelCase {
    name: "grid_stride_saxpy",
    source: include_str!("../wgsl/grid_stride_saxpy.wgsl"),
    file_name: "grid_stride_saxpy.wgsl",
    summary: "scaled vector addition by a fixed grid that strides over the data",
    uniform: UniformSpec::of(&[ParamSpec::u32("d.n"), ParamSpec::f32("d.alpha")]),
    buffers: &[
        BufferSpec::input("x", 1, ScalarType::F32),
        BufferSpec::input("y", 2, ScalarType::F32).updated(),
    ],
    tolerance: Tolerance::Relative(1e-6),
    make_launches: saxpy_launches,
    run_reference: |launch, inputs| {
        let y = saxpy(
            launch.f32("d.alpha"),
            inputs["x"].f32s(),
            inputs["y"].f32s(),
        );
        [("y", Data::F32(y))].into()
    },
    ..LINEAR_64
};

fn saxpy_launches() -> Vec<LaunchCase> {
    [
        (Size::Tiny, 5, 1),
        (Size::Round, 1024, 4),
        (Size::Ragged, 1000, 3),
        (Size::Large, 1 << 24, 1024),
    ]
    .into_iter()
    .map(|(size, n, groups)| {
        LaunchCase::new(size, [groups, 1, 1], saxpy_counts(n, groups))
            .param("d.n", n)
            .param("d.alpha", 0.75)
            .len("x", u64::from(n))
            .len("y", u64::from(n))
    })
    .collect()
}

/// Counts of [`COPY_MISALIGNED`] on `n` elements, from 16 elements into the source.
///
/// - Every lane evaluates the guard: one integer compare. `n` lanes pass it and add the offset, one
///   integer operation and one uniform load.
/// - No byte is touched twice: compulsory = requested = 8 n.
/// - Transfers of the load: `r` lanes cover elements 16 … 15 + `r` past a line's start, which lie in
///   ceil((16 + `r`) / 32) lines: two for a full SIMD group. The store is aligned.
pub fn copy_misaligned_counts(n: u32) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    let lines_of = |lanes: u128| {
        if lanes == 0 {
            0
        } else {
            (u128::from(HALF_LINE) + lanes).div_ceil(LINE_BYTES / 4)
        }
    };
    let load_lines = n / SIMD_LANES * lines_of(SIMD_LANES) + lines_of(n % SIMD_LANES);
    Counts {
        integer_ops: Some(invocations + n),
        uniform_bytes: Some(4 * n),
        compulsory_bytes: Some(8 * n),
        transferred_bytes: Some(load_lines * LINE_BYTES + contiguous_transfer(n, 4)),
        ..Counts::of(invocations)
    }
    .reads("src", 4 * n)
    .writes("dst", 4 * n)
}

/// Counts of [`GRID_STRIDE_SAXPY`] on `n` elements by `groups` workgroups of 64.
///
/// - Each lane multiplies once for the stride. The trips of all lanes sum to `n`, one an element;
///   each trip adds the stride, and each lane compares once more than it has trips:
///   invocations + (n + invocations) + n integer operations.
/// - `d.n` is loaded at every compare and `d.alpha` in every trip.
/// - A trip is one fma, two loads and a store. `y` is in the read set and in the write set.
/// - Trips of a SIMD group cover 32 neighbours from a multiple of 32, so the transfers are those of a
///   launch with a lane an element.
pub fn saxpy_counts(n: u32, groups: u32) -> Counts {
    let invocations = u128::from(groups) * 64;
    let n = u128::from(n);
    Counts {
        flops: 2 * n,
        integer_ops: Some(2 * invocations + 2 * n),
        uniform_bytes: Some(4 * (n + invocations) + 4 * n),
        compulsory_bytes: Some(12 * n),
        transferred_bytes: Some(3 * contiguous_transfer(n, 4)),
        ..Counts::of(invocations)
    }
    .reads("x", 4 * n)
    .reads("y", 4 * n)
    .writes("y", 4 * n)
}

/// The source from `offset` on.
pub fn copy_from(src: &[f32], offset: u32) -> Vec<f32> {
    src[offset as usize..].to_vec()
}

/// `alpha x + y` with one rounding an element.
pub fn saxpy(alpha: f32, x: &[f32], y: &[f32]) -> Vec<f32> {
    x.iter()
        .zip(y)
        .map(|(x, y)| alpha.mul_add(*x, *y))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copy_shifts_by_the_offset() {
        let src: Vec<f32> = (0..40u8).map(f32::from).collect();
        let dst = copy_from(&src, HALF_LINE);
        assert_eq!(dst.len(), 24);
        assert!(dst.iter().enumerate().all(|(i, v)| *v == (i + 16) as f32));
    }

    #[test]
    fn starting_mid_line_doubles_the_lines_of_a_load() {
        // Eight SIMD groups: 16 lines for the loads, 8 for the stores.
        let counts = copy_misaligned_counts(256);
        assert_eq!(counts.transferred_bytes, Some(24 * 128));
        // Five lanes from the middle of a line stay inside it.
        assert_eq!(copy_misaligned_counts(5).transferred_bytes, Some(2 * 128));
    }

    #[test]
    fn saxpy_agrees_with_doubles() {
        let x = [0.5, -3.0, 7.25];
        let y = [1.0, 2.0, -4.5];
        let expected: Vec<f32> = (0..3)
            .map(|i| (0.75 * f64::from(x[i]) + f64::from(y[i])) as f32)
            .collect();
        assert_eq!(saxpy(0.75, &x, &y), expected);
    }
}
