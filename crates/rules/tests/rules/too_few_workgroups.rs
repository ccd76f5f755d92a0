//! Launches that leave units without work.

use cresta_analysis::Facts;
use cresta_rules::Severity;

use crate::fixture::{checked, close, diagnostics, lever, only, silent, vector_add, with_units};

const CODE: &str = "launch/too-few-workgroups";

/// `groups` workgroups of 64 on 100 units, of which each holds 32.
fn launched(groups: u32) -> Facts {
    Facts {
        machine: with_units(),
        workgroups: Some([groups, 1, 1]),
        ..vector_add()
    }
}

#[test]
fn fewer_workgroups_than_units_are_a_warning() {
    let mut facts = launched(50);
    facts.demand.f32_flops = Some(1e10);
    let findings = checked(facts);
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "the launch has 50 workgroups for 100 units: 50 have no work"
    );
    // Compute binds, and half of the units do all of it: 2 ms become 1 ms.
    close(lever(&findings, CODE).gain, 2.0);
}

#[test]
fn an_uneven_last_round_is_a_note() {
    // 150 workgroups: the busiest unit runs 2 where the mean is 1.5.
    let mut facts = launched(150);
    facts.demand.f32_flops = Some(1e10);
    let findings = checked(facts);
    assert_eq!(only(&findings, CODE).severity, Severity::Note);
    close(lever(&findings, CODE).gain, 4.0 / 3.0);
}

#[test]
fn a_launch_that_reaches_every_unit_and_gains_nothing_is_left_alone() {
    let mut facts = launched(200);
    facts.demand.f32_flops = Some(1e10);
    silent(&checked(facts));
    silent(&checked(launched(3_200)));
}

#[test]
fn more_workgroups_than_64_bits_count_are_enough() {
    // 2^22 · 2^21 · 2^21 = 2^64, which is nought when it wraps.
    for sides in [[1 << 22, 1 << 21, 1 << 21], [u32::MAX; 3]] {
        let findings = checked(Facts {
            workgroups: Some(sides),
            ..launched(1)
        });
        assert!(diagnostics(&findings, CODE).is_empty());
    }
}

#[test]
fn a_launch_that_its_overhead_binds_is_a_note() {
    let mut facts = launched(2);
    facts.machine.launch.overhead_seconds = Some(1.0);
    assert_eq!(
        diagnostics(&checked(facts), CODE)[0].severity,
        Severity::Note
    );
}

#[test]
fn without_units_it_is_an_assumption() {
    let mut facts = launched(1);
    facts.machine.compute.units = None;
    let findings = checked(facts);
    silent(&findings);
    assert!(findings.assumptions[0].contains("the machine lacks compute.units"));
}
