//! Workgroups that no unit holds.

use cresta_analysis::{Facts, RegisterSource, Registers};
use cresta_rules::Severity;

use crate::fixture::{checked, given, only, silent, vector_add};

const CODE: &str = "occupancy/does-not-fit";

/// 256 invocations with 1,296 bytes and 40 registers on the generic machine, which holds six of them.
fn fitting() -> Facts {
    Facts {
        workgroup_size: [256, 1, 1],
        workgroup_bytes: 1_296,
        workgroups: Some([4_096, 1, 1]),
        registers: given(40),
        ..vector_add()
    }
}

#[test]
fn what_fits_is_silent() {
    silent(&checked(fitting()));
}

#[test]
fn workgroup_memory_beyond_the_unit_is_an_error() {
    let mut facts = fitting();
    facts.machine.shared.bytes_per_unit = Some(1_024);
    let findings = checked(facts);
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Error);
    // 1,296 − 1,024 = 272.
    assert_eq!(
        found.message,
        "no workgroup fits in a compute unit of generic-mid: it needs 1,296 B of workgroup memory where a unit has 1,024 B (272 B too much)"
    );
}

/// The machine tells no slots: occupancy as a fraction is unknown, and zero groups are zero groups.
#[test]
fn it_needs_no_slots() {
    let mut facts = fitting();
    facts.machine.shared.bytes_per_unit = Some(1_024);
    facts.machine.slots.invocations_per_unit = None;
    assert_eq!(only(&checked(facts), CODE).severity, Severity::Error);
}

/// 256 × 300 = 76,800 registers of 65,536: 11,264 too many. An estimate may be wrong.
#[test]
fn estimated_registers_beyond_the_unit_are_a_warning() {
    for (source, severity) in [
        (RegisterSource::Estimate, Severity::Warning),
        (RegisterSource::Given, Severity::Error),
    ] {
        let mut facts = fitting();
        facts.registers = Some(Registers { value: 300, source });
        let findings = checked(facts);
        let found = only(&findings, CODE);
        assert_eq!(found.severity, severity);
        assert!(
            found.message.contains("76,800 registers")
                && found.message.ends_with("has 65,536 (11,264 too much)"),
            "{}",
            found.message
        );
    }
}

/// 4,096 invocations where a unit holds 2,048.
#[test]
fn invocations_beyond_the_slots_are_an_error() {
    let mut facts = fitting();
    facts.workgroup_size = [256, 16, 1];
    facts.registers = given(8);
    let findings = checked(facts);
    let found = crate::fixture::diagnostics(&findings, CODE);
    assert!(
        found[0]
            .message
            .contains("4,096 slots for invocations where a unit has 2,048"),
        "{}",
        found[0].message
    );
}
