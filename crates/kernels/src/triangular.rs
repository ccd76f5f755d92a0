//! Loops whose length depends on the lane: a triangular matrix-vector product and a triangular nest.
//!
//! Start at [`MATVEC`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::Counts;
use crate::data::Data;
use crate::elementwise::{LINEAR_64, linear_invocations};
use crate::launch::{LaunchCase, Size};

/// Lower-triangular matrix times vector.
pub const MATVEC: KernelCase = KernelCase {
    name: "triangular_matvec",
    source: include_str!("../wgsl/triangular_matvec.wgsl"),
    file_name: "triangular_matvec.wgsl",
    summary: "lower-triangular matrix times vector; each lane's loop is as long as its row",
    buffers: &[
        BufferSpec::input("L", 1, ScalarType::F32),
        BufferSpec::input("x", 2, ScalarType::F32),
        BufferSpec::output("y", 3, ScalarType::F32),
    ],
    make_launches: || launches("y", 4096, matvec_counts),
    run_reference: |launch, inputs| {
        let [l, x] = ["L", "x"].map(|name| inputs[name].f32s());
        [("y", Data::F32(matvec(l, x, launch.u32("d.n"))))].into()
    },
    ..TRIANGULAR
};

/// Quadratic form of every leading block: two loops, both triangular.
pub const NEST: KernelCase = KernelCase {
    name: "triangular_nest",
    source: include_str!("../wgsl/triangular_nest.wgsl"),
    file_name: "triangular_nest.wgsl",
    summary: "quadratic form of every leading block; a nest of two triangular loops",
    buffers: &[
        BufferSpec::input("L", 1, ScalarType::F32),
        BufferSpec::input("x", 2, ScalarType::F32),
        BufferSpec::output("energy", 3, ScalarType::F32),
    ],
    make_launches: || launches("energy", 1024, nest_counts),
    run_reference: |launch, inputs| {
        let [l, x] = ["L", "x"].map(|name| inputs[name].f32s());
        [("energy", Data::F32(energies(l, x, launch.u32("d.n"))))].into()
    },
    ..TRIANGULAR
};

const TRIANGULAR: KernelCase = KernelCase {
    uniform: UniformSpec::of(&[ParamSpec::u32("d.n")]),
    tolerance: Tolerance::Relative(1e-4),
    ..LINEAR_64
};

fn launches(output: &'static str, large: u32, counts: impl Fn(u32) -> Counts) -> Vec<LaunchCase> {
    [
        (Size::Tiny, 5),
        (Size::Round, 64),
        (Size::Ragged, 77),
        (Size::Large, large),
    ]
    .into_iter()
    .map(|(size, n)| {
        LaunchCase::new(size, [n.div_ceil(64), 1, 1], counts(n))
            .param("d.n", n)
            .len("L", u64::from(n) * u64::from(n))
            .len("x", u64::from(n))
            .len(output, u64::from(n))
    })
    .collect()
}

/// Counts of [`MATVEC`] for a matrix of `n` rows, with t = n (n + 1) / 2 elements in its triangle.
///
/// - Every lane evaluates the guard: a compare and a load of `d.n`. The lane of row r runs r + 1 trips;
///   the trips of the `n` lanes that pass sum to t.
/// - A trip: one fma, a load of L and one of x, an increment, and a product and a sum for the index,
///   with a load of `d.n`. A lane compares once more than it has trips: t + n.
/// - Read set: the triangle and x. Write set: y.
pub fn matvec_counts(n: u32) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    let trips = n * (n + 1) / 2;
    Counts {
        flops: 2 * trips,
        integer_ops: Some(invocations + (trips + n) + trips + 2 * trips),
        uniform_bytes: Some(4 * invocations + 4 * trips),
        compulsory_bytes: Some(4 * trips + 4 * n + 4 * n),
        ..Counts::of(invocations)
    }
    .reads("L", 4 * trips)
    .reads("x", 4 * trips)
    .writes("y", 4 * n)
}

