//! Time of a launch by resource, and what changes would gain.

use crate::machines::{assert_near, generic_mid, many_units};
use cresta_model::machine::Machine;
use cresta_model::prediction::{Demand, Resource, predict};
use cresta_model::what_if::gain;

/// A demand that is known and zero in everything that the generic machine could lack.
fn nothing() -> Demand {
    Demand {
        f32_flops: Some(0.0),
        f16_flops: Some(0.0),
        f64_flops: Some(0.0),
        special_ops: Some(0.0),
        integer_ops: Some(0.0),
        simd_instructions: Some(0.0),
        l1_wavefronts: Some(0.0),
        workgroup_memory_wavefronts: Some(0.0),
        same_address_atomics: Some(0.0),
        uploaded_bytes: Some(0.0),
        read_back_bytes: Some(0.0),
        transferred_bytes: Some(0.0),
        ..Demand::default()
    }
}

/// Vector add over 10⁶ f32.
fn vector_add() -> Demand {
    Demand {
        f32_flops: Some(1e6),
        requested_bytes: Some(12e6),
        transferred_bytes: Some(12e6),
        ..nothing()
    }
}

#[test]
fn vector_add_is_bound_by_dram_and_arithmetic_gains_nothing() {
    let machine = generic_mid();
    let prediction = predict(&vector_add(), &machine);
    // 12 MB at 400 GB/s; 1 MFLOP at 10 TFLOP/s.
    assert_eq!(prediction.bound, Some(Resource::Dram));
    assert_near(prediction.seconds.expect("known"), 30e-6, 1e-15);
    assert_near(
        prediction.time(Resource::Compute).expect("known"),
        0.1e-6,
        1e-18,
    );
    assert_eq!(prediction.seconds_at_requested_bytes, prediction.seconds);

    let without_arithmetic = Demand {
        f32_flops: Some(0.0),
        ..vector_add()
    };
    let lever = gain(&vector_add(), &without_arithmetic, &machine).expect("known");
    assert_eq!(lever.factor, 1.0);
    assert!(lever.unevenly_counted.is_empty());

    // Halving the bytes halves the time; with no bytes at all, 30 µs over the 0.1 µs of arithmetic.
    let half = Demand {
        transferred_bytes: Some(6e6),
        ..vector_add()
    };
    let lever = gain(&vector_add(), &half, &machine).expect("known");
    assert_near(lever.factor, 2.0, 1e-12);
    let slack = lever.slack.expect("two resources");
    assert_eq!(
        (slack.slowest.resource, slack.next.resource),
        (Resource::Dram, Resource::Compute)
    );
    assert_near(slack.largest_gain.expect("compute takes time"), 300.0, 1e-9);
}

#[test]
fn naive_product_on_the_generic_machine() {
    let n3 = 1024_f64.powi(3);
    let demand = Demand {
        f32_flops: Some(2.0 * n3),
        requested_bytes: Some(8.0 * n3),
        transferred_bytes: Some(12.0 * n3),
        ..nothing()
    };
    let prediction = predict(&demand, &generic_mid());
    assert_eq!(prediction.bound, Some(Resource::Dram));
    assert_near(prediction.seconds.expect("known"), 32.2e-3, 0.05e-3);
    assert_near(
        prediction.seconds_at_requested_bytes.expect("known"),
        21.5e-3,
        0.05e-3,
    );
    assert_near(
        prediction.time(Resource::Compute).expect("known"),
        0.215e-3,
        0.0005e-3,
    );
}

/// The machine of the per-unit sums, with nothing else to bind.
fn seconds_by_unit(demand: &Demand, resource: Resource) -> f64 {
    predict(demand, &many_units())
        .time(resource)
        .expect("counted")
}

#[test]
fn products_of_4096_by_wavefronts() {
    // 4096³ / 32 steps of a SIMD group; 65,536 groups of 256 on 132 units at 1.95 GHz.
    let steps = 4096_f64.powi(3) / 32.0;
    let product = Demand {
        groups: Some(65_536.0),
        ..nothing()
    };
    let lines = |per_step: f64| Demand {
        l1_wavefronts: None,
        l1_lines: Some(per_step * steps),
        ..product.clone()
    };
    // Three lines a step and a line a cycle; two wavefronts a step by the counters.
    assert_near(seconds_by_unit(&lines(3.0), Resource::L1), 25.1e-3, 0.05e-3);
    let counted = Demand {
        l1_wavefronts: Some(2.0 * steps),
        ..product.clone()
    };
    assert_near(seconds_by_unit(&counted, Resource::L1), 16.7e-3, 0.05e-3);
    // Tiled: two wavefronts of workgroup memory a step.
    let tiled = Demand {
        workgroup_memory_wavefronts: Some(2.0 * steps),
        ..product
    };
    assert_near(seconds_by_unit(&tiled, Resource::Shared), 16.7e-3, 0.05e-3);
}

