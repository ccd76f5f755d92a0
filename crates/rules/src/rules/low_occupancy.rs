//! A unit holds few invocations at once, with a verdict on whether that matters.
//!
//! # What it does
//!
//! Where fewer than half of the invocations that a unit can hold are resident, it names what limits
//! them, the next step (the number of registers or bytes at which one more workgroup fits), and whether
//! that step is predicted to gain anything. It is a warning only where the step is predicted to gain 5 %
//! or more, since latency binds; otherwise it is a note that says why raising occupancy is useless:
//!
//! - arithmetic binds: independent operations of one invocation keep the units busy as well;
//! - the tile pays: workgroup memory is the limit, and each element in it is used four times or more,
//!   so that a smaller tile would cost more traffic than the occupancy is worth;
//! - bandwidth binds: as many bytes are in flight as the memory takes.
//!
//! Where half of the SIMD groups are resident and lanes in them idle, `launch/simd-waste` says so, and
//! this rule is silent.
//!
//! # Why it matters
//!
//! While one SIMD group waits for memory, others work, if there are others. By Little's law the bytes in
//! flight are resident SIMD groups × independent loads × bytes; below latency × bandwidth the memory
//! idles. Above it, more occupancy changes nothing.
//!
//! # Example
//!
//! ```wgsl
//! @compute @workgroup_size(256)   // 72 registers: 3 workgroups a unit, 37.5 %
//! ```
//!
//! # Use instead
//!
//! Where it matters: fewer values alive at once (a smaller block in registers), a smaller array in
//! workgroup memory, larger workgroups where their number is the limit. More independent loads in each
//! invocation do the same work as more invocations.
//!
//! # When it does nothing
//!
//! In the three cases above. Half is a usual rule of thumb and no law: kernels reach the roof at a
//! quarter when each invocation has several loads in flight.
//!
//! # References
//!
//! - Vasily Volkov, “Better Performance at Lower Occupancy”, GPU Technology Conference, 2010.
//! - J. D. C. Little, “A proof for the queuing formula L = λW”, Operations Research 9(3), 1961.

use cresta_analysis::{Facts, Operation};
use cresta_ir::Space;
use cresta_model::occupancy::Limiter;
use cresta_model::prediction::{Demand, Resource};
use cresta_model::reuse::{Staging, staging};

use crate::change::{self, Change};
use crate::finding::{Diagnostic, Findings, Lever, Severity};
use crate::registry::{Rule, Status};
use crate::shape;
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "occupancy/low",
    Severity::Warning,
    Status::Preview,
    include_str!("low_occupancy.rs"),
    check,
);

/// Occupancy below which the rule speaks: above a half, more rarely gains anything.
const LOW: f64 = 0.5;
/// Predicted gain of the next step from which low occupancy is a warning.
const MATTERS: f64 = 1.05;

fn check(facts: &Facts, findings: &mut Findings) {
    let occupancy = &facts.occupancy;
    let (Some(fraction), Some(limiter), Some(groups)) =
        (occupancy.fraction, occupancy.limiter, occupancy.groups)
    else {
        return;
    };
    let lanes_idle = occupancy
        .simd_group_fraction
        .is_some_and(|held| held >= LOW);
    if fraction >= LOW || lanes_idle || groups == 0 {
        return;
    }
    let step = Step::next(facts, limiter);
    let mut lever = Change {
        code: RULE.code,
        step: 6,
        title: step.title.clone(),
        resource: Resource::Latency,
        location: Some(facts.location.clone()),
        before: None,
        after: step.after(facts, groups),
    }
    .lever(facts);
    let verdict = Verdict::of(facts, limiter, &lever);
    verdict.apply(&mut lever);
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if verdict.matters {
            Severity::Warning
        } else {
            Severity::Note
        },
        location: facts.location.clone(),
        labels: Vec::new(),
        message: format!(
            "occupancy is {}: a unit holds {}, limited by {}; {}",
            text::percent(fraction),
            text::plural(groups.into(), "workgroup"),
            limit(facts, limiter),
            verdict.text
        ),
        notes: notes(facts),
        help: Some(step.text),
    });
    findings.levers.push(lever);
}

/// What holds occupancy down, with its amount.
fn limit(facts: &Facts, limiter: Limiter) -> String {
    match (limiter, facts.registers) {
        (Limiter::Registers, Some(registers)) => format!(
            "registers ({} an invocation, {})",
            registers.value,
            registers.source.name()
        ),
        (Limiter::Registers, None) => "registers".to_owned(),
        (Limiter::WorkgroupMemory, _) => format!(
            "workgroup memory ({} a workgroup)",
            text::bytes(facts.workgroup_bytes as f64)
        ),
        (Limiter::Slots, _) => format!(
            "slots (workgroups of {})",
            text::plural(shape::invocations(facts) as f64, "invocation")
        ),
    }
}

