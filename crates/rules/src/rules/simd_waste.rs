//! A workgroup does not fill its last SIMD group, so that lanes stay idle all the time.
//!
//! # What it does
//!
//! Compares the invocations of a workgroup with the SIMD width: hardware hands out whole SIMD groups,
//! so that 10×10 invocations take four groups of 32 lanes, of which 28 lanes never work. It is a
//! warning where a tenth or more of the lanes idle, and a note below that. Only the product of the
//! sides counts: 8×8 fills two SIMD groups. A launch of a single workgroup within one SIMD group is
//! left alone, since its lanes would have nothing to do.
//!
//! # Why it matters
//!
//! Idle lanes take slots, registers and issue cycles like the others. At `@workgroup_size(1)`, 31 of
//! 32 lanes are idle.
//!
//! # Example
//!
//! ```wgsl
//! @compute @workgroup_size(10, 10)    // 100 of 128 lanes work
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! @compute @workgroup_size(8, 8)   // 64: full on SIMD groups of 8, 16, 32 and 64
//! ```
//!
//! # When it does nothing
//!
//! When memory binds and the idle lanes' slots are not missed. The gain counted here is that of
//! arithmetic and issue alone.
//!
//! # References
//!
//! - WGSL, “Subgroup Built-in Functions”: the subgroup size is between 4 and 128, and the device's to
//!   choose.
//! - AMD, RDNA Performance Guide, “Compute”: workgroup sizes in multiples of 64.

use cresta_analysis::Facts;
use cresta_model::prediction::{Demand, Resource};

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};
use crate::shape;
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "launch/simd-waste",
    Severity::Warning,
    Status::Stable,
    include_str!("simd_waste.rs"),
    check,
);

/// Share of idle lanes from which the waste is a warning: 1.1× of arithmetic.
const COSTS: f64 = 0.1;
/// A multiple of every SIMD width in use: 8, 16, 32 and 64.
const FITS_ALL: u64 = 64;

fn check(facts: &Facts, findings: &mut Findings) {
    let invocations = shape::invocations(facts);
    let width = u64::from(facts.simd_width);
    if width == 0 || invocations == 0 || invocations.is_multiple_of(width) {
        return;
    }
    let lanes = invocations.next_multiple_of(width);
    if facts.workgroups == Some([1, 1, 1]) && invocations < width {
        return;
    }
    let used = invocations as f64 / lanes as f64;
    let mut notes = Vec::new();
    if facts.machine.simd_width != Some(facts.simd_width) {
        notes.push(format!(
            "counted with {width} lanes, which the machine does not state; see what `subgroup_size` says on the device"
        ));
    }
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if 1.0 - used >= COSTS {
            Severity::Warning
        } else {
            Severity::Note
        },
        location: facts.location.clone(),
        labels: Vec::new(),
        message: format!(
            "a workgroup of {} ({}) takes {} of {width} lanes and leaves {} of {} lanes idle",
            shape::size(facts.workgroup_size),
            text::plural(invocations as f64, "invocation"),
            text::plural((lanes / width) as f64, "SIMD group"),
            lanes - invocations,
            lanes
        ),
        notes,
        help: Some(format!(
            "use a multiple of {FITS_ALL}, which fills SIMD groups of every width: {}",
            fitting(facts.workgroup_size)
        )),
    });
    findings.levers.push(
        Change {
            code: RULE.code,
            step: 6,
            title: format!("make the workgroup a multiple of {width}"),
            resource: busiest(facts),
            location: Some(facts.location.clone()),
            before: Some(with_idle_lanes(&facts.demand, used)),
            after: Ok(Demand {
                simd_instructions: facts.demand.simd_instructions.map(|all| all * used),
                ..facts.demand.clone()
            }),
        }
        .lever(facts),
    );
}

/// The demand with the lanes that idle counted as if they worked: a roof is that of full SIMD groups.
/// Instructions are counted by SIMD group and hold them already.
fn with_idle_lanes(demand: &Demand, used: f64) -> Demand {
    let over = |amount: Option<f64>| amount.map(|amount| amount / used);
    Demand {
        f32_flops: over(demand.f32_flops),
        f16_flops: over(demand.f16_flops),
        f64_flops: over(demand.f64_flops),
        special_ops: over(demand.special_ops),
        integer_ops: over(demand.integer_ops),
        ..demand.clone()
    }
}

/// The slowest of the resources that idle lanes take part in.
fn busiest(facts: &Facts) -> Resource {
    crate::change::slowest(
        facts,
        &[
            Resource::Compute,
            Resource::Special,
            Resource::Integer,
            Resource::Issue,
        ],
    )
    .unwrap_or(Resource::Compute)
}

/// A size with as many dimensions that is a multiple of [`FITS_ALL`] and within the default limits.
fn fitting(size: [u32; 3]) -> &'static str {
    match size {
        [_, 1, 1] => "64, 128 or 256",
        [_, _, 1] => "8×8, 16×16 or 32×8",
        _ => "4×4×4 or 8×8×4",
    }
}