#[test]
fn thread_a_row_leaves_units_idle() {
    // 4096 rows in 64 groups of two SIMD groups: one group on each of 64 of 132 units, so the busiest
    // serves 2 × 4096 loads of 32 lines: 262,144 cycles.
    let row_sum = Demand {
        groups: Some(64.0),
        l1_wavefronts: None,
        l1_lines: Some(128.0 * 4096.0 * 32.0),
        ..nothing()
    };
    let seconds = seconds_by_unit(&row_sum, Resource::L1);
    assert_near(seconds, 262_144.0 / 1.95e9, 1e-12);
    assert_near(seconds, 135e-6, 1e-6);
}

#[test]
fn the_busiest_unit_runs_a_whole_number_of_groups() {
    // 133 groups on 132 units: one unit runs two. FLOP at 10 TFLOP/s for 133 groups' work take
    // 2 / (133 / 132) times as long as if spread evenly.
    let machine = many_units();
    let demand = Demand {
        f32_flops: Some(10e9),
        groups: Some(133.0),
        ..nothing()
    };
    let seconds = predict(&demand, &machine)
        .time(Resource::Compute)
        .expect("counted");
    assert_near(seconds, 1e-3 * 2.0 * 132.0 / 133.0, 1e-12);
    // DRAM is shared by all units and knows no such thing: 12 MB at 400 GB/s.
    let demand = Demand {
        groups: Some(133.0),
        ..vector_add()
    };
    assert_near(
        predict(&demand, &machine)
            .time(Resource::Dram)
            .expect("counted"),
        30e-6,
        1e-15,
    );
}

#[test]
fn mixed_precision_sums_over_the_roofs() {
    let mut machine = generic_mid();
    machine.compute.f16_flop_per_second = Some(20e12);
    let demand = Demand {
        f32_flops: Some(10e9),
        f16_flops: Some(10e9),
        ..nothing()
    };
    // 1 ms of f32 and 0.5 ms of f16.
    let prediction = predict(&demand, &machine);
    assert_near(
        prediction.time(Resource::Compute).expect("counted"),
        1.5e-3,
        1e-12,
    );
    assert!(prediction.partial.is_empty());

    // Without the f16 roof, the f32 part is a lower bound, and the rest is explained.
    let prediction = predict(&demand, &generic_mid());
    assert_near(
        prediction.time(Resource::Compute).expect("counted"),
        1e-3,
        1e-12,
    );
    assert_eq!(prediction.partial, [Resource::Compute]);
    assert!(prediction.assumptions.contains(
        &"compute leaves out f16 FLOP: the machine lacks compute.f16_flop_per_second".to_owned()
    ));

    // Moving all arithmetic to f16 leaves nothing of compute to count.
    let only_f32 = Demand {
        f16_flops: Some(0.0),
        ..demand.clone()
    };
    let only_f16 = Demand {
        f32_flops: Some(0.0),
        transferred_bytes: Some(4e6),
        ..demand
    };
    let lever = gain(&only_f32, &only_f16, &generic_mid()).expect("both have a time");
    assert_eq!(lever.unevenly_counted, [Resource::Compute]);
}

#[test]
fn latency_is_littles_law_on_the_busiest_unit() {
    let mut machine = generic_mid();
    machine.compute.units = Some(2);
    machine.dram.latency_seconds = Some(1e-6);
    let demand = Demand {
        loaded_bytes: Some(2_048_000.0),
        groups: Some(64.0),
        simd_groups_per_group: Some(1.0),
        resident_simd_groups_per_unit: Some(4.0),
        loads_in_flight: Some(2.0),
        bytes_per_load: Some(128.0),
        ..nothing()
    };
    // A unit has 4 × 2 × 128 = 1,024 bytes in flight a microsecond, and 1,024,000 to bring.
    assert_near(
        predict(&demand, &machine)
            .time(Resource::Latency)
            .expect("counted"),
        1e-3,
        1e-12,
    );
    // Four groups put two on a unit: half as many in flight.
    let few = Demand {
        groups: Some(4.0),
        ..demand.clone()
    };
    assert_near(
        predict(&few, &machine)
            .time(Resource::Latency)
            .expect("counted"),
        2e-3,
        1e-12,
    );
    // Without a latency it is left out by name.
    machine.dram.latency_seconds = None;
    let unknown = predict(&demand, &machine);
    assert_eq!(unknown.time(Resource::Latency), None);
    assert!(
        unknown
            .assumptions
            .iter()
            .any(|text| text.contains("dram.latency_seconds"))
    );
}

