//! Low occupancy, its next step, and whether it matters.

use cresta_analysis::{Facts, Operation};
use cresta_model::quantity::Quantity;
use cresta_rules::Severity;

use crate::fixture::{
    ELEMENTS, checked, close, given, lever, only, silent, vector_add, with_units, workgroup_access,
};

const CODE: &str = "occupancy/low";

/// 256 invocations, 1,296 bytes and `registers`: 3 workgroups at 72, 37.5 %.
fn with_registers(registers: u32) -> Facts {
    Facts {
        workgroup_size: [256, 1, 1],
        workgroup_bytes: 1_296,
        workgroups: Some([4_096, 1, 1]),
        registers: given(registers),
        ..vector_add()
    }
}

#[test]
fn three_quarters_is_not_low() {
    // 40 registers: 6 workgroups.
    silent(&checked(with_registers(40)));
}

#[test]
fn bandwidth_binds_so_that_raising_it_is_useless() {
    let findings = checked(with_registers(72));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(
        found.message,
        "occupancy is 37.5 %: a unit holds 3 workgroups, limited by registers (72 an invocation, given); raising it is useless: bandwidth binds"
    );
    // 65,536 / (4 × 256) = 64.
    assert_eq!(
        found.help.as_deref(),
        Some("at 64 registers an invocation one more workgroup fits")
    );
    let lever = lever(&findings, CODE);
    assert_eq!((lever.pays, lever.gain), (false, None));
    assert!(lever.why.contains("the machine lacks"), "{}", lever.why);
}

#[test]
fn arithmetic_binds_so_that_raising_it_is_useless() {
    let mut facts = with_registers(72);
    facts.demand.f32_flops = Some(1e10);
    let findings = checked(facts);
    assert!(
        only(&findings, CODE)
            .message
            .ends_with("raising it is useless: arithmetic binds")
    );
}

#[test]
fn the_tile_pays_for_it() {
    // 32 KiB of 64 KiB: 2 workgroups, 25 %. Each staged element is read 32 times.
    let mut facts = with_registers(16);
    facts.workgroup_bytes = 16_384;
    facts.workgroup_size = [64, 1, 1];
    let mut load = workgroup_access("tile", 41, Operation::Load);
    load.executions = Quantity::constant(32.0 * ELEMENTS);
    facts
        .accesses
        .push(workgroup_access("tile", 40, Operation::Store));
    facts.accesses.push(load);
    let findings = checked(facts);
    let found = only(&findings, CODE);
    assert!(
        found.message.ends_with(
            "raising it is useless: the tile pays for it, each element in it is used 32 times"
        ),
        "{}",
        found.message
    );
    // 65,536 / 5 bytes.
    assert_eq!(
        found.help.as_deref(),
        Some("at 13,107 bytes of workgroup memory one more workgroup fits")
    );
}

#[test]
fn latency_binds_so_that_it_matters() {
    // 24 SIMD groups × 1 load × 128 B / 500 ns × 100 units = 614 GB/s, more than DRAM's 400; with
    // a latency of 5 µs a tenth of that, and the step from 3 to 4 workgroups gains a third.
    let mut facts = with_registers(72);
    facts.machine = with_units();
    facts.machine.dram.latency_seconds = Some(5e-6);
    facts.demand.loads_in_flight = Some(1.0);
    facts.demand.bytes_per_load = Some(128.0);
    let findings = checked(facts);
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert!(
        found
            .message
            .ends_with("it matters: latency binds, and the next step gains 1.33×"),
        "{}",
        found.message
    );
    close(lever(&findings, CODE).gain, 4.0 / 3.0);
}

#[test]
fn larger_workgroups_where_their_number_is_the_limit() {
    // 16 workgroups of 16: 256 of 2,048 invocations. That lanes idle is another finding.
    let mut facts = vector_add();
    facts.workgroup_size = [16, 1, 1];
    facts.machine.slots.groups_per_unit = Some(16);
    let findings = checked(facts);
    let found = crate::fixture::diagnostics(&findings, CODE);
    assert!(
        found[0].message.starts_with("occupancy is 12.5 %"),
        "{}",
        found[0].message
    );
    assert!(
        found[0]
            .help
            .as_deref()
            .is_some_and(|help| help.starts_with("use larger workgroups"))
    );
}
