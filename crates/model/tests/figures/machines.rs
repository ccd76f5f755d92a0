//! Machines built by hand, and comparison of numbers.

use cresta_model::machine::{Compute, Dram, L1, L2, Machine, Registers, Shared, Slots};

/// The generic machine: 10 TFLOP/s, 400 GB/s, 32 lanes, lines and sectors of 128 bytes; no number
/// of units, no clock, no latency, no launch overhead, no maximal number of groups.
pub(crate) fn generic_mid() -> Machine {
    Machine {
        id: "generic-mid".to_owned(),
        simd_width: Some(32),
        compute: Compute {
            f32_flop_per_second: Some(10e12),
            ..Compute::default()
        },
        dram: Dram {
            bytes_per_second: Some(400e9),
            ..Dram::default()
        },
        l2: L2 {
            sector_bytes: Some(128),
            ..L2::default()
        },
        l1: L1 {
            line_bytes: Some(128),
            ..L1::default()
        },
        shared: Shared {
            bytes_per_unit: Some(65_536),
            banks: Some(32),
            bank_bytes: Some(4),
            granularity_bytes: Some(1),
        },
        registers: Registers {
            per_unit: Some(65_536),
            granularity: Some(1),
            max_per_invocation: None,
        },
        slots: Slots {
            invocations_per_unit: Some(2_048),
            ..Slots::default()
        },
        ..Machine::default()
    }
}

/// 132 units at 1.95 GHz that serve one line a cycle: what the per-unit sums of the design assume.
pub(crate) fn many_units() -> Machine {
    let mut machine = generic_mid();
    machine.compute.units = Some(132);
    machine.compute.clock_hz = Some(1.95e9);
    machine.l1.lines_per_wavefront = Some(1.0);
    machine
}

/// Asserts that `actual` rounds to `expected` as printed: within `tolerance` of it.
#[track_caller]
pub(crate) fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!(
        (actual - expected).abs() <= tolerance,
        "{actual} is not within {tolerance} of {expected}"
    );
}
