//! The launch brings fewer workgroups than the machine can hold at once.
//!
//! # What it does
//!
//! Compares the workgroups of the launch with the machine's compute units, and with the workgroups that
//! all of them hold at once by occupancy. Fewer workgroups than units leave units idle: a warning,
//! unless more of them are predicted to gain less than 5 %. Fewer than fill the machine is a note, where
//! more are predicted to gain 5 % or more. The number of units is a field of the machine; where it is
//! not known, nothing is said, and the report lists that under its assumptions.
//!
//! # Why it matters
//!
//! A unit runs nothing but whole workgroups. 64 workgroups on 132 units leave 68 units without work,
//! and each of the others with too few loads in flight to hide latency.
//!
//! # Example
//!
//! ```wgsl
//! // One invocation a row: 4,096 rows are 64 workgroups of 64.
//! @compute @workgroup_size(64)
//! fn thread_per_row(@builtin(global_invocation_id) gid: vec3u) { /* … */ }
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! // One workgroup a row: 4,096 workgroups.
//! @compute @workgroup_size(64)
//! fn workgroup_per_row(@builtin(workgroup_id) wid: vec3u) { /* … */ }
//! ```
//!
//! Or smaller workgroups, or a split of the inner loop whose parts a second pass adds up.
//!
//! # When it does nothing
//!
//! When the launch overhead binds: a launch this small is over before its size matters. When the work
//! cannot be divided further, which the gain takes for granted.
//!
//! # References
//!
//! - J. D. C. Little, “A proof for the queuing formula L = λW”, Operations Research 9(3), 1961.
//! - NVIDIA, CUDA C++ Best Practices Guide, “Execution Configuration Optimizations”.

use cresta_analysis::Facts;
use cresta_model::prediction::{Demand, Resource};

use crate::change::{self, Change};
use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "launch/too-few-workgroups",
    Severity::Warning,
    Status::Preview,
    include_str!("too_few_workgroups.rs"),
    check,
);

/// Predicted gain below which nothing is said of a launch that reaches every unit, and below which
/// idle units are a note.
const WORTH_IT: f64 = 1.05;

fn check(facts: &Facts, findings: &mut Findings) {
    let Some(groups) = facts.workgroups else {
        return;
    };
    // Three sides of 32 bits may exceed 64; a launch that large fills every machine.
    let groups = groups.iter().fold(1_u64, |product, &side| {
        product.saturating_mul(u64::from(side))
    });
    let Some(units) = facts.machine.compute.units.map(u64::from) else {
        findings.assumptions.push(
            "whether the launch has enough workgroups to fill the machine is not judged: the machine lacks compute.units"
                .to_owned(),
        );
        return;
    };
    let resident = u64::from(facts.occupancy.groups.unwrap_or(1).max(1));
    let capacity = units * resident;
    if groups == 0 || groups >= capacity {
        return;
    }
    let lever = Change {
        code: RULE.code,
        step: 6,
        title: format!(
            "divide the work into {} workgroups or more",
            text::count(capacity)
        ),
        resource: change::slowest(facts, &BY_UNIT).unwrap_or(Resource::Latency),
        location: Some(facts.location.clone()),
        before: None,
        after: Ok(Demand {
            groups: Some(capacity as f64),
            ..facts.demand.clone()
        }),
    }
    .lever(facts);
    let worth_it = lever.gain.is_some_and(|gain| gain >= WORTH_IT);
    let idle = units.saturating_sub(groups);
    if idle == 0 && !worth_it {
        return;
    }
    let warns = idle > 0 && (worth_it || lever.gain.is_none());
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if warns { Severity::Warning } else { Severity::Note },
        location: facts.location.clone(),
        labels: Vec::new(),
        message: if idle > 0 {
            format!(
                "the launch has {} for {} units: {idle} have no work",
                text::plural(groups as f64, "workgroup"),
                text::count(units)
            )
        } else {
            format!(
                "the launch has {}, where {} units hold {} at once",
                text::plural(groups as f64, "workgroup"),
                text::count(units),
                text::count(capacity)
            )
        },
        notes: if facts.occupancy.groups.is_none() {
            vec!["how many workgroups a unit holds at once is not known; counted with one".to_owned()]
        } else {
            Vec::new()
        },
        help: Some(
            "use smaller workgroups, give each row or tile to a workgroup rather than to an invocation, or split the inner loop and add up the parts in a second pass"
                .to_owned(),
        ),
    });
    findings.levers.push(lever);
}

/// Resources that every unit has of its own, so that the busiest unit sets the time.
const BY_UNIT: [Resource; 7] = [
    Resource::Compute,
    Resource::Special,
    Resource::Integer,
    Resource::Issue,
    Resource::L1,
    Resource::Shared,
    Resource::Latency,
];
