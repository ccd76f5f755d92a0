//! Little's law.

use crate::machines::assert_near;
use cresta_model::littles_law::{
    coverage, idle_fraction, needed_in_flight, needed_share, simd_groups_needed,
    simd_groups_to_hide,
};

#[test]
fn one_load_of_400_cycles_in_ten_instructions() {
    assert_eq!(simd_groups_to_hide(400.0, 10.0), 40.0);
}

#[test]
fn three_hundred_cycles_at_a_request_a_cycle() {
    let needed = needed_in_flight(300.0, 1.0);
    assert_eq!(needed, 300.0);
    // 300 / 64 = 4.6875, shown as it is.
    assert_near(100.0 * needed_share(needed, 64.0), 469.0, 0.5);
    // 16, 32, 48, 64 SIMD groups with a load each keep 5.3, 10.7, 16, 21.3 % busy.
    for (occupancy, idle_percent) in [(0.25, 95.0), (0.5, 89.0), (0.75, 84.0), (1.0, 79.0)] {
        assert_near(
            100.0 * idle_fraction(64.0 * occupancy, needed),
            idle_percent,
            0.5,
        );
    }
}

#[test]
fn independent_loads_divide_the_need() {
    assert_eq!(simd_groups_needed(300.0, 4.0), 75.0);
}

#[test]
fn nothing_idles_once_latency_is_covered() {
    assert_eq!(idle_fraction(600.0, 300.0), 0.0);
    assert_eq!(coverage(600.0, 300.0), 2.0);
}
