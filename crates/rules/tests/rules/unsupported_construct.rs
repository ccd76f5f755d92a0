//! Constructs that are not modelled.

use cresta_analysis::Unsupported;
use cresta_rules::Severity;

use crate::fixture::{at, checked, only, vector_add};

#[test]
fn a_construct_is_one_note_however_often_it_is_inlined() {
    let mut facts = vector_add();
    for _ in 0..2 {
        facts.unsupported.push(Unsupported {
            what: "ray queries".to_owned(),
            location: Some(at(12)),
        });
    }
    let findings = checked(facts);
    let found = only(&findings, "unsupported/construct");
    assert_eq!(found.severity, Severity::Note);
    assert_eq!(found.message, "not modelled: ray queries");
}

#[test]
fn without_a_place_it_stands_at_the_entry_point() {
    let mut facts = vector_add();
    facts.unsupported.push(Unsupported {
        what: "ray queries".to_owned(),
        location: None,
    });
    assert_eq!(
        only(&checked(facts), "unsupported/construct").location,
        at(1)
    );
}
