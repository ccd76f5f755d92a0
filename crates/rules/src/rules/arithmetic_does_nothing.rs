//! Whether less arithmetic would gain anything, or nothing because another resource binds.
//!
//! # What it does
//!
//! Gives one lever, no diagnostic. It predicts the launch without any floating-point, special or
//! integer operation. Where that gains less than 1 %, arithmetic levers (fast approximations, strength
//! reduction, fewer conversions) do nothing, and the lever says which resource binds and how much room
//! arithmetic has beside it. Where arithmetic binds, the gain shown is that of a tenth fewer operations,
//! and the upper end of its range is that of none at all.
//!
//! # Why it matters
//!
//! Most kernels lie below the ridge: at 10 TFLOP/s and 400 GB/s, a kernel with fewer than 25 FLOP a
//! byte waits for memory. Half the operations then take exactly the same time.
//!
//! # Example
//!
//! ```wgsl
//! c[i] = a[i] + b[i];                 // 1/12 FLOP a byte
//! ```
//!
//! # Use instead
//!
//! Move fewer bytes: fuse the pass with its neighbour, use smaller types, reuse data from workgroup
//! memory or registers. When arithmetic has room, spend it: compute values again rather than load them.
//!
//! # When it does nothing
//!
//! This is the rule that says when. The room is that of the prediction, which takes resources to
//! overlap fully.
//!
//! # References
//!
//! - Williams, Waterman and Patterson, “Roofline: an insightful visual performance model for multicore
//!   architectures”, Communications of the ACM 52(4), 2009.

use cresta_analysis::Facts;
use cresta_model::prediction::{Demand, Resource};
use cresta_model::roofline::ridge;
use cresta_model::what_if;

use crate::change::{self, Change, PAYS};
use crate::finding::{Findings, Lever, Severity};
use crate::registry::{Rule, Status};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "compute/arithmetic-does-nothing",
    Severity::Note,
    Status::Stable,
    include_str!("arithmetic_does_nothing.rs"),
    check,
);

/// Share of the operations that is left in the gain shown: a tenth fewer is what rewriting
/// expressions tends to give.
const LEFT: f64 = 0.9;

const ARITHMETIC: [Resource; 4] = [
    Resource::Compute,
    Resource::Special,
    Resource::Integer,
    Resource::Issue,
];

fn check(facts: &Facts, findings: &mut Findings) {
    if has_none(&facts.demand) {
        return;
    }
    if facts.prediction.seconds.is_none() {
        findings.levers.extend(by_intensity(facts));
        return;
    }
    let slowest = change::slowest(facts, &ARITHMETIC);
    let lever = Change {
        code: RULE.code,
        step: 7,
        title: "a tenth fewer arithmetic operations".to_owned(),
        resource: slowest.unwrap_or(Resource::Compute),
        location: None,
        before: None,
        after: Ok(scaled(&facts.demand, LEFT)),
    }
    .lever(facts);
    findings.levers.push(judged(facts, lever));
}

/// Without a time: whether arithmetic or memory is the lower roof, which tells whether arithmetic can
/// matter, and not how much; nothing where even that is unknown.
fn by_intensity(facts: &Facts) -> Option<Lever> {
    let flop_per_byte = facts.intensity.transferred?;
    let peak = facts.machine.compute.f32_flop_per_second?;
    let ridge = ridge(peak, facts.machine.dram.bytes_per_second?);
    let pays = flop_per_byte >= ridge;
    let (title, side, roof) = if pays {
        ("fewer arithmetic operations", "above", "arithmetic")
    } else {
        ("less arithmetic", "below", "DRAM bandwidth")
    };
    Some(Lever {
        code: RULE.code,
        step: 7,
        title: title.to_owned(),
        gain: None,
        gain_low: None,
        gain_high: None,
        resource: Some(Resource::Compute),
        pays,
        why: format!(
            "{} FLOP/B lie {side} the ridge of {} FLOP/B: {roof} is the lower roof",
            text::significant(flop_per_byte),
            text::significant(ridge)
        ),
        location: None,
    })
}

/// Whether the launch is known to do no arithmetic, so that none can be taken away.
fn has_none(demand: &Demand) -> bool {
    [
        demand.f32_flops,
        demand.f16_flops,
        demand.f64_flops,
        demand.special_ops,
        demand.integer_ops,
    ]
    .into_iter()
    .all(|amount| amount == Some(0.0))
}

/// The demand with a part of the arithmetic; instructions with it, so that the gain is the most that
/// can come of it.
fn scaled(demand: &Demand, left: f64) -> Demand {
    let part = |amount: Option<f64>| amount.map(|amount| amount * left);
    Demand {
        f32_flops: part(demand.f32_flops),
        f16_flops: part(demand.f16_flops),
        f64_flops: part(demand.f64_flops),
        special_ops: part(demand.special_ops),
        integer_ops: part(demand.integer_ops),
        simd_instructions: part(demand.simd_instructions),
        ..demand.clone()
    }
}

/// The lever with the gain of no arithmetic at all as its upper end.
fn judged(facts: &Facts, mut lever: Lever) -> Lever {
    let Some(gain) = lever.gain else { return lever };
    let none = what_if::gain(&facts.demand, &scaled(&facts.demand, 0.0), &facts.machine);
    let Some(most) = none.map(|none| none.factor) else {
        return lever;
    };
    lever.gain_low = Some(gain);
    lever.gain_high = Some(most);
    if most < PAYS {
        lever.title = "less arithmetic".to_owned();
        lever.why = format!(
            "{}; even with none at all it is {}",
            lever.why,
            text::times(most)
        );
    } else if gain < PAYS {
        lever.why = format!(
            "{}; with none at all it is {}",
            lever.why,
            text::times(most)
        );
    } else {
        lever.why = format!(
            "arithmetic pays: {}; without any it is {}",
            lever.why,
            text::times(most)
        );
    }
    lever
}
