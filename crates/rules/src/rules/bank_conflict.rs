//! Lanes of a SIMD group meet in one bank of workgroup memory and wait for one another.
//!
//! # What it does
//!
//! Finds accesses of workgroup memory whose mean conflict degree is 2 or more: the access takes that
//! many times the turns it needs. Lanes that read the same word are served together and do not
//! conflict. It is a warning where the lost turns are a tenth or more of all turns of workgroup
//! memory, and a note below that.
//!
//! # Why it matters
//!
//! Workgroup memory lies in banks (32 of 4 bytes on most machines) that each serve one word a turn. A
//! column of a tile whose rows are 32 words lies in one bank: 32 lanes take 32 turns.
//!
//! # Example
//!
//! ```wgsl
//! var<workgroup> tile: array<array<f32, 32>, 32>;
//! let x = tile[lid.x][j];   // 32-way conflict
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! var<workgroup> tile: array<array<f32, 33>, 32>;   // pitch + 1: neighbours fall into neighbouring banks
//! let x = tile[lid.x][j];
//! ```
//!
//! # When it does nothing
//!
//! When workgroup memory does not bind: a transpose that waits for DRAM can hide conflicts. The extra
//! column costs memory, which can cost occupancy.
//!
//! # References
//!
//! - NVIDIA, CUDA C++ Best Practices Guide, “Shared Memory and Memory Banks”.
//! - Mark Harris, “An Efficient Matrix Transpose in CUDA C/C++”, NVIDIA Technical Blog, 2013.

use cresta_analysis::{AccessFacts, Facts};
use cresta_ir::Space;
use cresta_model::prediction::{Demand, Resource};

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Severity};
use crate::group::{self, Group, MATTERS};
use crate::registry::{Rule, Status};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "workgroup-memory/bank-conflict",
    Severity::Warning,
    Status::Stable,
    include_str!("bank_conflict.rs"),
    check,
);

/// Degree from which an access is reported: it takes twice the turns. Below lie accesses of which
/// only some executions conflict, as in a tree reduction.
const CONFLICT: f64 = 2.0;

fn check(facts: &Facts, findings: &mut Findings) {
    let conflicting = facts.accesses.iter().filter(|access| {
        access.space == Space::Workgroup && access.bank_degree.is_some_and(|d| d >= CONFLICT)
    });
    for group in group::by_place(conflicting) {
        found(facts, &group, findings);
    }
}

fn found(facts: &Facts, group: &Group<'_>, findings: &mut Findings) {
    let main = group.main();
    let Some(degree) = main.bank_degree else {
        return;
    };
    let pitch = pitch(facts, main);
    let mut notes = Vec::new();
    if let (Some(stride), Some(banks)) = (main.stride_bytes, facts.machine.shared.banks) {
        let width = facts.machine.shared.bank_bytes.unwrap_or(4);
        notes.push(format!(
            "neighbouring lanes lie {} apart, in {banks} banks of {width} B",
            text::bytes(stride.unsigned_abs() as f64)
        ));
    }
    notes.extend(group.notes());
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if matters(facts, group) {
            Severity::Warning
        } else {
            Severity::Note
        },
        location: main.location.clone(),
        labels: Vec::new(),
        message: format!(
            "`{}` is {} with a {}-way bank conflict: it takes {} the turns it needs",
            main.variable,
            group::done(main.operation),
            text::number(degree),
            text::times(degree)
        ),
        notes,
        help: Some(help(main, pitch)),
    });
    findings.levers.push(
        Change {
            code: RULE.code,
            step: 4,
            title: match pitch {
                Some(pitch) => format!("give `{}` a pitch of {}", main.variable, pitch + 1),
                None => format!("spread `{}` over the banks", main.variable),
            },
            resource: Resource::Shared,
            location: Some(main.location.clone()),
            before: None,
            after: after(facts, group),
        }
        .lever(facts),
    );
}

/// Wavefronts that conflicts add; `None` where the launch is not known.
fn lost(group: &Group<'_>) -> Option<f64> {
    group
        .accesses
        .iter()
        .map(|access| Some(access.bank_wavefronts? * (1.0 - 1.0 / access.bank_degree?)))
        .sum()
}

fn matters(facts: &Facts, group: &Group<'_>) -> bool {
    match (lost(group), facts.demand.workgroup_memory_wavefronts) {
        (Some(lost), Some(all)) if all > 0.0 => lost / all >= MATTERS,
        _ => true,
    }
}

fn after(facts: &Facts, group: &Group<'_>) -> Result<Demand, String> {
    let lost = lost(group).ok_or("the accesses of the launch are not counted")?;
    let all = facts
        .demand
        .workgroup_memory_wavefronts
        .ok_or("the turns of workgroup memory in the launch are unknown")?;
    Ok(Demand {
        workgroup_memory_wavefronts: Some(all - lost),
        ..facts.demand.clone()
    })
}

/// Elements between neighbouring lanes, where that is a row that lies over an even number of banks:
/// then one element more makes it odd to the banks.
fn pitch(facts: &Facts, access: &AccessFacts) -> Option<u64> {
    let stride = access.stride_bytes?.unsigned_abs();
    let element = u64::from(access.bytes_per_lane?);
    let bank = u64::from(facts.machine.shared.bank_bytes?);
    (element == bank && stride > element && stride.is_multiple_of(2 * element))
        .then(|| stride / element)
}

fn help(access: &AccessFacts, pitch: Option<u64>) -> String {
    match pitch {
        Some(pitch) => format!(
            "declare the rows of `{}` with {} elements instead of {pitch}; it costs one element a row",
            access.variable,
            pitch + 1
        ),
        None => "make the distance between neighbouring lanes an odd number of banks".to_owned(),
    }
}
