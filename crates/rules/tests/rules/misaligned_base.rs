//! Runs that start in the middle of a line.

use cresta_analysis::{Facts, Operation};
use cresta_model::transactions::Pattern;
use cresta_rules::Severity;

use crate::fixture::{access, checked, close, lever, only, shaped, silent, vector_add};

const CODE: &str = "memory/misaligned-base";

fn copy(lines: f64, ideal: f64) -> Facts {
    let load = access("a", 20, Operation::Load);
    Facts {
        accesses: vec![
            shaped(load, Pattern::Misaligned, Some(4), (lines, ideal)),
            access("c", 20, Operation::Store),
        ],
        ..vector_add()
    }
}

#[test]
fn half_a_line_lost_to_data_read_once_is_a_warning() {
    let findings = checked(copy(2.0, 1.0));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert!(
        found
            .message
            .contains("2 transactions where 1 would do, 50 % of what is moved is used"),
        "{}",
        found.message
    );
    assert!(
        found
            .help
            .as_deref()
            .is_some_and(|help| help.contains("a multiple of 32 elements"))
    );
    // Two lines and the store's one become one and one.
    close(lever(&findings, CODE).gain, 1.5);
}

#[test]
fn a_fifth_lost_is_a_note_and_a_seventeenth_nothing() {
    assert_eq!(
        only(&checked(copy(5.0, 4.0)), CODE).severity,
        Severity::Note
    );
    silent(&checked(copy(17.0, 16.0)));
}

#[test]
fn unknown_reuse_makes_it_a_note() {
    let mut facts = copy(2.0, 1.0);
    facts.buffers[0].reuse_launch = None;
    assert_eq!(only(&checked(facts), CODE).severity, Severity::Note);
}

#[test]
fn a_sliding_window_is_left_alone() {
    let mut reused = copy(2.0, 1.0);
    reused.buffers[0].reuse_launch = Some(3.0);
    silent(&checked(reused));

    let mut aligned_elsewhere = copy(2.0, 1.0);
    aligned_elsewhere
        .accesses
        .push(access("a", 21, Operation::Load));
    silent(&checked(aligned_elsewhere));
}
