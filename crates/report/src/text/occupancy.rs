//! Occupancy for a person: inside a report, and as the calculator's answer.

use cresta_model::occupancy::{Occupancy, Steps};

use super::page::{HEADING, Options, Page, plural};
use crate::number::{count, or_unknown, percent};
use crate::schema::{LatencyHiding, OccupancyReport};

/// The calculator's answer. `result` is what `report` was made from.
pub fn occupancy(report: &OccupancyReport, result: &Occupancy, options: Options) -> String {
    let mut page = Page::new(options);
    let registers = report.occupancy.registers.as_ref();
    let registers = registers.map_or_else(
        || "registers unknown".to_owned(),
        |registers| {
            let count = plural(registers.value as usize, "register");
            format!("{count} ({})", registers.source)
        },
    );
    let group = format!(
        "{} invocations, {} B of workgroup memory, {registers}",
        count(report.workgroup_invocations.into()),
        count(report.workgroup_memory_bytes as f64),
    );
    page.styled_paragraph(HEADING, 0, &group);
    let machine = &report.machine;
    let reason = machine.reason.as_deref().unwrap_or_default();
    let machine = format!("machine: {} ({}), {reason}", machine.name, machine.id);
    page.paragraph(0, &machine);
    page.blank();
    for line in occupancy_lines(result) {
        page.paragraph(0, &line);
    }
    if let Some(hiding) = &report.latency_hiding {
        page.heading("Hiding latency");
        for line in latency_lines(hiding) {
            page.paragraph(0, &line);
        }
    }
    if !report.assumptions.is_empty() {
        page.heading("Assumptions");
        for assumption in &report.assumptions {
            page.wrapped("- ", 2, 2, assumption);
        }
    }
    page.finish()
}

fn latency_lines(hiding: &LatencyHiding) -> Vec<String> {
    let mut lines = vec![format!(
        "{} SIMD groups hide {} cycles ({} of what the unit holds)",
        count(hiding.simd_groups_needed),
        count(hiding.latency_cycles),
        or_unknown(hiding.needed_fraction, percent),
    )];
    lines.push(format!(
        "with the {} resident ones the unit waits {} of the time",
        or_unknown(hiding.simd_groups_resident.map(|all| all as f64), count),
        or_unknown(hiding.idle_fraction, percent),
    ));
    if !hiding.by_occupancy.is_empty() {
        let rows: Vec<String> = hiding
            .by_occupancy
            .iter()
            .map(|row| {
                format!(
                    "{} at {}",
                    percent(row.idle_fraction),
                    percent(row.fraction)
                )
            })
            .collect();
        lines.push(format!("waiting by occupancy: {}", rows.join(", ")));
    }
    lines
}

/// The result of the occupancy model, line by line.
pub(super) fn occupancy_lines(of: &Occupancy) -> Vec<String> {
    let groups = |limit: Option<u32>| or_unknown(limit.map(f64::from), count);
    let mut lines = vec![
        format!(
            "groups by registers {}, by workgroup memory {}, by slots {}",
            groups(of.limits.registers),
            groups(of.limits.workgroup_memory),
            groups(of.limits.slots)
        ),
        format!(
            "resident: {} groups, {} invocations, {} that the unit holds; limited by {}",
            groups(of.groups),
            or_unknown(of.invocations.map(|all| all as f64), count),
            share(of),
            of.limiter
                .map_or("nothing known", |limiter| limiter.name())
                .replace('_', " "),
        ),
    ];
    lines.extend(of.register_steps.map(|steps| step_line("registers", steps)));
    lines.extend(
        of.workgroup_memory_steps
            .map(|steps| step_line("bytes of workgroup memory", steps)),
    );
    lines
}

/// Share of invocations; that of SIMD groups too where lanes stay empty.
fn share(of: &Occupancy) -> String {
    let share = or_unknown(of.fraction, percent);
    match of.simd_group_fraction {
        Some(groups) if of.fraction.is_some_and(|fraction| groups > fraction) => {
            format!(
                "{share} of the invocations ({} of the SIMD groups)",
                percent(groups)
            )
        }
        _ => format!("{share} of the invocations"),
    }
}

fn step_line(unit: &str, steps: Steps) -> String {
    let parts: Vec<String> = [
        steps.last_keeping.map(|last| {
            format!(
                "{} is the last that keeps this many groups",
                count(last as f64)
            )
        }),
        steps
            .lost_at
            .map(|lost| format!("{} loses one", count(lost as f64))),
        Some(steps.won_at.map_or_else(
            || "no smaller amount wins one".to_owned(),
            |won| format!("{} wins one more", count(won as f64)),
        )),
    ]
    .into_iter()
    .flatten()
    .collect();
    format!("{unit}: {}", parts.join(", "))
}
