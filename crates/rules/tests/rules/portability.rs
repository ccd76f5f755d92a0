//! What the front end says about naga and browsers.

use cresta_analysis::PortabilityFact;
use cresta_rules::Severity;

use crate::fixture::{at, checked, diagnostics, vector_add};

fn severity_of(fact: &'static str, code: &str) -> Option<Severity> {
    let mut facts = vector_add();
    facts.portability.push(PortabilityFact {
        code: fact,
        message: "what and what to do".to_owned(),
        location: at(1),
    });
    let findings = checked(facts);
    assert!(findings.diagnostics.len() <= 1);
    diagnostics(&findings, code)
        .first()
        .map(|diagnostic| diagnostic.severity)
}

#[test]
fn each_code_of_the_front_end_has_its_rule() {
    let cases = [
        (
            "portability-enable",
            "portability/enable",
            Severity::Warning,
        ),
        (
            "portability-requires",
            "portability/requires",
            Severity::Warning,
        ),
        (
            "portability-attribute",
            "portability/attribute",
            Severity::Warning,
        ),
        (
            "portability-pointer-parameter",
            "portability/pointer-parameter",
            Severity::Error,
        ),
        (
            "portability-uniform-layout",
            "portability/uniform-layout",
            Severity::Error,
        ),
        (
            "portability-byte-order-mark",
            "portability/byte-order-mark",
            Severity::Error,
        ),
    ];
    for (fact, code, severity) in cases {
        assert_eq!(severity_of(fact, code), Some(severity), "{fact}");
    }
}

#[test]
fn a_slash_and_a_thing_that_is_meant_are_accepted() {
    assert!(severity_of("portability/enable-subgroups", "portability/enable").is_some());
    assert!(severity_of("portability/enabled", "portability/enable").is_none());
}
