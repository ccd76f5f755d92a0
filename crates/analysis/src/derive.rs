//! The sums behind the numbers, as a person would write them on paper.

use cresta_ir::Space;
use cresta_model::prediction::Resource;
use cresta_model::quantity::Quantity;

use crate::facts::{Derivation, Facts};

/// Derivations of the totals, the times and the occupancy.
pub(crate) fn derivations(facts: &Facts) -> Vec<Derivation> {
    let mut derivations = Vec::new();
    let mut add = |subject: &str, text: String| {
        derivations.push(Derivation {
            subject: subject.to_owned(),
            text,
        });
    };
    add("FLOP", equation(&facts.work.flops.total, "FLOP"));
    for buffer in facts
        .buffers
        .iter()
        .filter(|buffer| buffer.space != Space::Uniform)
    {
        let subject = format!("bytes of {}", buffer.name);
        add(&subject, equation(&buffer.requested, "B requested"));
        if let Some(bytes) = buffer.transferred.value {
            add(&subject, format!("{} B transferred", number(bytes)));
        }
        if let Some(bytes) = buffer.compulsory.value {
            add(&subject, format!("{} B distinct", number(bytes)));
        }
    }
    add("requested bytes", equation(&facts.requested, "B"));
    for access in &facts.accesses {
        if let (Space::Storage, Some(traffic)) = (access.space, &access.traffic) {
            let subject = format!("line {}, {}", access.location.line, access.variable);
            let text = format!(
                "byte address {}: {} sectors where {} would do, {:.1} % of what is moved is used",
                access.address,
                number(traffic.sectors),
                number(traffic.ideal_sectors),
                traffic.efficiency * 100.0
            );
            add(&subject, text);
        }
    }
    if let Some(text) = dram(facts) {
        add(Resource::Dram.name(), text);
    }
    if let Some(text) = compute(facts) {
        add(Resource::Compute.name(), text);
    }
    if let Some(seconds) = facts.prediction.seconds_at_requested_bytes {
        add(
            "pencil sum",
            format!("requested bytes / DRAM bandwidth = {seconds:.4e} s"),
        );
    }
    add("occupancy", occupancy(facts));
    derivations
}

fn equation(quantity: &Quantity, unit: &str) -> String {
    match (quantity.value, quantity.lower, quantity.upper) {
        (Some(value), _, _) if quantity.formula != number(value) => {
            format!("{} = {} {unit}", quantity.formula, number(value))
        }
        (Some(value), _, _) => format!("{} {unit}", number(value)),
        (None, Some(lower), Some(upper)) => {
            format!(
                "{}: {} to {} {unit}",
                quantity.formula,
                number(lower),
                number(upper)
            )
        }
        (None, Some(lower), None) => {
            format!("{}: at least {} {unit}", quantity.formula, number(lower))
        }
        _ => format!("{} {unit}", quantity.formula),
    }
}

/// Whole numbers with thousands separated, others to four digits.
fn number(value: f64) -> String {
    if value.fract() != 0.0 || value.abs() >= 1e18 {
        return format!("{value:.4}");
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 {
        format!("-{text}")
    } else {
        text
    }
}

fn dram(facts: &Facts) -> Option<String> {
    let bytes = facts.demand.dram_or_transferred_bytes()?;
    let roof = facts.machine.dram.bytes_per_second?;
    Some(format!(
        "{} B / {:.4e} B/s = {:.4e} s",
        number(bytes),
        roof,
        bytes / roof
    ))
}

fn compute(facts: &Facts) -> Option<String> {
    let flops = facts.work.flops.total.value?;
    let roof = facts.machine.compute.f32_flop_per_second?;
    let seconds = facts.prediction.time(Resource::Compute)?;
    Some(format!(
        "{} FLOP, f32 peak {:.4e} FLOP/s: {:.4e} s on the busiest unit",
        number(flops),
        roof,
        seconds
    ))
}

fn occupancy(facts: &Facts) -> String {
    let limits = facts.occupancy.limits;
    let groups = |limit: Option<u32>| limit.map_or("unknown".to_owned(), |n| n.to_string());
    let memory = match limits.workgroup_memory {
        None if facts.workgroup_bytes == 0 => "not limiting".to_owned(),
        limit => groups(limit),
    };
    format!(
        "groups a unit by registers {}, by workgroup memory {memory}, by slots {}; {} resident",
        groups(limits.registers),
        groups(limits.slots),
        groups(facts.occupancy.groups),
    )
}
