//! A barrier stands where invocations of a workgroup may part, which WGSL forbids.
//!
//! # What it does
//!
//! Applies WGSL's uniformity rules to each barrier, and names the barrier and the branch, loop or exit
//! that makes control flow non-uniform. It is an error: a conforming compiler rejects the program.
//!
//! # Why it matters
//!
//! A barrier waits for every invocation of the workgroup. One that never comes means a hang or wrong
//! values. The rules are static: control flow that happens to be uniform, but depends on a value that
//! the compiler cannot prove uniform, is rejected as well.
//!
//! # Example
//!
//! ```wgsl
//! if (gid.x >= arrayLength(&src)) {
//!   return;                 // some invocations of the last workgroup leave
//! }
//! tile[lid.x] = src[gid.x];
//! workgroupBarrier();       // error
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! let inside = gid.x < arrayLength(&src);
//! tile[lid.x] = select(0.0, src[min(gid.x, arrayLength(&src) - 1u)], inside);
//! workgroupBarrier();       // everyone arrives; guard the store that follows
//! ```
//!
//! For a value that is the same in the whole workgroup but read from memory that can be written, use
//! `workgroupUniformLoad`.
//!
//! # When it does nothing
//!
//! Never: the program has to change before it runs.
//!
//! # References
//!
//! - WGSL, “Uniformity” and “Synchronization Built-in Functions”.

use cresta_analysis::{Facts, Location};

use crate::finding::{Diagnostic, Findings, Label, Severity};
use crate::group::{at, call_note, place};
use crate::registry::{Rule, Status};

pub(crate) const RULE: Rule = Rule::new(
    "control/non-uniform-barrier",
    Severity::Error,
    Status::Stable,
    include_str!("non_uniform_barrier.rs"),
    check,
);

fn check(facts: &Facts, findings: &mut Findings) {
    let mut done: Vec<&Location> = Vec::new();
    for barrier in &facts.barriers {
        let Some(cause) = &barrier.non_uniform_cause else {
            continue;
        };
        let location = &barrier.location;
        if done.iter().any(|known| place(known) == place(location)) {
            continue;
        }
        done.push(location);
        let same: Vec<&Location> = facts
            .barriers
            .iter()
            .filter(|other| {
                other.non_uniform_cause.is_some() && place(&other.location) == place(location)
            })
            .map(|other| &other.location)
            .collect();
        findings.diagnostics.push(Diagnostic {
            code: RULE.code,
            severity: RULE.severity,
            location: location.clone(),
            labels: vec![Label {
                location: cause.clone(),
                text: "control flow depends on the invocation from here".to_owned(),
            }],
            message: format!(
                "the barrier{} is not in uniform control flow: what stands{} lets some invocations of the workgroup miss it",
                at(location),
                at(cause)
            ),
            notes: call_note(&same).into_iter().collect(),
            help: Some(
                "let every invocation reach the barrier, and guard only the loads and stores; a value that is the same in the whole workgroup can be read with `workgroupUniformLoad`"
                    .to_owned(),
            ),
        });
    }
}
