//! Loops that nothing leaves.

use cresta_analysis::{LoopFacts, Uniformity};
use cresta_model::quantity::Quantity;
use cresta_rules::Severity;

use crate::fixture::{at, checked, only, silent, vector_add};

fn with_loop(never_ends: bool) -> cresta_analysis::Facts {
    let mut facts = vector_add();
    facts.loops.push(LoopFacts {
        location: at(13),
        trips: Quantity::unknown("trips@13:5"),
        uniformity: Uniformity::Lane,
        never_ends,
    });
    facts
}

#[test]
fn a_loop_without_an_exit_is_an_error() {
    let findings = checked(with_loop(true));
    let found = only(&findings, "control/endless-loop");
    assert_eq!((found.severity, found.location.line), (Severity::Error, 13));
}

#[test]
fn a_loop_with_an_exit_is_left_alone() {
    silent(&checked(with_loop(false)));
}