fn notes(facts: &Facts) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(spilled) = facts
        .occupancy
        .spilled_registers
        .filter(|&spilled| spilled > 0)
    {
        notes.push(format!(
            "{spilled} registers of an invocation spill to memory beyond the machine's most; those accesses are not counted"
        ));
    }
    notes
}

/// The next step up in occupancy.
struct Step {
    title: String,
    text: String,
    /// How many workgroups of the present size more, or why none can be had.
    more: Result<More, &'static str>,
}

#[derive(Clone, Copy)]
enum More {
    /// One more workgroup fits.
    One,
    /// Workgroups of twice the size fill twice the lanes in the same slots.
    Twice,
}

impl Step {
    fn next(facts: &Facts, limiter: Limiter) -> Self {
        let occupancy = &facts.occupancy;
        let (steps, unit) = match limiter {
            Limiter::Registers => (occupancy.register_steps, "registers an invocation"),
            Limiter::WorkgroupMemory => (
                occupancy.workgroup_memory_steps,
                "bytes of workgroup memory",
            ),
            Limiter::Slots => {
                return Step {
                    title: "use larger workgroups".to_owned(),
                    text: "use larger workgroups: the number of workgroups a unit holds is the limit, not their size".to_owned(),
                    more: Ok(More::Twice),
                };
            }
        };
        match steps.and_then(|steps| steps.won_at) {
            Some(amount) => Step {
                title: format!("get down to {} {unit}", text::count(amount)),
                text: format!("at {} {unit} one more workgroup fits", text::count(amount)),
                more: Ok(More::One),
            },
            None => Step {
                title: format!("use fewer {unit}"),
                text: format!(
                    "fewer {unit} alone bring no further workgroup: another resource allows no more"
                ),
                more: Err("another resource allows no further workgroup"),
            },
        }
    }

    fn after(&self, facts: &Facts, groups: u32) -> Result<Demand, String> {
        let factor = match self.more? {
            More::One => f64::from(groups + 1) / f64::from(groups),
            More::Twice => 2.0,
        };
        let resident = facts
            .demand
            .resident_simd_groups_per_unit
            .ok_or("how many SIMD groups a unit holds is unknown")?;
        Ok(Demand {
            resident_simd_groups_per_unit: Some(resident * factor),
            ..facts.demand.clone()
        })
    }
}

/// Whether low occupancy costs anything.
struct Verdict {
    matters: bool,
    /// Known to be useless to raise.
    useless: bool,
    text: String,
}

impl Verdict {
    fn of(facts: &Facts, limiter: Limiter, lever: &Lever) -> Self {
        if let Some(gain) = lever.gain.filter(|&gain| gain >= MATTERS) {
            return Verdict {
                matters: true,
                useless: false,
                text: format!(
                    "it matters: latency binds, and the next step gains {}",
                    text::times(gain)
                ),
            };
        }
        let useless = |text: String| Verdict {
            matters: false,
            useless: true,
            text,
        };
        let tile = uses_per_staged_element(facts).filter(|&uses| {
            limiter == Limiter::WorkgroupMemory && staging(uses) == Some(Staging::Wins)
        });
        if let Some(uses) = tile {
            return useless(format!(
                "raising it is useless: the tile pays for it, each element in it is used {} times",
                text::number(uses)
            ));
        }
        let decided = facts.prediction.is_decided();
        match facts.prediction.bound.filter(|_| decided) {
            Some(Resource::Compute | Resource::Special | Resource::Integer | Resource::Issue) => {
                useless("raising it is useless: arithmetic binds".to_owned())
            }
            Some(Resource::Dram | Resource::L2) => {
                useless("raising it is useless: bandwidth binds".to_owned())
            }
            Some(Resource::Latency) => Verdict {
                matters: false,
                useless: false,
                text: "latency binds, but the next step gains little".to_owned(),
            },
            Some(other) => useless(format!("raising it is useless: {} binds", other.name())),
            None => Verdict {
                matters: false,
                useless: false,
                text: format!(
                    "whether it matters is unknown: {}",
                    change::uncounted(facts, Resource::Latency)
                ),
            },
        }
    }

    /// Makes the lever agree with the verdict where the prediction leaves latency out.
    fn apply(&self, lever: &mut Lever) {
        if self.useless {
            lever.pays = false;
            lever.why = format!("{} ({})", self.text, lever.why);
        }
    }
}

/// Loads of workgroup memory over stores to it, in bytes: how often a staged element is used.
fn uses_per_staged_element(facts: &Facts) -> Option<f64> {
    let moved = |operation: Operation| -> Option<f64> {
        facts
            .accesses
            .iter()
            .filter(|access| access.space == Space::Workgroup && access.operation == operation)
            .map(|access| Some(access.executions.value? * f64::from(access.bytes_per_lane?)))
            .sum()
    };
    let stored = moved(Operation::Store)?;
    (stored > 0.0).then(|| moved(Operation::Load).map(|loaded| loaded / stored))?
}
