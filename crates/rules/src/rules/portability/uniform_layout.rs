//! A uniform buffer has a layout that naga and wgpu refuse.
//!
//! # What it does
//!
//! Points at uniform variables whose arrays have a stride, or whose nested structures an alignment,
//! that is no multiple of 16 bytes. The analysis goes on with the layout that storage buffers have.
//!
//! # Why it matters
//!
//! Browsers with the language feature `uniform_buffer_standard_layout` take `array<f32, 64>` at 256
//! bytes; naga and wgpu, and other browsers, refuse the module.
//!
//! # Example
//!
//! ```wgsl
//! @group(0) @binding(0) var<uniform> weights: array<f32, 64>;
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! @group(0) @binding(0) var<uniform> weights: array<vec4f, 16>;
//! // weights[i / 4][i % 4], or var<storage, read> weights: array<f32, 64>;
//! ```
//!
//! # When it does nothing
//!
//! When the kernel runs only in browsers that have the feature.
//!
//! # References
//!
//! - WGSL, “Address Space Layout Constraints” and “Language Extensions”:
//!   `uniform_buffer_standard_layout`.

use cresta_analysis::Facts;

use crate::finding::{Findings, Severity};
use crate::registry::{Rule, Status};

pub(in crate::rules) const RULE: Rule = Rule::new(
    "portability/uniform-layout",
    Severity::Error,
    Status::Stable,
    include_str!("uniform_layout.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    super::report(&RULE, facts, findings);
}
