//! The program enables an extension by a name that naga refuses.
//!
//! # What it does
//!
//! Points at each name of an `enable` directive that browsers know and naga refuses, such as `subgroups`.
//! The analysis goes on without the name.
//!
//! # Why it matters
//!
//! Browsers reject subgroup operations without `enable subgroups;`, and wgpu rejects the directive while
//! it offers the operations: one text does not run on both.
//!
//! # Example
//!
//! ```wgsl
//! enable subgroups;
//! ```
//!
//! # Use instead
//!
//! Keep the directive out of the file, and put it in front of the text where the target is a browser.
//! On either side, request the feature of the device (`subgroups`, `wgpu::Features::SUBGROUP`).
//!
//! # When it does nothing
//!
//! When the kernel runs in browsers only.
//!
//! # References
//!
//! - WGSL, “Enable Directive” and “Enable-extensions”.

use cresta_analysis::Facts;

use crate::finding::{Findings, Severity};
use crate::registry::{Rule, Status};

pub(in crate::rules) const RULE: Rule = Rule::new(
    "portability/enable",
    Severity::Warning,
    Status::Stable,
    include_str!("enable.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    super::report(&RULE, facts, findings);
}
