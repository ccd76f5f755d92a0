//! Tiles that are narrower than a SIMD group.

use cresta_analysis::{Facts, Operation};
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_rules::Severity;

use crate::fixture::{access, checked, close, lever, only, shaped, silent, vector_add};

const CODE: &str = "memory/short-runs";

/// The tiled matrix product at N = 1024, T = 16: runs of 64 bytes.
fn tiled(width: u32, lines: f64) -> Facts {
    let steps = 64.0;
    let groups = 1024.0 * 1024.0 / 32.0;
    let load = |variable, line| {
        let mut load = access(variable, line, Operation::Load);
        load.simd_executions = Quantity::constant(steps * groups);
        shaped(load, Pattern::Segmented, None, (lines, 1.0))
    };
    let store = access("C", 30, Operation::Store);
    let mut facts = Facts {
        accesses: vec![
            load("A", 20),
            load("B", 21),
            shaped(store, Pattern::Segmented, None, (lines, 1.0)),
        ],
        workgroup_size: [width, 16, 1],
        workgroups: Some([64, 64, 1]),
        ..vector_add()
    };
    facts.demand.f32_flops = Some(2.0 * 1024.0 * 1024.0 * 1024.0);
    facts
}

#[test]
fn a_tile_16_wide_is_one_note_that_names_the_width() {
    let findings = checked(tiled(16, 2.0));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(
        found.message,
        "a SIMD group of 32 lanes covers 2 rows of a workgroup 16 wide: `A` takes 2 transactions where 1 would do, and so for 2 other accesses"
    );
    assert_eq!(
        found.help.as_deref(),
        Some(
            "use a tile 32 wide: a workgroup of 32×8 has as many invocations as 16×16, while 32×32 would need 1,024 where the default limit is 256"
        )
    );
}

#[test]
fn whole_lines_halve_the_traffic_of_the_tile() {
    // 1.082 GB to 541 MB: 2.705 ms to 1.353 ms; 2^31 FLOP take 0.215 ms.
    let findings = checked(tiled(16, 2.0));
    let lever = lever(&findings, CODE);
    close(lever.gain, 2.0);
    assert!(
        lever.why.contains("dram falls from 2.71 ms to 1.35 ms"),
        "{}",
        lever.why
    );
    assert_eq!(lever.title, "make rows 32 elements wide");
}

#[test]
fn one_address_a_row_is_the_same_cause() {
    // The naive product: A is one address for each of two rows, B and C are whole runs.
    let mut facts = tiled(16, 1.0);
    let load = facts.accesses[0].clone();
    facts.accesses[0] = shaped(load, Pattern::Strided, Some(4096), (2.0, 1.0));
    facts.accesses[1].pattern = Pattern::Contiguous;
    facts.accesses.truncate(2);
    let findings = checked(facts);
    assert_eq!(only(&findings, CODE).severity, Severity::Note);
    // Three lines a step become two.
    close(lever(&findings, CODE).gain, 1.5);
}

#[test]
fn sectors_as_short_as_the_run_lose_nothing() {
    // 64-byte sectors: two of two.
    silent(&checked(tiled(16, 1.0)));
}

#[test]
fn rows_of_eight_are_a_warning() {
    let findings = checked(tiled(8, 4.0));
    assert_eq!(only(&findings, CODE).severity, Severity::Warning);
    close(lever(&findings, CODE).gain, 4.0);
}

#[test]
fn a_workgroup_as_wide_as_the_simd_group_has_no_rows() {
    // The same two lines for a stride of one line are then a stride.
    let mut facts = tiled(32, 1.0);
    let load = access("A", 20, Operation::Load);
    facts.accesses = vec![shaped(load, Pattern::Strided, Some(8), (2.0, 1.0))];
    facts.workgroup_size = [32, 8, 1];
    only(&checked(facts), "memory/strided-access");
}