#[test]
fn special_integer_issue_atomics_and_transfer_at_their_roofs() {
    let mut machine = many_units();
    machine.compute.special_ops_per_second = Some(1e12);
    machine.compute.integer_ops_per_second = Some(5e12);
    machine.compute.issue_per_unit_per_cycle = Some(4.0);
    machine.atomic.same_address_per_second = Some(1e9);
    machine.l2.bytes_per_second = Some(2e12);
    machine.transfer.upload_bytes_per_second = Some(32e9);
    machine.transfer.readback_bytes_per_second = Some(16e9);
    let demand = Demand {
        special_ops: Some(2e9),
        integer_ops: Some(5e9),
        // 4 a cycle on each of 132 units at 1.95 GHz is 1.0296e12 a second.
        simd_instructions: Some(1.0296e9),
        same_address_atomics: Some(3e6),
        l2_bytes: Some(8e9),
        uploaded_bytes: Some(32e6),
        read_back_bytes: Some(32e6),
        groups: Some(132.0),
        ..nothing()
    };
    let prediction = predict(&demand, &machine);
    for (resource, milliseconds) in [
        (Resource::Special, 2.0),
        (Resource::Integer, 1.0),
        (Resource::Issue, 1.0),
        (Resource::Atomic, 3.0),
        (Resource::L2, 4.0),
        (Resource::Transfer, 1.0 + 2.0),
    ] {
        let seconds = prediction.time(resource).expect("counted");
        assert_near(seconds, milliseconds * 1e-3, 1e-12);
    }
    assert_eq!(prediction.bound, Some(Resource::L2));
}

#[test]
fn launch_overhead_is_added_and_binds_when_it_exceeds_the_rest() {
    let mut machine = generic_mid();
    machine.launch.overhead_seconds = Some(5e-6);
    let prediction = predict(&vector_add(), &machine);
    assert_near(prediction.seconds.expect("known"), 35e-6, 1e-15);
    assert_eq!(prediction.bound, Some(Resource::Dram));
    // 30 ns of memory against 5 µs.
    let small = Demand {
        transferred_bytes: Some(12e3),
        ..vector_add()
    };
    assert_eq!(predict(&small, &machine).bound, Some(Resource::Launch));
    // 35 µs with all bytes, 5.1 µs with none.
    let slack = predict(&vector_add(), &machine)
        .slack()
        .expect("two resources");
    assert_near(slack.largest_gain.expect("known"), 35.0 / 5.1, 1e-9);
}

#[test]
fn what_the_machine_lacks_is_named_and_never_zero() {
    let demand = Demand {
        simd_instructions: Some(1e6),
        l1_wavefronts: Some(1e6),
        special_ops: Some(1e6),
        ..vector_add()
    };
    let prediction = predict(&demand, &generic_mid());
    let counted: Vec<_> = prediction
        .resources
        .iter()
        .map(|time| time.resource)
        .collect();
    assert_eq!(counted, [Resource::Dram, Resource::Compute]);
    for text in [
        "issue leaves out SIMD-group instructions: the machine lacks compute.units, compute.clock_hz, compute.issue_per_unit_per_cycle",
        "l1 leaves out L1 wavefronts: the machine lacks compute.units, compute.clock_hz",
        "special leaves out special operations: the machine lacks compute.special_ops_per_second",
        "launch leaves out the cost of a dispatch: the machine lacks launch.overhead_seconds",
        "no cache is modelled: DRAM traffic is taken as the transferred bytes",
    ] {
        assert!(prediction.assumptions.contains(&text.to_owned()), "{text}");
    }
    // Atomics are known to be none, so their roof is not asked for.
    assert!(
        !prediction
            .assumptions
            .iter()
            .any(|text| text.starts_with("atomic"))
    );
}

#[test]
fn an_unknown_demand_has_no_time() {
    let prediction = predict(&Demand::default(), &generic_mid());
    assert_eq!((prediction.seconds, prediction.bound), (None, None));
    assert!(
        prediction
            .assumptions
            .contains(&"dram leaves out DRAM bytes: the amount is unknown".to_owned())
    );
    assert_eq!(predict(&vector_add(), &Machine::default()).seconds, None);
    assert_eq!(
        gain(&Demand::default(), &vector_add(), &generic_mid()),
        None
    );
}

