//! Lanes of a SIMD group meet in one bank of workgroup memory and wait for one another.
//!
//! # What it does
//!
//! Finds accesses of workgroup memory whose mean conflict degree is 2 or more: the access takes that
//! many times the turns it needs. Lanes that read the same word are served together and do not
//! conflict. It is a warning where the lost turns are a tenth or more of all turns of workgroup
//! memory, and a note below that. Accesses of one variable in one line are one finding, and all of its
//! conflicts are one lever.
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
//! // pitch + 1: neighbours fall into neighbouring banks
//! var<workgroup> tile: array<array<f32, 33>, 32>;
//! let x = tile[lid.x][j];
//! ```
//!
//! An array that is no table of rows, such as the tree of a prefix sum, has no pitch to change. There the
//! index skips a word every 32 words, wherever the array is accessed:
//!
//! ```wgsl
//! fn at(i: u32) -> u32 { return i + i / 32; }
//! var<workgroup> tree: array<u32, 256 + 7>;
//! tree[at(right)] += tree[at(left)];
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
//! - Mark Harris, Shubhabrata Sengupta and John D. Owens, “Parallel Prefix Sum (Scan) with CUDA”, GPU
//!   Gems 3, chapter 39, 2007: the skewed index.
//! - Mark Harris, “An Efficient Matrix Transpose in CUDA C/C++”, NVIDIA Technical Blog, 2013.

use cresta_analysis::{AccessFacts, Facts};
use cresta_ir::Space;
use cresta_model::banks;
use cresta_model::prediction::{Demand, Resource};

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Lever, Severity};
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
    let conflicting = || {
        facts.accesses.iter().filter(|access| {
            access.space == Space::Workgroup && access.bank_degree.is_some_and(|d| d >= CONFLICT)
        })
    };
    for group in group::by_line(conflicting()) {
        findings.diagnostics.extend(diagnostic(facts, &group));
    }
    for group in group::by(conflicting(), |access| access.variable.clone()) {
        findings.levers.push(lever(facts, &group));
    }
}

fn diagnostic(facts: &Facts, group: &Group<'_>) -> Option<Diagnostic> {
    let main = worst(group);
    let degree = main.bank_degree?;
    let mut notes = Vec::new();
    if main.stride_varies {
        notes.push(
            "the distance between lanes changes with the iteration, and the conflict with it: its mean is shown"
                .to_owned(),
        );
    } else if let (Some(stride), Some(banks)) = (main.stride_bytes, facts.machine.shared.banks) {
        let width = facts.machine.shared.bank_bytes.unwrap_or(4);
        notes.push(format!(
            "neighbouring lanes lie {} apart, in {banks} banks of {width} B",
            text::bytes(stride.unsigned_abs() as f64)
        ));
    }
    notes.extend(group.notes());
    let (turns, mean) = match degree.fract() == 0.0 {
        true => (text::times(degree), ""),
        false => (format!("{}×", text::number(degree)), ", on average"),
    };
    Some(Diagnostic {
        code: RULE.code,
        severity: if matters(facts, group) {
            Severity::Warning
        } else {
            Severity::Note
        },
        location: main.location.clone(),
        labels: group.labels_beside(main, |access| {
            format!(
                "{}, {}-way",
                group::done(access.operation),
                text::number(access.bank_degree.unwrap_or(degree))
            )
        }),
        message: format!(
            "`{}` is {} with a {}-way bank conflict: it takes {turns} the turns it needs{mean}",
            main.variable,
            group.done(),
            text::number(degree),
        ),
        notes,
        help: Some(Remedy::of(facts, main).help(main)),
    })
}

fn lever(facts: &Facts, group: &Group<'_>) -> Lever {
    let main = worst(group);
    let remedy = Remedy::of(facts, main);
    let mut lever = Change {
        code: RULE.code,
        step: 4,
        title: remedy.title(main),
        resource: Resource::Shared,
        location: Some(main.location.clone()),
        before: None,
        after: after(facts, group),
    }
    .lever(facts);
    let all_gone = group
        .accesses
        .iter()
        .all(|access| remedy.cures(facts, access));
    if !all_gone && lever.pays {
        lever.gain_high = lever.gain.take().or(lever.gain_high);
    }
    lever
}

