//! Workgroups that leave lanes idle.

use cresta_analysis::Facts;
use cresta_rules::Severity;

use crate::fixture::{checked, close, lever, only, silent, vector_add};

const CODE: &str = "launch/simd-waste";

fn sized(size: [u32; 3]) -> Facts {
    Facts {
        workgroup_size: size,
        ..vector_add()
    }
}

#[test]
fn a_square_of_ten_leaves_28_lanes_idle() {
    let findings = checked(sized([10, 10, 1]));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "a workgroup of 10×10 (100 invocations) takes 4 SIMD groups of 32 lanes and leaves 28 of 128 lanes idle"
    );
    assert!(
        found
            .help
            .as_deref()
            .is_some_and(|help| help.ends_with("8×8, 16×16 or 32×8"))
    );
}

#[test]
fn only_the_product_of_the_sides_counts() {
    silent(&checked(sized([8, 8, 1])));
    silent(&checked(sized([4, 4, 4])));
    silent(&checked(sized([32, 1, 1])));
}

#[test]
fn few_idle_lanes_are_a_note() {
    // 250 of 256: 2.3 %.
    assert_eq!(
        only(&checked(sized([250, 1, 1])), CODE).severity,
        Severity::Note
    );
}

#[test]
fn a_single_small_workgroup_is_left_alone() {
    let mut facts = sized([1, 1, 1]);
    facts.workgroups = Some([1, 1, 1]);
    silent(&checked(facts));
    only(&checked(sized([1, 1, 1])), CODE);
}

#[test]
fn idle_lanes_cost_arithmetic_and_nothing_else() {
    // DRAM-bound: nothing. With 10^10 FLOP, compute takes 1 ms with full groups, twice that with
    // half of the lanes idle.
    let findings = checked(sized([16, 1, 1]));
    close(lever(&findings, CODE).gain, 1.0);
    let mut facts = sized([16, 1, 1]);
    facts.demand.f32_flops = Some(1e10);
    close(lever(&checked(facts), CODE).gain, 2.0);
}

#[test]
fn an_unstated_width_is_said_to_be_one() {
    let mut facts = sized([48, 1, 1]);
    facts.machine.simd_width = None;
    let findings = checked(facts);
    assert!(only(&findings, CODE).notes[0].contains("does not state"));
}
