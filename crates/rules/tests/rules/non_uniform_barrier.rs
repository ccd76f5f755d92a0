//! Barriers outside of uniform control flow.

use cresta_analysis::BarrierFacts;
use cresta_model::quantity::Quantity;
use cresta_rules::Severity;

use crate::fixture::{at, checked, only, silent, vector_add};

const CODE: &str = "control/non-uniform-barrier";

fn barrier(line: u32, cause: Option<u32>) -> BarrierFacts {
    BarrierFacts {
        location: at(line),
        executions: Quantity::constant(16_384.0),
        non_uniform_cause: cause.map(at),
    }
}

#[test]
fn the_error_names_the_barrier_and_the_cause() {
    let mut facts = vector_add();
    facts.barriers = vec![barrier(30, Some(25)), barrier(30, Some(25))];
    let findings = checked(facts);
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Error);
    assert_eq!(
        found.message,
        "the barrier at 30:5 is not in uniform control flow: what stands at 25:5 lets some invocations of the workgroup miss it"
    );
    assert_eq!(found.labels[0].location, at(25));
}

#[test]
fn a_uniform_barrier_is_fine() {
    let mut facts = vector_add();
    facts.barriers = vec![barrier(30, None)];
    silent(&checked(facts));
}
