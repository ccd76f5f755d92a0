//! Time by resource as bars, and occupancy in one line.

use cresta_analysis::Facts;
use cresta_ir::Space;
use cresta_model::prediction::{Resource, ResourceTime};

use super::page::{Page, QUIET};
use crate::number::{bytes, percent, seconds};

/// Columns of the longest bar.
const BAR: usize = 36;
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

pub(super) fn render(page: &mut Page, facts: &Facts) {
    let prediction = &facts.prediction;
    let times: Vec<ResourceTime> = in_order(facts);
    if !times.is_empty() {
        page.heading("Time by resource");
        let longest = times.iter().map(|time| time.seconds).fold(0.0, f64::max);
        for time in &times {
            let all = prediction.seconds.filter(|_| prediction.partial.is_empty());
            page.line(row(
                *time,
                longest,
                all,
                prediction.is_at_least(time.resource),
            ));
        }
    }
    left_out(page, facts, &times);
    if let Some(text) = private_memory(facts) {
        page.styled_paragraph(QUIET, 2, &text);
    }
    if let Some(line) = occupancy(facts) {
        page.paragraph(2, &line);
    }
}

/// Slowest first, the launch overhead last.
fn in_order(facts: &Facts) -> Vec<ResourceTime> {
    let mut times = facts.prediction.slowest_first();
    times.retain(|time| time.seconds > 0.0);
    let launch = facts.prediction.resources.iter().copied();
    times.extend(launch.filter(|time| time.resource == Resource::Launch));
    times
}

/// One resource; its share of the whole where that is known.
fn row(time: ResourceTime, longest: f64, all: Option<f64>, at_least: bool) -> String {
    let share = all.filter(|&all| all > 0.0).map(|all| time.seconds / all);
    let bar = bar(time.seconds / longest);
    let padding = " ".repeat(BAR.saturating_sub(bar.chars().count()));
    format!(
        "  {:<9}{bar}{padding} {}{:>8}  {:>6}",
        time.resource.name(),
        if at_least { '≥' } else { ' ' },
        seconds(time.seconds),
        share.map_or_else(String::new, percent),
    )
}

/// A bar of `fraction` of the full width; whatever is above zero shows.
fn bar(fraction: f64) -> String {
    if !fraction.is_finite() || fraction <= 0.0 {
        return String::new();
    }
    // At most the full width, since the longest row is the whole.
    let eighths = ((fraction * BAR as f64 * 8.0).round() as usize).max(1);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

fn left_out(page: &mut Page, facts: &Facts, shown: &[ResourceTime]) {
    let missing: Vec<&str> = Resource::ALL
        .into_iter()
        .filter(|&resource| facts.prediction.time(resource).is_none())
        .map(Resource::name)
        .collect();
    if shown.is_empty() || missing.is_empty() {
        return;
    }
    let hint = if page.options.verbose {
        "see assumptions"
    } else {
        "--verbose says why"
    };
    let text = format!("not counted: {} ({hint})", missing.join(", "));
    page.styled_paragraph(QUIET, 2, &text);
}

/// What arrays with run-time indices ask of private memory, which no resource counts.
fn private_memory(facts: &Facts) -> Option<String> {
    let mut spaces = facts.accesses.iter().map(|access| access.space);
    if !spaces.any(|space| space == Space::Private) {
        return None;
    }
    let private = &facts.work.bytes.private;
    let amount = private.value.map_or_else(
        || "of unknown size".to_owned(),
        |amount| format!("of {}", bytes(amount)),
    );
    Some(format!(
        "not counted: private memory traffic {amount}, of arrays indexed at run time"
    ))
}

fn occupancy(facts: &Facts) -> Option<String> {
    let of = &facts.occupancy;
    let (groups, limiter) = (of.groups?, of.limiter?);
    let registers = facts.registers.map_or_else(
        || "registers unknown".to_owned(),
        |registers| {
            let count = super::page::plural(registers.value as usize, "register");
            format!("{count}, {}", registers.source.name())
        },
    );
    let share = of.fraction.map_or_else(|| "unknown".to_owned(), percent);
    let groups = super::page::plural(groups as usize, "group");
    Some(format!(
        "occupancy {share}: {groups} a unit, limited by {} ({registers})",
        limiter.name().replace('_', " "),
    ))
}
