//! The roofline: what bandwidth and arithmetic allow at a given intensity.
//!
//! Williams, Waterman and Patterson, “Roofline: an insightful visual performance model for multicore
//! architectures”, Communications of the ACM 52(4), 2009. Intensity is in FLOP per byte; say at which
//! byte count (requested, transferred, compulsory, DRAM). Start at [`attainable_flop_per_second`].

/// Critical intensity in FLOP per byte: below it bandwidth binds, above it arithmetic.
pub fn ridge(peak_flop_per_second: f64, bytes_per_second: f64) -> f64 {
    peak_flop_per_second / bytes_per_second
}

/// `min(peak, intensity × bandwidth)`.
pub fn attainable_flop_per_second(
    peak_flop_per_second: f64,
    bytes_per_second: f64,
    flop_per_byte: f64,
) -> f64 {
    peak_flop_per_second.min(flop_per_byte * bytes_per_second)
}

/// Attainable rate over peak, 0–1.
pub fn attainable_share(
    peak_flop_per_second: f64,
    bytes_per_second: f64,
    flop_per_byte: f64,
) -> f64 {
    attainable_flop_per_second(peak_flop_per_second, bytes_per_second, flop_per_byte)
        / peak_flop_per_second
}

/// A measured or predicted rate over its roof. Above 1 the roof, or the count, is at fault.
pub fn share_of_roof(per_second: f64, roof_per_second: f64) -> f64 {
    per_second / roof_per_second
}

/// Time of `amount` (FLOP, bytes, operations) at a roof.
pub fn seconds(amount: f64, roof_per_second: f64) -> f64 {
    amount / roof_per_second
}

/// FLOP per byte; none where no byte moves.
pub fn intensity(flops: f64, bytes: f64) -> Option<f64> {
    (bytes > 0.0).then(|| flops / bytes)
}

/// Compulsory intensity of an `m × k` by `k × n` matrix product: `2mnk` FLOP over each matrix once.
///
/// Square f32 matrices give `n / 6`.
pub fn matrix_product_intensity(m: f64, n: f64, k: f64, element_bytes: f64) -> f64 {
    2.0 * m * n * k / ((m * k + k * n + m * n) * element_bytes)
}