/// Counts of [`NEST`] for a matrix of `n` rows.
///
/// - Every lane evaluates the guard: a compare and a load of `d.n`. The lane with number m runs m + 1
///   outer trips, t = n (n + 1) / 2 in all lanes; outer trip r runs r + 1 inner trips, which over
///   r ≤ m < n sum to q = n (n + 1) (n + 2) / 6.
/// - An inner trip: one fma, a load of L and one of x, an increment, a product and a sum for the index,
///   with a load of `d.n`. An outer trip: one fma, a load of x, an increment. Compares: q + t inside,
///   t + n outside.
/// - Read set: the triangle, t elements, and x. Write set: the energies.
pub fn nest_counts(n: u32) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    let outer = n * (n + 1) / 2;
    let inner = n * (n + 1) * (n + 2) / 6;
    let integer = invocations + (outer + n) + outer + (inner + outer) + inner + 2 * inner;
    Counts {
        flops: 2 * inner + 2 * outer,
        integer_ops: Some(integer),
        uniform_bytes: Some(4 * invocations + 4 * inner),
        compulsory_bytes: Some(4 * outer + 4 * n + 4 * n),
        ..Counts::of(invocations)
    }
    .reads("L", 4 * inner)
    .reads("x", 4 * inner + 4 * outer)
    .writes("energy", 4 * n)
}

/// Product of the lower triangle of `l`, n by n, and `x`, in double precision.
pub fn matvec(l: &[f32], x: &[f32], n: u32) -> Vec<f32> {
    rows_times_vector(l, x, n)
        .into_iter()
        .map(|v| v as f32)
        .collect()
}

/// For every m, the sum over rows r ≤ m of `x[r]` times row r of the triangle times `x`.
pub fn energies(l: &[f32], x: &[f32], n: u32) -> Vec<f32> {
    rows_times_vector(l, x, n)
        .into_iter()
        .zip(x)
        .scan(0.0f64, |total, (row, x)| {
            *total += row * f64::from(*x);
            Some(*total as f32)
        })
        .collect()
}

fn rows_times_vector(l: &[f32], x: &[f32], n: u32) -> Vec<f64> {
    l.chunks_exact(n as usize)
        .enumerate()
        .map(|(row, elements)| {
            elements[..=row]
                .iter()
                .zip(x)
                .map(|(l, x)| f64::from(*l) * f64::from(*x))
                .sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 5;

    fn matrix() -> Vec<f32> {
        (0..25u8).map(|i| f32::from(i % 6) - 2.0).collect()
    }

    #[test]
    fn matvec_is_a_product_with_zeros_above_the_diagonal() {
        let x = [1.0, -2.0, 0.5, 3.0, -1.0];
        let mut full = matrix();
        for row in 0..N {
            full[row * N + row + 1..(row + 1) * N].fill(0.0);
        }
        let expected = crate::matmul::product(&full, &x, [N, 1, N]);
        assert_eq!(matvec(&matrix(), &x, 5), expected);
    }

    #[test]
    fn energies_by_the_nest() {
        let x = [1.0f32, -2.0, 0.5, 3.0, -1.0];
        let l = matrix();
        let nest = |last: usize| -> f32 {
            (0..=last)
                .flat_map(|r| (0..=r).map(move |c| (r, c)))
                .map(|(r, c)| l[r * N + c] * x[c] * x[r])
                .sum()
        };
        assert_eq!(energies(&l, &x, 5), [0, 1, 2, 3, 4].map(nest));
    }

    #[test]
    fn trips_of_three_rows_by_hand() {
        // Rows of 1, 2 and 3 elements: t = 6; the blocks hold 1, 3 and 6: q = 10.
        assert_eq!(matvec_counts(3).flops, 12);
        assert_eq!(nest_counts(3).flops, 2 * 10 + 2 * 6);
    }
}
