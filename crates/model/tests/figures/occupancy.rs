//! Resident groups, what limits them, and where the next one is won or lost.

use crate::machines::generic_mid;
use cresta_model::occupancy::{GroupDemand, Limiter, Occupancy, Steps, UnitLimits, occupancy};

fn group(invocations: u32, workgroup_memory_bytes: u64, registers: u32) -> GroupDemand {
    GroupDemand {
        invocations,
        workgroup_memory_bytes,
        registers: Some(registers),
    }
}

fn on_generic_mid(group: &GroupDemand) -> Occupancy {
    occupancy(group, &UnitLimits::from(&generic_mid()))
}

#[test]
fn six_groups_of_256_by_registers() {
    let result = on_generic_mid(&group(256, 1_296, 40));
    // 65,536 / 1,296 = 50.6; 65,536 / (256 × 40) = 6.4; 2,048 / 256 = 8.
    assert_eq!(result.limits.workgroup_memory, Some(50));
    assert_eq!(result.limits.registers, Some(6));
    assert_eq!(result.limits.slots, Some(8));
    assert_eq!((result.groups, result.invocations), (Some(6), Some(1_536)));
    assert_eq!(result.fraction, Some(0.75));
    assert_eq!(result.limiter, Some(Limiter::Registers));
    // 65,536 / (6 × 256) = 42.7; / (7 × 256) = 36.6.
    let registers = Steps {
        last_keeping: Some(42),
        lost_at: Some(43),
        won_at: Some(36),
    };
    assert_eq!(result.register_steps, Some(registers));
    // 65,536 / 6 = 10,922.7; fewer bytes win nothing while registers bind.
    let memory = Steps {
        last_keeping: Some(10_922),
        lost_at: Some(10_923),
        won_at: None,
    };
    assert_eq!(result.workgroup_memory_steps, Some(memory));
    assert_eq!(
        result.assumptions,
        ["occupancy leaves out group slots: the machine lacks slots.groups_per_unit"]
    );
}

#[test]
fn three_groups_at_72_registers() {
    // 65,536 / (256 × 72) = 3.6; 768 of 2,048.
    let result = on_generic_mid(&group(256, 1_296, 72));
    assert_eq!((result.groups, result.fraction), (Some(3), Some(0.375)));
}

#[test]
fn registers_an_invocation_and_resident_invocations() {
    // 65,536 / 64 and / 128.
    for (registers, invocations) in [(64, 1_024), (128, 512)] {
        let result = on_generic_mid(&group(256, 0, registers));
        assert_eq!(result.invocations, Some(invocations));
    }
}

#[test]
fn workgroup_memory_of_32_kib() {
    let limits = UnitLimits {
        workgroup_memory_bytes: Some(32 << 10),
        ..UnitLimits::from(&generic_mid())
    };
    for (bytes, groups) in [(8 << 10, 4), (16 << 10, 2), (32 << 10, 1), (33 << 10, 0)] {
        let result = occupancy(&group(64, bytes, 16), &limits);
        assert_eq!(result.groups, Some(groups), "{bytes} bytes");
        assert_eq!(result.limiter, Some(Limiter::WorkgroupMemory));
    }
}

#[test]
fn a_group_that_does_not_fit_is_shown_as_none_resident() {
    let result = on_generic_mid(&group(256, 70_000, 40));
    assert_eq!(
        (result.groups, result.invocations, result.fraction),
        (Some(0), Some(0), Some(0.0))
    );
    // One group fits from 65,536 bytes down; fewer registers would not help.
    let memory = Steps {
        last_keeping: None,
        lost_at: None,
        won_at: Some(65_536),
    };
    assert_eq!(result.workgroup_memory_steps, Some(memory));
    assert_eq!(result.register_steps.and_then(|steps| steps.won_at), None);
}

