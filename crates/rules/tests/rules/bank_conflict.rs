//! Bank conflicts of workgroup memory.

use cresta_analysis::{Facts, Operation, Rows, WorkgroupVariable};
use cresta_model::prediction::Resource;
use cresta_model::transactions::Pattern;
use cresta_rules::Severity;

use crate::fixture::{
    SIMD_GROUPS, checked, close, diagnostics, generic, lever, only, silent, vector_add, with_units,
    workgroup_access,
};

const CODE: &str = "workgroup-memory/bank-conflict";

/// A column of a tile of 32 by 32 words: the store takes one turn, the load 32.
fn transpose() -> Facts {
    let mut facts = vector_add();
    let mut column = workgroup_access("tile", 40, Operation::Load);
    column.pattern = Pattern::Strided;
    column.stride_bytes = Some(128);
    column.rows = Some(Rows {
        pitch_bytes: 128,
        declared: true,
    });
    column.bank_degree = Some(32.0);
    column.bank_wavefronts = Some(32.0 * SIMD_GROUPS);
    facts
        .accesses
        .push(workgroup_access("tile", 39, Operation::Store));
    facts.accesses.push(column);
    facts.demand.workgroup_memory_wavefronts = Some(33.0 * SIMD_GROUPS);
    facts.machine = with_units();
    facts.machine.dram.latency_seconds = None;
    facts
}

#[test]
fn a_column_of_a_full_tile_is_a_warning_with_the_pitch() {
    let findings = checked(transpose());
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "`tile` is read with a 32-way bank conflict: it takes 32× the turns it needs"
    );
    assert!(
        found
            .help
            .as_deref()
            .is_some_and(|help| help.contains("33 elements instead of 32")),
        "{:?}",
        found.help
    );
}

#[test]
fn the_gain_counts_what_workgroup_memory_binds() {
    // 16,384 groups on 100 units: the busiest runs 164. Wavefronts: 33 × 2^15 / 10^11 a second
    // × 164 × 100 / 16,384 = 10.8 µs, below the 31.5 µs of DRAM: nothing to gain.
    let findings = checked(transpose());
    let dram_bound = lever(&findings, CODE);
    close(dram_bound.gain, 1.0);
    assert!(!dram_bound.pays);

    // At 40 TB/s DRAM takes 0.3146 µs; wavefronts fall from 33 to 2, 16.5-fold, to 0.656 µs.
    let mut facts = transpose();
    facts.machine.dram.bytes_per_second = Some(40e12);
    let findings = checked(facts);
    let shared_bound = lever(&findings, CODE);
    close(shared_bound.gain, 16.5);
    assert_eq!(shared_bound.resource, Some(Resource::Shared));
}

#[test]
fn without_units_the_gain_is_unknown() {
    let mut facts = transpose();
    facts.machine = generic();
    let findings = checked(facts);
    let lever = lever(&findings, CODE);
    assert_eq!(lever.gain, None);
    assert!(
        lever
            .why
            .contains("the machine lacks compute.units, compute.clock_hz"),
        "{}",
        lever.why
    );
}

#[test]
fn a_broadcast_and_a_padded_tile_do_not_conflict() {
    let mut facts = transpose();
    let column = facts.accesses.last_mut().expect("the load");
    column.pattern = Pattern::Broadcast;
    column.stride_bytes = Some(0);
    column.bank_degree = Some(1.0);
    column.bank_wavefronts = Some(SIMD_GROUPS);
    silent(&checked(facts.clone()));

    let padded = facts.accesses.last_mut().expect("the load");
    padded.pattern = Pattern::Strided;
    padded.stride_bytes = Some(132);
    silent(&checked(facts));
}

#[test]
fn a_conflict_that_is_rare_is_a_note() {
    let mut facts = transpose();
    facts.demand.workgroup_memory_wavefronts = Some(1000.0 * SIMD_GROUPS);
    assert_eq!(
        diagnostics(&checked(facts), CODE)[0].severity,
        Severity::Note
    );
}

/// A tree of 256 words, of which neighbouring lanes read and write every second: 64 distinct words in
/// 16 of 32 banks, two each.
fn tree() -> Facts {
    let mut facts = transpose();
    facts.accesses.truncate(3);
    facts.workgroup_variables = vec![WorkgroupVariable {
        name: "tree".to_owned(),
        bytes: 1_024,
        location: None,
    }];
    for (operation, start) in [
        (Operation::Load, 4_000),
        (Operation::Store, 4_000),
        (Operation::Load, 4_020),
    ] {
        let mut access = workgroup_access("tree", 40, operation);
        access.location.start = start;
        access.pattern = Pattern::Strided;
        access.stride_bytes = Some(8);
        access.bank_degree = Some(2.0);
        access.bank_wavefronts = Some(2.0 * SIMD_GROUPS);
        facts.accesses.push(access);
    }
    facts.demand.workgroup_memory_wavefronts = Some(6.0 * SIMD_GROUPS);
    facts
}

/// 256 words skip one after each 32: 7 words, 28 B.
#[test]
fn an_array_without_rows_is_skewed() {
    let findings = checked(tree());
    let found = only(&findings, CODE);
    assert_eq!(
        found.message,
        "`tree` is read and written with a 2-way bank conflict: it takes 2× the turns it needs"
    );
    assert_eq!(
        found.help.as_deref(),
        Some(
            "index `tree` with `i + i / 32` instead of `i`, wherever it is accessed; it costs 28 B more"
        )
    );
    assert_eq!(found.labels.len(), 1, "the load beside it");
    let lever = lever(&findings, CODE);
    assert_eq!(lever.title, "skew the index of `tree` by a word every 32");
}

/// At 40 TB/s DRAM takes 0.3146 µs; the turns of all three accesses fall from 6 to 3. A stride that
/// changes may leave some of the conflict, so that this is the most it can gain.
#[test]
fn one_lever_takes_all_conflicts_of_a_variable_away() {
    let mut facts = tree();
    facts.machine.dram.bytes_per_second = Some(40e12);
    close(lever(&checked(facts.clone()), CODE).gain, 2.0);
    for access in &mut facts.accesses {
        access.stride_varies = true;
    }
    let findings = checked(facts);
    assert!(
        only(&findings, CODE).notes[0].contains("changes with the iteration"),
        "{:?}",
        only(&findings, CODE).notes
    );
    assert_eq!(lever(&findings, CODE).gain, None);
    close(lever(&findings, CODE).gain_high, 2.0);
}

/// `a[32 * lid.x + k]`: the source multiplies by the pitch.
#[test]
fn a_pitch_in_the_index_is_told_apart_from_one_in_the_type() {
    let mut facts = transpose();
    facts.accesses.last_mut().expect("the load").rows = Some(Rows {
        pitch_bytes: 128,
        declared: false,
    });
    let findings = checked(facts);
    let help = only(&findings, CODE).help.as_deref();
    assert!(help.is_some_and(|help| help.starts_with("multiply by 33 instead of 32")));
}

/// Two rows apart: a pitch of 33 leaves neighbours 66 words apart, which still meet in pairs.
#[test]
fn no_pitch_is_proposed_where_it_does_not_help() {
    let mut facts = transpose();
    facts.accesses.last_mut().expect("the load").stride_bytes = Some(256);
    let findings = checked(facts);
    let help = only(&findings, CODE).help.as_deref();
    assert!(help.is_some_and(|help| !help.contains("33")), "{help:?}");
}
