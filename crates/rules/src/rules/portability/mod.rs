//! Rules for what naga and wgpu refuse and browsers accept, or the other way round.
//!
//! The front end finds these and says what they are; each has a row of its own in the registry, so that
//! it can be explained. Where wgpu would only need a directive or an attribute to go, it is a warning;
//! where the program itself has to change, an error. Start at [`report`].

use cresta_analysis::Facts;

use crate::finding::{Diagnostic, Findings};
use crate::registry::Rule;

pub(super) mod attribute;
pub(super) mod byte_order_mark;
pub(super) mod enable;
pub(super) mod pointer_parameter;
pub(super) mod requires;
pub(super) mod uniform_layout;

/// Category of these rules.
const CATEGORY: &str = "portability";

/// Adds a diagnostic for each fact that has the rule's code.
fn report(rule: &Rule, facts: &Facts, findings: &mut Findings) {
    for fact in facts
        .portability
        .iter()
        .filter(|fact| is_of(rule, fact.code))
    {
        findings.diagnostics.push(Diagnostic {
            code: rule.code,
            severity: rule.severity,
            location: fact.location.clone(),
            labels: Vec::new(),
            message: fact.message.clone(),
            notes: Vec::new(),
            help: None,
        });
    }
}

/// Whether the front end's code means this rule: it joins category and name with a dash or a slash,
/// and may add the thing that is meant (`portability/enable-subgroups`).
fn is_of(rule: &Rule, code: &str) -> bool {
    let name = |code: &'_ str| -> Option<String> {
        let rest = code.strip_prefix(CATEGORY)?.strip_prefix(['-', '/'])?;
        Some(rest.to_owned())
    };
    match (name(rule.code), name(code)) {
        (Some(own), Some(found)) => {
            found == own
                || found
                    .strip_prefix(&own)
                    .is_some_and(|rest| rest.starts_with('-'))
        }
        _ => false,
    }
}
