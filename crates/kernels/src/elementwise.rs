//! One element in, one element out: vector addition, rectifier, scaling in two precisions.
//!
//! All have groups of 64 and a guard on the length. The shortest complete kernels of the library:
//! start at [`VECTOR_ADD`].

use half::f16;

use crate::case::{BufferSpec, KernelCase, ScalarType, Tolerance};
use crate::counts::{Counts, contiguous_transfer};
use crate::data::Data;
use crate::launch::{LaunchCase, Size};

const GROUP: u32 = 64;

/// Elements of the launches of one-dimensional kernels.
pub(crate) const LINEAR_SIZES: [(Size, u32); 4] = [
    (Size::Tiny, 5),
    (Size::Round, 256),
    (Size::Ragged, 1000),
    (Size::Large, 1 << 20),
];

/// Fields that most kernels of the library share; every kernel sets its own name, text and functions.
pub(crate) const LINEAR_64: KernelCase = KernelCase {
    name: "",
    source: "",
    file_name: "",
    entry: "main",
    summary: "",
    workgroup_size: [GROUP, 1, 1],
    workgroup_memory_bytes: 0,
    bank_conflict_degree: None,
    needs_f16: false,
    uniform: None,
    buffers: &[],
    tolerance: Tolerance::Exact,
    make_launches: Vec::new,
    run_reference: |_, _| crate::data::Buffers::new(),
};

/// `c = a + b`: one FLOP for twelve bytes.
pub const VECTOR_ADD: KernelCase = KernelCase {
    name: "vector_add",
    source: include_str!("../wgsl/vector_add.wgsl"),
    file_name: "vector_add.wgsl",
    summary: "adds two vectors; memory bandwidth alone decides",
    buffers: &[
        BufferSpec::input("a", 0, ScalarType::F32),
        BufferSpec::input("b", 1, ScalarType::F32),
        BufferSpec::output("c", 2, ScalarType::F32),
    ],
    make_launches: || launches(&["a", "b", "c"], vector_add_counts),
    run_reference: |_, inputs| {
        let sum = vector_add(inputs["a"].f32s(), inputs["b"].f32s());
        [("c", Data::F32(sum))].into()
    },
    ..LINEAR_64
};

/// `y = max(x, 0)`: one FLOP for eight bytes.
pub const RELU: KernelCase = KernelCase {
    name: "relu",
    source: include_str!("../wgsl/relu.wgsl"),
    file_name: "relu.wgsl",
    summary: "rectifies a vector; one operation for eight bytes",
    buffers: &[
        BufferSpec::input("x", 0, ScalarType::F32),
        BufferSpec::output("y", 1, ScalarType::F32),
    ],
    make_launches: || launches(&["x", "y"], |n| map_counts(n, 4)),
    run_reference: |_, inputs| [("y", Data::F32(relu(inputs["x"].f32s())))].into(),
    ..LINEAR_64
};

/// `y = 2 x` in single precision.
pub const F32_SCALE: KernelCase = KernelCase {
    name: "f32_scale",
    source: include_str!("../wgsl/f32_scale.wgsl"),
    file_name: "f32_scale.wgsl",
    summary: "doubles a vector in single precision",
    buffers: &[
        BufferSpec::input("x", 0, ScalarType::F32),
        BufferSpec::output("y", 1, ScalarType::F32),
    ],
    make_launches: || launches(&["x", "y"], |n| map_counts(n, 4)),
    run_reference: |_, inputs| [("y", Data::F32(f32_scale(inputs["x"].f32s())))].into(),
    ..LINEAR_64
};

/// `y = 2 x` in half precision: half the bytes of [`F32_SCALE`].
pub const F16_SCALE: KernelCase = KernelCase {
    name: "f16_scale",
    source: include_str!("../wgsl/f16_scale.wgsl"),
    file_name: "f16_scale.wgsl",
    summary: "doubles a vector in half precision",
    needs_f16: true,
    buffers: &[
        BufferSpec::input("x", 0, ScalarType::F16),
        BufferSpec::output("y", 1, ScalarType::F16),
    ],
    make_launches: || {
        launches(&["x", "y"], |n| Counts {
            f16_flops: u128::from(n),
            ..map_counts(n, 2)
        })
    },
    run_reference: |_, inputs| [("y", Data::F16(f16_scale(inputs["x"].f16s())))].into(),
    ..LINEAR_64
};

