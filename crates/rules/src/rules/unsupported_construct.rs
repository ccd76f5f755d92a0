//! Something in the source is not modelled, so that the numbers leave it out.
//!
//! # What it does
//!
//! Notes each construct that the analysis does not model, with its place. The rest of the report still
//! comes.
//!
//! # Why it matters
//!
//! The numbers beside it are of the rest of the kernel. Where the construct moves bytes or takes time,
//! the prediction is too low, and a binding resource may be the wrong one.
//!
//! # Example
//!
//! ```wgsl
//! let hit = rayQueryProceed(&query);   // the work of the traversal is not known
//! ```
//!
//! # Use instead
//!
//! Nothing has to change. To judge the part that is modelled, move it into a kernel of its own, or
//! measure the whole.
//!
//! # When it does nothing
//!
//! When the construct runs rarely beside the rest.
//!
//! # References
//!
//! - `crates/ir/src/lib.rs`: the kernel IR, which is what is modelled.

use cresta_analysis::Facts;

use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};

pub(crate) const RULE: Rule = Rule::new(
    "unsupported/construct",
    Severity::Note,
    Status::Stable,
    include_str!("unsupported_construct.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    for unsupported in &facts.unsupported {
        let diagnostic = Diagnostic {
            code: RULE.code,
            severity: RULE.severity,
            location: unsupported
                .location
                .as_ref()
                .unwrap_or(&facts.location)
                .clone(),
            labels: Vec::new(),
            message: format!("not modelled: {}", unsupported.what),
            notes: vec!["the numbers of this report leave it out".to_owned()],
            help: None,
        };
        if !findings.diagnostics.contains(&diagnostic) {
            findings.diagnostics.push(diagnostic);
        }
    }
}