/// The access that loses most turns, or has the highest degree where those are not known.
fn worst<'a>(group: &Group<'a>) -> &'a AccessFacts {
    let key = |access: &AccessFacts| {
        let lost = lost_by(access).unwrap_or(0.0);
        (lost, access.bank_degree.unwrap_or(0.0))
    };
    let mut worst = group.accesses[0];
    for access in &group.accesses[1..] {
        if key(access) > key(worst) {
            worst = access;
        }
    }
    worst
}

/// Wavefronts that conflicts add; `None` where the launch is not known.
fn lost_by(access: &AccessFacts) -> Option<f64> {
    Some(access.bank_wavefronts? * (1.0 - 1.0 / access.bank_degree?))
}

fn lost(group: &Group<'_>) -> Option<f64> {
    group.accesses.iter().map(|access| lost_by(access)).sum()
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

/// What removes a conflict.
#[derive(Clone, Copy)]
enum Remedy {
    /// Rows of one element more, each of one bank: an even number of banks becomes odd.
    Pitch { elements: u32, declared: bool },
    /// An index that skips a word every `banks` words.
    Skew { banks: u32, bytes: u64 },
    /// Nothing that can be told from the index.
    Spread,
}

impl Remedy {
    fn of(facts: &Facts, access: &AccessFacts) -> Remedy {
        let shared = &facts.machine.shared;
        let (Some(banks), Some(bank)) = (shared.banks, shared.bank_bytes) else {
            return Remedy::Spread;
        };
        if access.bytes_per_lane != Some(bank) || access.member.is_some() {
            return Remedy::Spread;
        }
        if let (Some(rows), Some(stride)) = (access.rows, access.stride_bytes) {
            let elements = rows.pitch_bytes / bank;
            let crossed = stride.unsigned_abs() / u64::from(rows.pitch_bytes);
            if elements.is_multiple_of(2) && crossed % 2 == 1 && !access.stride_varies {
                return Remedy::Pitch {
                    elements,
                    declared: rows.declared,
                };
            }
        }
        let mut variables = facts.workgroup_variables.iter();
        let size = variables.find(|variable| variable.name == access.variable);
        match size {
            Some(variable) if access.rows.is_none_or(|rows| !rows.declared) => {
                let words = variable.bytes / u64::from(bank);
                let skipped = words.saturating_sub(1) / u64::from(banks);
                Remedy::Skew {
                    banks,
                    bytes: skipped * u64::from(bank),
                }
            }
            _ => Remedy::Spread,
        }
    }

    /// Whether it leaves no conflict of an access.
    fn cures(self, facts: &Facts, access: &AccessFacts) -> bool {
        let Some(stride) = access.stride_bytes.filter(|_| !access.stride_varies) else {
            return false;
        };
        match self {
            Remedy::Pitch { .. } => true,
            Remedy::Skew { banks, .. } => {
                let bank = facts.machine.shared.bank_bytes.unwrap_or(4);
                let words = stride.unsigned_abs() / u64::from(bank);
                let lanes = (0..u64::from(facts.simd_width)).map(|lane| lane * words);
                let skewed = lanes.map(|word| (word + word / u64::from(banks)) * u64::from(bank));
                let addresses: Vec<u64> = skewed.collect();
                banks::count(&addresses, bank.into(), banks, bank).degree() == Some(1.0)
            }
            Remedy::Spread => true,
        }
    }

    fn title(self, access: &AccessFacts) -> String {
        let name = &access.variable;
        match self {
            Remedy::Pitch { elements, .. } => format!("give `{name}` a pitch of {}", elements + 1),
            Remedy::Skew { banks, .. } => {
                format!("skew the index of `{name}` by a word every {banks}")
            }
            Remedy::Spread => format!("spread `{name}` over the banks"),
        }
    }

    fn help(self, access: &AccessFacts) -> String {
        let name = &access.variable;
        match self {
            Remedy::Pitch {
                elements,
                declared: true,
            } => format!(
                "declare the rows of `{name}` with {} elements instead of {elements}; it costs one element a row",
                elements + 1
            ),
            Remedy::Pitch {
                elements,
                declared: false,
            } => format!(
                "multiply by {} instead of {elements} where `{name}` is indexed; it costs one element a row",
                elements + 1
            ),
            Remedy::Skew { banks, bytes } => format!(
                "index `{name}` with `i + i / {banks}` instead of `i`, wherever it is accessed; it costs {} more",
                text::bytes(bytes as f64)
            ),
            Remedy::Spread => {
                "make the distance between neighbouring lanes an odd number of banks".to_owned()
            }
        }
    }
}
