//! The program names a language feature that naga refuses to see named.
//!
//! # What it does
//!
//! Points at each name of a `requires` directive that browsers know and naga refuses. The analysis goes
//! on without the name.
//!
//! # Why it matters
//!
//! A `requires` directive documents a need and enables nothing, so that it can be left out where the
//! feature is there. With it, wgpu refuses the module.
//!
//! # Example
//!
//! ```wgsl
//! requires uniform_buffer_standard_layout;
//! ```
//!
//! # Use instead
//!
//! Leave it out, and check `navigator.gpu.wgslLanguageFeatures` in the program.
//!
//! # When it does nothing
//!
//! When the kernel runs in browsers only.
//!
//! # References
//!
//! - WGSL, “Requires Directive” and “Language Extensions”.

use cresta_analysis::Facts;

use crate::finding::{Findings, Severity};
use crate::registry::{Rule, Status};

pub(in crate::rules) const RULE: Rule = Rule::new(
    "portability/requires",
    Severity::Warning,
    Status::Stable,
    include_str!("requires.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    super::report(&RULE, facts, findings);
}
