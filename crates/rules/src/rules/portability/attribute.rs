//! An attribute stands where browsers accept it and naga does not parse it.
//!
//! # What it does
//!
//! Points at `@diagnostic` between a function's header and its body. The analysis goes on without it: it
//! changes no result.
//!
//! # Why it matters
//!
//! wgpu cannot create the shader module, while browsers can.
//!
//! # Example
//!
//! ```wgsl
//! fn f() @diagnostic(off, derivative_uniformity) { /* … */ }
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! @diagnostic(off, derivative_uniformity)
//! fn f() { /* … */ }
//! ```
//!
//! # When it does nothing
//!
//! When the kernel runs in browsers only.
//!
//! # References
//!
//! - WGSL, “Attributes” and “Diagnostics”.

use cresta_analysis::Facts;

use crate::finding::{Findings, Severity};
use crate::registry::{Rule, Status};

pub(in crate::rules) const RULE: Rule = Rule::new(
    "portability/attribute",
    Severity::Warning,
    Status::Stable,
    include_str!("attribute.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    super::report(&RULE, facts, findings);
}
