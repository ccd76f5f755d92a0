//! Nothing in a loop can leave it, so that the kernel never ends.
//!
//! # What it does
//!
//! Finds loops without a reachable `break`, `break if` or `return`: nothing that they contain ends
//! them, whatever the data are.
//!
//! # Why it matters
//!
//! The device hangs until its watchdog resets it, and the WebGPU device is lost. Compilers may also
//! assume that loops end, and remove what follows.
//!
//! # Example
//!
//! ```wgsl
//! loop {
//!   i += 1u;
//! }
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! loop {
//!   i += 1u;
//!   if (i >= n) { break; }
//! }
//! ```
//!
//! # When it does nothing
//!
//! When the loop has an exit that is merely never taken: whether data take it is not asked.
//!
//! # References
//!
//! - WGSL, “Loop Statement”, and “Uniformity analysis” (behaviour analysis of loops).

use cresta_analysis::Facts;

use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};

pub(crate) const RULE: Rule = Rule::new(
    "control/endless-loop",
    Severity::Error,
    Status::Stable,
    include_str!("endless_loop.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    for endless in facts.loops.iter().filter(|of| of.never_ends) {
        findings.diagnostics.push(Diagnostic {
            code: RULE.code,
            severity: RULE.severity,
            location: endless.location.clone(),
            labels: Vec::new(),
            message: "the loop never ends: nothing in it can leave it".to_owned(),
            notes: Vec::new(),
            help: Some("add a `break` that is reached, or `break if` in `continuing`".to_owned()),
        });
    }
}