#[test]
fn groups_of_half_a_simd_group() {
    let limits = UnitLimits {
        groups: Some(16),
        ..UnitLimits::from(&generic_mid())
    };
    let result = occupancy(&group(16, 0, 16), &limits);
    assert_eq!(
        (result.groups, result.limiter),
        (Some(16), Some(Limiter::Slots))
    );
    // 16 × 16 = 256 of 2,048 invocations, but 16 of 64 SIMD groups.
    assert_eq!(result.invocations, Some(256));
    assert_eq!(result.fraction, Some(0.125));
    assert_eq!(result.simd_group_fraction, Some(0.25));
}

#[test]
fn a_group_takes_whole_simd_groups() {
    // 48 invocations take two SIMD groups of 32: 2,048 / 64 = 32 groups by invocations, and
    // 40 SIMD groups hold 20.
    let limits = UnitLimits::from(&generic_mid());
    assert_eq!(occupancy(&group(48, 0, 16), &limits).limits.slots, Some(32));
    let fewer = UnitLimits {
        simd_groups: Some(40),
        ..limits
    };
    assert_eq!(occupancy(&group(48, 0, 16), &fewer).limits.slots, Some(20));
    // 65,536 / (64 × 16) = 64 by registers.
    assert_eq!(
        occupancy(&group(48, 0, 16), &limits).limits.registers,
        Some(64)
    );
}

#[test]
fn allocation_is_rounded_up_to_granules() {
    let limits = UnitLimits {
        register_granularity: Some(8),
        workgroup_memory_granularity_bytes: Some(1_024),
        ..UnitLimits::from(&generic_mid())
    };
    // 41 registers are held as 48: 65,536 / (256 × 48) = 5.3. 1,296 bytes as 2,048: 32 groups.
    let result = occupancy(&group(256, 1_296, 41), &limits);
    assert_eq!(result.limits.registers, Some(5));
    assert_eq!(result.limits.workgroup_memory, Some(32));
    // 65,536 / (5 × 256) = 51.2, of which whole granules of 8 make 48; the next group needs
    // 42.7, so 40.
    let registers = Steps {
        last_keeping: Some(48),
        lost_at: Some(49),
        won_at: Some(40),
    };
    assert_eq!(result.register_steps, Some(registers));
}

#[test]
fn ties_are_named_in_the_order_registers_memory_slots() {
    // 32 registers: 8 groups; 8 KiB: 8 groups; slots: 8.
    assert_eq!(
        on_generic_mid(&group(256, 8_192, 32)).limiter,
        Some(Limiter::Registers)
    );
    assert_eq!(
        on_generic_mid(&group(256, 8_192, 16)).limiter,
        Some(Limiter::WorkgroupMemory)
    );
    assert_eq!(
        on_generic_mid(&group(256, 0, 16)).limiter,
        Some(Limiter::Slots)
    );
}

#[test]
fn what_is_unknown_takes_no_part() {
    let unknown_registers = GroupDemand {
        registers: None,
        ..group(256, 0, 0)
    };
    let result = on_generic_mid(&unknown_registers);
    assert_eq!((result.limits.registers, result.groups), (None, Some(8)));
    assert!(
        result
            .assumptions
            .iter()
            .any(|text| text.contains("--registers"))
    );

    let nothing = occupancy(&group(256, 1_024, 40), &UnitLimits::default());
    assert_eq!(
        (nothing.groups, nothing.limiter, nothing.fraction),
        (None, None, None)
    );
    for key in [
        "registers.per_unit",
        "shared.bytes_per_unit",
        "simd_width",
        "slots.groups_per_unit",
    ] {
        assert!(
            nothing.assumptions.iter().any(|text| text.contains(key)),
            "{key}"
        );
    }
}

#[test]
fn registers_above_the_maximum_spill() {
    let limits = UnitLimits {
        max_registers_per_invocation: Some(255),
        ..UnitLimits::from(&generic_mid())
    };
    // 300 registers hold 255: 65,536 / (64 × 255) = 4.01 groups, and more registers lose none.
    let result = occupancy(&group(64, 0, 300), &limits);
    assert_eq!(
        (result.spilled_registers, result.groups),
        (Some(45), Some(4))
    );
    let steps = result.register_steps.expect("registers are known");
    assert_eq!((steps.last_keeping, steps.lost_at), (Some(255), None));
}
