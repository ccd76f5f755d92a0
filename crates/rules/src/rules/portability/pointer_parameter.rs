//! A function takes a pointer to memory that naga does not let parameters point to.
//!
//! # What it does
//!
//! Points at parameters of type `ptr` to storage, uniform or workgroup memory. The analysis goes on as
//! if the call were written out.
//!
//! # Why it matters
//!
//! Browsers with the language feature `unrestricted_pointer_parameters` take them; naga, and with it
//! wgpu, refuses the module.
//!
//! # Example
//!
//! ```wgsl
//! fn put(p: ptr<workgroup, f32>, value: f32) { *p = value; }
//! // put(&tile[i], 1.0);
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! fn put(i: u32, value: f32) { tile[i] = value; }
//! ```
//!
//! # When it does nothing
//!
//! When the kernel runs only in browsers that have the feature.
//!
//! # References
//!
//! - WGSL, “Language Extensions”: `unrestricted_pointer_parameters`.

use cresta_analysis::Facts;

use crate::finding::{Findings, Severity};
use crate::registry::{Rule, Status};

pub(in crate::rules) const RULE: Rule = Rule::new(
    "portability/pointer-parameter",
    Severity::Error,
    Status::Stable,
    include_str!("pointer_parameter.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    super::report(&RULE, facts, findings);
}
