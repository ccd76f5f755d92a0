//! Whether less arithmetic pays.

use cresta_model::prediction::Resource;

use crate::fixture::{checked, close, lever, silent, vector_add};

const CODE: &str = "compute/arithmetic-does-nothing";

#[test]
fn a_vector_sum_gains_nothing() {
    // DRAM: 12,582,912 B / 400 GB/s = 31.5 µs; 2^20 FLOP / 10 TFLOP/s = 0.105 µs: 300 times less.
    let findings = checked(vector_add());
    silent(&findings);
    let lever = lever(&findings, CODE);
    close(lever.gain, 1.0);
    close(lever.gain_high, 1.0);
    assert!(!lever.pays);
    assert_eq!((lever.step, lever.resource), (7, Some(Resource::Compute)));
    assert_eq!(
        lever.why,
        "dram binds with 31.5 µs, against 105 ns of compute, which has room for 300× as much; even with none at all it is 1.00×"
    );
}

#[test]
fn it_pays_where_compute_binds() {
    // 1 ms of compute over 31.5 µs of DRAM: a tenth less is 1 / 0.9; none at all is 31.8×.
    let mut facts = vector_add();
    facts.demand.f32_flops = Some(1e10);
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    close(lever.gain, 1.0 / 0.9);
    close(lever.gain_high, 1e-3 / (12.0 * 1_048_576.0 / 400e9));
    assert!(lever.pays);
    assert!(lever.why.starts_with("arithmetic pays"), "{}", lever.why);
}

#[test]
fn a_copy_has_none_to_take_away() {
    let mut facts = vector_add();
    facts.demand.f32_flops = Some(0.0);
    assert!(checked(facts).levers.is_empty());
}

#[test]
fn unknown_work_leaves_the_gain_unknown() {
    let mut facts = vector_add();
    facts.demand.f32_flops = None;
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    assert_eq!(lever.gain, None);
    assert!(
        lever
            .why
            .contains("compute leaves out f32 FLOP: the amount is unknown"),
        "{}",
        lever.why
    );
}

/// Without a time, intensity against the ridge of 25 FLOP/B tells which roof is lower.
#[test]
fn without_a_time_the_ridge_decides() {
    for (flop_per_byte, pays) in [(Some(1.0 / 12.0), false), (Some(64.0), true)] {
        let mut facts = vector_add();
        for access in &mut facts.accesses {
            access.total = None;
        }
        facts.demand.f32_flops = None;
        facts.intensity.transferred = flop_per_byte;
        facts.demand.special_ops = None;
        facts.demand.integer_ops = None;
        facts.demand.workgroup_memory_wavefronts = None;
        let findings = checked(facts);
        let lever = lever(&findings, CODE);
        assert_eq!((lever.gain, lever.pays), (None, pays));
        assert!(
            lever.why.contains("the ridge of 25 FLOP/B"),
            "{}",
            lever.why
        );
    }
}
