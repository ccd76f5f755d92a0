//! The launch touches more of a buffer than its length gives.
//!
//! # What it does
//!
//! Compares the distinct bytes that the launch touches of a buffer with the buffer's size, by its type
//! or by `--len`. Where they are more, some indices lie out of range.
//!
//! # Why it matters
//!
//! WebGPU clamps such indices or drops the access, so that the kernel computes something else than
//! its source says, and the counts here, which take indices as they stand, are too high. Often the
//! length or the number of workgroups was mistyped, or a guard is missing.
//!
//! # Example
//!
//! ```wgsl
//! // 2,048 invocations, and `--len a=1024`.
//! b[g.x] = a[g.x];
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! if (g.x < arrayLength(&a)) { b[g.x] = a[g.x]; }
//! ```
//!
//! # When it does nothing
//!
//! When the length is not known, when the addresses depend on data, or when indices are out of range
//! but fewer bytes are touched than the buffer has.
//!
//! # References
//!
//! - WGSL, “Out-of-bounds access” (invalid memory references).

use cresta_analysis::{AccessFacts, Facts};
use cresta_ir::Space;

use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "memory/out-of-range",
    Severity::Warning,
    Status::Stable,
    include_str!("out_of_range.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    let buffers = facts.buffers.iter().filter(|b| b.space == Space::Storage);
    for buffer in buffers {
        let (Some(size), Some(touched)) = (buffer.size_bytes, buffer.compulsory.at_least()) else {
            continue;
        };
        let mut accesses = facts.accesses.iter().filter(|a| a.variable == buffer.name);
        let Some(first) = accesses.next().filter(|_| touched > size as f64) else {
            continue;
        };
        let main = accesses.fold(first, |most, next| {
            if lanes(next) > lanes(most) {
                next
            } else {
                most
            }
        });
        findings.diagnostics.push(Diagnostic {
            code: RULE.code,
            severity: RULE.severity,
            location: main.location.clone(),
            labels: Vec::new(),
            message: format!(
                "`{}` has {} at this launch, and {} distinct ones are touched: some indices are out of range",
                buffer.name,
                text::bytes(size as f64),
                text::bytes(touched)
            ),
            notes: vec!["counts take indices as they stand; a device clamps or drops such accesses".to_owned()],
            help: Some(format!(
                "check `--len {}` and the number of workgroups, or guard the access",
                buffer.name
            )),
        });
    }
}

/// A key for choosing the place to show.
fn lanes(access: &AccessFacts) -> f64 {
    access.executions.at_least().unwrap_or(0.0)
}