#[test]
fn resources_come_in_the_order_that_names_ties() {
    // 400 kB and 10 MFLOP both take 1 µs: the first in order is named.
    let tie = Demand {
        f32_flops: Some(10e6),
        transferred_bytes: Some(400e3),
        ..nothing()
    };
    assert_eq!(predict(&tie, &generic_mid()).bound, Some(Resource::Dram));
    let names: Vec<_> = Resource::ALL
        .iter()
        .map(|resource| resource.name())
        .collect();
    assert_eq!(
        names,
        [
            "dram", "l2", "l1", "shared", "compute", "special", "integer", "issue", "latency",
            "atomic", "launch", "transfer"
        ]
    );
    assert!(Resource::ALL.is_sorted());
}

/// A unit that holds no workgroup serves nothing: no time is predicted, rather than an infinite one.
#[test]
fn no_time_is_predicted_where_no_workgroup_fits() {
    let mut machine = generic_mid();
    machine.compute.units = Some(100);
    machine.dram.latency_seconds = Some(1e-6);
    let demand = Demand {
        groups: Some(1000.0),
        simd_groups_per_group: Some(8.0),
        resident_simd_groups_per_unit: Some(0.0),
        loads_in_flight: Some(1.0),
        bytes_per_load: Some(128.0),
        ..vector_add()
    };
    let prediction = predict(&demand, &machine);
    assert_eq!((prediction.bound, prediction.seconds), (None, None));
    assert!(prediction.resources.is_empty());
    assert!(prediction.assumptions[0].contains("no workgroup fits"));
}

/// A launch of no workgroups has nothing in flight and asks for nothing: 0 bytes at a rate of zero
/// leave latency at no time at all, not at 0 / 0.
#[test]
fn an_empty_launch_waits_for_nothing() {
    let mut machine = generic_mid();
    machine.compute.units = Some(100);
    machine.dram.latency_seconds = Some(1e-6);
    let demand = Demand {
        groups: Some(0.0),
        simd_groups_per_group: Some(8.0),
        resident_simd_groups_per_unit: Some(64.0),
        loads_in_flight: Some(1.0),
        bytes_per_load: Some(128.0),
        ..nothing()
    };
    assert_eq!(predict(&demand, &machine).time(Resource::Latency), None);
}

/// 12 MB at least on DRAM (30 µs) against exact arithmetic of 0.1 µs: DRAM binds whatever the rest is.
#[test]
fn a_lower_bound_that_is_slowest_is_decided() {
    let demand = Demand {
        at_least: vec![Resource::Dram],
        ..vector_add()
    };
    let prediction = predict(&demand, &generic_mid());
    assert!(prediction.is_at_least(Resource::Dram));
    assert_eq!(prediction.bound, Some(Resource::Dram));
    assert!(prediction.is_decided());
    assert_eq!(prediction.seconds_at_most(), None);
}

/// 30 µs on DRAM against at least 0.1 µs of arithmetic: what binds depends on how much more there is.
/// At most 100 MFLOP (10 µs) decide it, 1 GFLOP (100 µs) do not.
#[test]
fn an_upper_bound_decides_what_binds() {
    let machine = generic_mid();
    let demand = Demand {
        at_least: vec![Resource::Compute],
        ..vector_add()
    };
    let prediction = predict(&demand, &machine);
    assert_eq!(prediction.bound, Some(Resource::Dram));
    assert!(!prediction.is_decided());
    for (flops, decided, most) in [(1e8, true, 30e-6), (1e9, false, 100e-6)] {
        let upper = Demand {
            f32_flops: Some(flops),
            ..vector_add()
        };
        let bounded = prediction.clone().bounded_by(&predict(&upper, &machine));
        assert_eq!(bounded.is_decided(), decided);
        assert_near(bounded.seconds_at_most().expect("bounded"), most, 1e-15);
    }
}

/// At least nothing is no time, but it may still turn out to bind.
#[test]
fn a_lower_bound_of_nothing_is_no_time() {
    let demand = Demand {
        f32_flops: Some(0.0),
        at_least: vec![Resource::Compute],
        ..vector_add()
    };
    let prediction = predict(&demand, &generic_mid());
    assert_eq!(prediction.time(Resource::Compute), None);
    assert!(!prediction.is_decided());
}

/// Arithmetic of unknown amount on a machine that tells its roof may turn out to bind; on one that does
/// not, it is left out, and the bound is that of what is counted.
#[test]
fn an_unknown_amount_decides_nothing_where_the_machine_would_serve_it() {
    let demand = Demand {
        f32_flops: None,
        ..vector_add()
    };
    let prediction = predict(&demand, &generic_mid());
    assert_eq!(prediction.bound, Some(Resource::Dram));
    assert!(prediction.is_at_least(Resource::Compute));
    assert!(!prediction.is_decided());
    assert_eq!(prediction.seconds_at_most(), None);

    let mut machine = generic_mid();
    machine.compute.f32_flop_per_second = None;
    assert!(predict(&demand, &machine).is_decided());
}
