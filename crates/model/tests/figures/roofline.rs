//! Ridge, attainable shares, and intensities of whole algorithms.

use crate::machines::{assert_near, generic_mid};
use cresta_model::roofline::{
    attainable_flop_per_second, attainable_share, intensity, matrix_product_intensity, ridge,
    seconds, share_of_roof,
};

const H100_FLOP_PER_SECOND: f64 = 990e12;
const H100_BYTES_PER_SECOND: f64 = 3.35e12;

#[test]
fn ridge_of_the_generic_machine_and_of_an_h100() {
    // 10 TFLOP/s over 400 GB/s.
    assert_eq!(ridge(10e12, 400e9), 25.0);
    // 990 / 3.35 = 295.5.
    let h100 = ridge(H100_FLOP_PER_SECOND, H100_BYTES_PER_SECOND);
    assert_eq!(h100.round(), 296.0);
}

#[test]
fn attainable_share_of_the_matrix_peak() {
    // Below the ridge the share is intensity / 295.5.
    for (flop_per_byte, percent, tolerance) in [
        (0.08, 0.03, 0.005),
        (0.62, 0.2, 0.05),
        (1.5, 0.5, 0.05),
        (64.0, 21.7, 0.05),
    ] {
        let share = attainable_share(H100_FLOP_PER_SECOND, H100_BYTES_PER_SECOND, flop_per_byte);
        assert_near(100.0 * share, percent, tolerance);
    }
}

#[test]
fn attainable_rate_is_the_lower_of_two_roofs() {
    // 2 FLOP/B × 400 GB/s; at 25 both meet; above it the peak.
    assert_eq!(attainable_flop_per_second(10e12, 400e9, 2.0), 800e9);
    assert_eq!(attainable_flop_per_second(10e12, 400e9, 25.0), 10e12);
    assert_eq!(attainable_flop_per_second(10e12, 400e9, 100.0), 10e12);
    assert_eq!(generic_mid().attainable_flop_per_second(2.0), Some(800e9));
}

#[test]
fn shares_of_a_roof_are_not_clamped() {
    assert_near(share_of_roof(472e9, 400e9), 1.18, 1e-12);
}

#[test]
fn intensity_of_streaming_kernels() {
    // Vector add: one add, two loads and a store of 4 bytes.
    assert_eq!(intensity(1.0, 12.0), Some(1.0 / 12.0));
    // ReLU: one max, 4 bytes in and 4 out.
    assert_eq!(intensity(1.0, 8.0), Some(0.125));
    // Layer norm at 5 FLOP an element, each read and written once.
    assert_eq!(intensity(5.0, 8.0), Some(0.625));
    assert_eq!(intensity(5.0, 0.0), None);
}

#[test]
fn compulsory_intensity_of_matrix_products() {
    // 2n³ / (3n² × 4) = n / 6.
    for n in [6.0, 1024.0, 4096.0] {
        assert_near(matrix_product_intensity(n, n, n, 4.0), n / 6.0, 1e-9);
    }
    assert_eq!(
        matrix_product_intensity(4096.0, 4096.0, 4096.0, 4.0).round(),
        683.0
    );
    // QKᵀ: (2048 × 128)(128 × 2048): 2·2048²·128 / ((2·2048·128 + 2048²)·4) = 256/4.5.
    assert_near(
        matrix_product_intensity(2048.0, 2048.0, 128.0, 4.0),
        56.9,
        0.05,
    );
}

#[test]
fn naive_product_at_requested_bytes() {
    let n = 1024_f64;
    // Every output loads a row and a column: 2n³ elements of 4 bytes.
    let requested = 2.0 * n.powi(3) * 4.0;
    assert_near(requested, 8.6e9, 0.05e9);
    // 2 FLOP for each 8 bytes loaded.
    assert_eq!(intensity(2.0 * n.powi(3), requested), Some(0.25));
    assert_near(seconds(requested, 400e9), 21.5e-3, 0.05e-3);
    assert_near(seconds(2.0 * n.powi(3), 10e12), 0.215e-3, 0.0005e-3);
}
