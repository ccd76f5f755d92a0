//! Not one workgroup fits in a compute unit of the machine, so that the kernel cannot run there.
//!
//! # What it does
//!
//! Compares what one workgroup takes with what a whole unit has: workgroup memory, registers of all
//! its lanes (whole SIMD groups, in the granules that the hardware hands out), and slots for
//! invocations. It names each resource of which one workgroup needs more than there is, and by how
//! much. No time is predicted then.
//!
//! It is an error, and a warning where only an estimated number of registers says so: a compiler may
//! spill registers to memory instead.
//!
//! # Why it matters
//!
//! A dispatch of such a kernel fails: the pipeline is refused when it is made.
//!
//! # Example
//!
//! ```wgsl
//! // 128 KiB in one workgroup, and a unit has 64 KiB.
//! var<workgroup> tile: array<f32, 32768>;
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! // A tile of 16 KiB, which is what a device grants by default.
//! var<workgroup> tile: array<f32, 4096>;
//! ```
//!
//! For registers: smaller workgroups, or fewer values that live at once.
//!
//! # When it does nothing
//!
//! When the machine tells neither workgroup memory, nor registers, nor slots of a unit.
//!
//! # References
//!
//! - WebGPU, “createComputePipeline”: a workgroup beyond the device's limits is a validation error.

use cresta_analysis::{Facts, RegisterSource};

use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};
use crate::shape;
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "occupancy/does-not-fit",
    Severity::Error,
    Status::Stable,
    include_str!("does_not_fit.rs"),
    check,
);

/// A resource of which one workgroup needs more than a unit has.
struct Excess {
    needs: String,
    has: String,
    over: String,
    /// Whether it is certain: an estimate is not.
    certain: bool,
}

fn check(facts: &Facts, findings: &mut Findings) {
    if facts.occupancy.groups != Some(0) {
        return;
    }
    let excesses: Vec<Excess> = [workgroup_memory(facts), registers(facts), slots(facts)]
        .into_iter()
        .flatten()
        .collect();
    let amounts: Vec<String> = excesses
        .iter()
        .map(|of| {
            format!(
                "it needs {} where a unit has {} ({} too much)",
                of.needs, of.has, of.over
            )
        })
        .collect();
    let certain = excesses.iter().any(|excess| excess.certain);
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if certain {
            Severity::Error
        } else {
            Severity::Warning
        },
        location: facts.location.clone(),
        labels: Vec::new(),
        message: format!(
            "no workgroup fits in a compute unit of {}: {}",
            facts.machine.id,
            amounts.join("; ")
        ),
        notes: vec!["no time is predicted".to_owned()],
        help: Some("make the workgroup, its memory or its registers smaller".to_owned()),
    });
}

fn excess(needs: u64, has: u64, unit: &str, show: fn(u64) -> String) -> Option<Excess> {
    let over = needs.checked_sub(has).filter(|&over| over > 0)?;
    Some(Excess {
        needs: format!("{}{unit}", show(needs)),
        has: show(has),
        over: show(over),
        certain: true,
    })
}

fn workgroup_memory(facts: &Facts) -> Option<Excess> {
    let granule = facts.machine.shared.granularity_bytes;
    let needs = in_granules(facts.workgroup_bytes, granule);
    let has = facts.machine.shared.bytes_per_unit?;
    let show = |bytes: u64| format!("{} B", text::count(bytes));
    excess(needs, has, " of workgroup memory", show)
}

fn registers(facts: &Facts) -> Option<Excess> {
    let registers = facts.registers?;
    let machine = &facts.machine.registers;
    let held = machine
        .max_per_invocation
        .map_or(registers.value, |most| registers.value.min(most));
    let each = in_granules(held.into(), machine.granularity);
    let needs = each * allocated_invocations(facts);
    let certain = registers.source != RegisterSource::Estimate;
    let unit = format!(
        " registers ({each} an invocation, {})",
        registers.source.name()
    );
    let excess = excess(needs, machine.per_unit?, &unit, text::count)?;
    Some(Excess { certain, ..excess })
}

fn slots(facts: &Facts) -> Option<Excess> {
    let has = facts.machine.slots.invocations_per_unit?;
    let needs = allocated_invocations(facts);
    excess(needs, has.into(), " slots for invocations", text::count)
}

/// Invocations of a workgroup in whole SIMD groups.
fn allocated_invocations(facts: &Facts) -> u64 {
    let width = facts.machine.simd_width.unwrap_or(1);
    shape::invocations(facts).next_multiple_of(width.into())
}

fn in_granules(amount: u64, granule: Option<u32>) -> u64 {
    granule.map_or(amount, |granule| amount.next_multiple_of(granule.into()))
}