/// Launches over [`LINEAR_SIZES`] of a kernel whose buffers all have one element an invocation.
pub(crate) fn launches(
    buffers: &[&'static str],
    counts: impl Fn(u32) -> Counts,
) -> Vec<LaunchCase> {
    LINEAR_SIZES
        .iter()
        .map(|&(size, n)| {
            let launch = LaunchCase::new(size, [n.div_ceil(GROUP), 1, 1], counts(n));
            buffers
                .iter()
                .fold(launch, |launch, buffer| launch.len(buffer, u64::from(n)))
        })
        .collect()
}

/// Lanes of groups of 64 that cover `n` elements: 64 · ceil(n / 64).
pub(crate) fn linear_invocations(n: u32) -> u128 {
    u128::from(n.div_ceil(GROUP)) * u128::from(GROUP)
}

/// Counts of [`VECTOR_ADD`] on `n` elements.
///
/// - Every lane evaluates the guard: one integer compare. `n` lanes pass it.
/// - A lane that passes adds once, loads 4 bytes of `a` and of `b` and stores 4 bytes of `c`.
/// - No byte is touched twice: compulsory = requested = 12 n.
/// - Transfers: three contiguous accesses of 4 bytes.
pub fn vector_add_counts(n: u32) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    Counts {
        flops: n,
        integer_ops: Some(invocations),
        compulsory_bytes: Some(12 * n),
        transferred_bytes: Some(3 * contiguous_transfer(n, 4)),
        ..Counts::of(invocations)
    }
    .reads("a", 4 * n)
    .reads("b", 4 * n)
    .writes("c", 4 * n)
}

/// Counts of [`RELU`], [`F32_SCALE`] and [`F16_SCALE`] on `n` elements of `width` bytes.
///
/// - Every lane evaluates the guard: one integer compare. `n` lanes pass it.
/// - A lane that passes does one operation (`max` or a product), one load and one store.
/// - No byte is touched twice: compulsory = requested.
/// - Transfers: two contiguous accesses. Of a line of 128 bytes, a SIMD group asks for 64 in half
///   precision.
pub fn map_counts(n: u32, width: u128) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    Counts {
        flops: n,
        integer_ops: Some(invocations),
        compulsory_bytes: Some(2 * width * n),
        transferred_bytes: Some(2 * contiguous_transfer(n, width)),
        ..Counts::of(invocations)
    }
    .reads("x", width * n)
    .writes("y", width * n)
}

/// Sum of two vectors of equal length, element by element.
pub fn vector_add(a: &[f32], b: &[f32]) -> Vec<f32> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// Negative elements replaced by zero.
pub fn relu(x: &[f32]) -> Vec<f32> {
    x.iter().map(|x| x.max(0.0)).collect()
}

/// Twice the vector.
pub fn f32_scale(x: &[f32]) -> Vec<f32> {
    x.iter().map(|x| x * 2.0).collect()
}

/// Twice the vector, exact below half of the largest half-precision value.
pub fn f16_scale(x: &[f16]) -> Vec<f16> {
    x.iter().map(|x| f16::from_f32(x.to_f32() * 2.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_agree_with_a_second_computation() {
        let a = [1.5, -2.0, 0.0, 3.25];
        let b = [-1.5, 4.0, -7.0, 0.5];
        assert_eq!(vector_add(&a, &b), [0.0, 2.0, -7.0, 3.75]);
        let halves: Vec<f32> = a.iter().map(|v| (v + f32::abs(*v)) / 2.0).collect();
        assert_eq!(relu(&a), halves);
        assert_eq!(f32_scale(&a), vector_add(&a, &a));
        let narrow = a.map(f16::from_f32);
        let doubled: Vec<f32> = f16_scale(&narrow).iter().map(|v| v.to_f32()).collect();
        assert_eq!(doubled, f32_scale(&a));
    }

    #[test]
    fn vector_add_moves_twelve_bytes_an_element() {
        // 1000 elements: 16 groups of 64; 31 full SIMD groups and one of 8 lanes, a line each.
        let counts = vector_add_counts(1000);
        assert_eq!(counts.invocations, 1024);
        assert_eq!(counts.flops, 1000);
        assert_eq!(counts.requested_bytes(), 12_000);
        assert_eq!(counts.transferred_bytes, Some(3 * 32 * 128));
    }

    #[test]
    fn half_precision_halves_the_requested_bytes() {
        assert_eq!(
            2 * map_counts(256, 2).requested_bytes(),
            map_counts(256, 4).requested_bytes()
        );
    }
}
