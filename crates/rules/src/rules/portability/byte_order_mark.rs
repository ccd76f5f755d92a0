//! The file begins with a byte-order mark, which WGSL does not allow.
//!
//! # What it does
//!
//! Points at the start of a file whose first character is U+FEFF. The analysis goes on without it.
//!
//! # Why it matters
//!
//! The mark is no blankspace in WGSL and no part of a token, so that browsers and naga refuse the
//! program. Editors do not show it.
//!
//! # Example
//!
//! A file that an editor saved as “UTF-8 with BOM”.
//!
//! # Use instead
//!
//! Save it as UTF-8 without a byte-order mark, or cut the mark off where the file is read.
//!
//! # When it does nothing
//!
//! When the program that reads the file already cuts the mark off.
//!
//! # References
//!
//! - WGSL, “Textual Structure” and “Blankspace and Line Breaks”.

use cresta_analysis::Facts;

use crate::finding::{Findings, Severity};
use crate::registry::{Rule, Status};

pub(in crate::rules) const RULE: Rule = Rule::new(
    "portability/byte-order-mark",
    Severity::Error,
    Status::Stable,
    include_str!("byte_order_mark.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    super::report(&RULE, facts, findings);
}
