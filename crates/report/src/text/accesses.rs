//! The memory accesses that cost most, each under its source line.

use cresta_analysis::{AccessFacts, Basis, Facts};
use cresta_ir::Space;
use cresta_model::prediction::Resource;
use cresta_wgsl::source::SourceFile;

use super::formulas::Formulas;
use super::page::{BAD, HEADING, Page, QUIET, columns, cut, paint};
use crate::number::{bytes, count, percent};

/// Accesses shown on one screen.
const MOST: usize = 4;
/// Columns of operation, variable and width.
const WHAT: usize = 22;
/// Columns of the pattern and its stride.
const PATTERN: usize = 16;
/// Columns before a formula.
const FORMULA: usize = 21;
/// The class from which accesses cost next to nothing beside the others.
const CHEAP: u8 = 3;
/// The class of accesses that no lane runs.
const IDLE: u8 = CHEAP + 2;
/// Share of the SIMD executions below which a pattern is shown with its share.
const MOSTLY: f64 = 0.9;
/// Efficiency below which an access is marked.
const POOR: f64 = 0.75;

pub(super) fn render(page: &mut Page, facts: &Facts, source: Option<&SourceFile>) {
    let ranked = ranked(facts);
    if ranked.is_empty() {
        return;
    }
    let verbose = page.options.verbose;
    let title = if verbose {
        "Accesses, costliest first"
    } else {
        "Accesses that cost most"
    };
    page.blank();
    page.line(format!(
        "{}{}",
        paint(HEADING, format!("{title:<31}")),
        paint(
            QUIET,
            format!(
                "{:<PATTERN$}{:>13}  {:>6}  {:>9}",
                "pattern", "lines (ideal)", "used", "moved"
            )
        )
    ));
    let shown = if verbose {
        ranked.len()
    } else {
        ranked
            .iter()
            .filter(|access| class(facts, access) < CHEAP)
            .count()
            .min(MOST)
    };
    let mut formulas = Formulas::of(&ranked, page.options.width.saturating_sub(FORMULA));
    let mut last_line = None;
    for access in ranked.iter().take(shown) {
        if last_line != Some(access.location.line) {
            source_line(page, source, access.location.line);
            last_line = Some(access.location.line);
        }
        page.line(row(access));
        if verbose {
            details(page, access, &mut formulas);
        }
    }
    page.rest(ranked.len(), shown);
}

/// By bytes of the launch, or turns of workgroup memory where that binds; where those are unknown, by
/// sectors of one execution and loop depth. Workgroup memory without conflicts and uniforms come late,
/// what never runs last.
fn ranked(facts: &Facts) -> Vec<&AccessFacts> {
    let mut all: Vec<&AccessFacts> = facts.accesses.iter().collect();
    all.sort_by(|a, b| {
        class(facts, a)
            .cmp(&class(facts, b))
            .then_with(|| cost(b).total_cmp(&cost(a)))
            .then_with(|| b.loop_depth.cmp(&a.loop_depth))
            .then_with(|| sectors(b).total_cmp(&sectors(a)))
    });
    all
}

fn class(facts: &Facts, access: &AccessFacts) -> u8 {
    let shared_binds = facts.prediction.bound == Some(Resource::Shared);
    match access.space {
        _ if access.basis == Basis::NeverRuns => IDLE,
        Space::Workgroup if shared_binds => 0,
        Space::Storage | Space::Texture if shared_binds => 1,
        Space::Storage | Space::Texture => 0,
        Space::Workgroup if access.bank_degree.is_some_and(|degree| degree > 1.0) => 1,
        Space::Private => 2,
        Space::Workgroup => CHEAP,
        Space::Uniform => CHEAP + 1,
    }
}

/// A key for ranking alone: what is unknown sorts last and is still shown as unknown.
fn cost(access: &AccessFacts) -> f64 {
    let total = access.total.as_ref().or(access.at_least.as_ref());
    total
        .map(|total| total.bytes)
        .or(access.bank_wavefronts)
        .unwrap_or(f64::NEG_INFINITY)
}

fn sectors(access: &AccessFacts) -> f64 {
    let traffic = access.traffic.as_ref().map(|traffic| traffic.sectors);
    traffic.unwrap_or(f64::INFINITY)
}

fn source_line(page: &mut Page, source: Option<&SourceFile>, line: u32) {
    let text = source.and_then(|source| source.text.get(source.line_range(line)?));
    if let Some(text) = text {
        let width = page.options.width.saturating_sub(8);
        page.line(format!(
            "{} {}",
            paint(QUIET, format!("{line:>5} |")),
            cut(text.trim(), width)
        ));
    }
}

fn row(access: &AccessFacts) -> String {
    let name = access.member.as_ref().map_or_else(
        || access.variable.clone(),
        |member| format!("{}.{member}", access.variable),
    );
    let width = access
        .bytes_per_lane
        .map_or_else(|| "? B".to_owned(), |bytes| format!("{bytes} B"));
    let operation = access.operation.name();
    let room = WHAT.saturating_sub(columns(operation) + columns(&width) + 4);
    let what = format!("{operation} {}, {width}", cut(&name, room));
    let name = access.pattern.name();
    let pattern = match (access.pattern_share, access.stride_bytes) {
        (Some(share), _) if share < MOSTLY => format!("{name} {:.0} %", share * 100.0),
        (_, Some(stride)) if name == "strided" => format!("strided {stride} B"),
        _ => name.to_owned(),
    };
    format!(
        "        {what:<WHAT$} {:<PATTERN$}{}",
        cut(&pattern, PATTERN - 1),
        price(access)
    )
}

/// Lines against ideal, efficiency and bytes; bank conflicts for workgroup memory.
fn price(access: &AccessFacts) -> String {
    if access.executions.value == Some(0.0) {
        return "never runs at this launch".to_owned();
    }
    if access.space == Space::Uniform {
        return "counted apart, as uniform".to_owned();
    }
    if access.space == Space::Workgroup {
        return access.bank_degree.map_or_else(
            || "bank conflicts unknown".to_owned(),
            |degree| match degree > 1.0 {
                true => paint(
                    BAD,
                    format!("{}-way conflict{}", count(degree), turns(access)),
                ),
                false => format!("no bank conflict{}", turns(access)),
            },
        );
    }
    let Some(traffic) = &access.traffic else {
        return format!("{:<21}  {:>9}", unseen(access.basis), moved(access))
            .trim_end()
            .to_owned();
    };
    let lines = format!(
        "{} ({})",
        count(traffic.transactions),
        count(traffic.ideal_transactions)
    );
    let efficiency = format!("{:>6}", percent(traffic.efficiency));
    let efficiency = if traffic.efficiency < POOR {
        paint(BAD, efficiency)
    } else {
        efficiency
    };
    format!("{lines:>13}  {efficiency}  {:>9}", moved(access))
}

/// Turns that the banks of workgroup memory take for the launch.
fn turns(access: &AccessFacts) -> String {
    access
        .bank_wavefronts
        .map_or_else(String::new, |turns| format!(", {} turns", count(turns)))
}

/// Why there are no lines to show.
fn unseen(basis: Basis) -> &'static str {
    match basis {
        Basis::Data => "lines depend on data",
        Basis::NeverRuns => "never runs",
        Basis::NotReached => "not reached (assumed)",
        Basis::TooManyCases => "too many cases",
        Basis::NotCounted | Basis::Counted => "lines not counted",
    }
}

/// Bytes of the launch, or the least that they can be.
fn moved(access: &AccessFacts) -> String {
    let least = access.at_least.as_ref().filter(|least| least.bytes > 0.0);
    match (&access.total, least) {
        (Some(total), _) => bytes(total.bytes),
        (None, Some(least)) => format!("≥ {}", bytes(least.bytes)),
        (None, None) => "unknown".to_owned(),
    }
}

fn details<'a>(page: &mut Page, access: &'a AccessFacts, formulas: &mut Formulas<'a>) {
    let address = formulas.write(&access.address);
    page.wrapped("          address ", 18, 12, &address);
    let executions = formulas.write(&access.executions.formula);
    page.wrapped("          executions ", FORMULA, 12, &executions);
    if let Some(share) = access.pattern_share.filter(|&share| share < 1.0) {
        let text = format!(
            "varies: {} in {} of the SIMD executions; lines are the mean over all",
            access.pattern.name(),
            percent(share)
        );
        page.wrapped("          pattern ", 18, 12, &text);
    }
    if access.basis == Basis::NotReached {
        let text = "no lane runs it at the values that stand in for what is not set";
        page.wrapped("          not reached: ", 23, 12, text);
    }
    if let Some(assumes) = &access.assumes {
        page.wrapped("          assumes ", 18, 12, assumes);
    }
    let calls: Vec<String> = (access.location.call_chain.iter())
        .map(|call| format!("{} at {}:{}", call.function, call.line, call.column))
        .collect();
    if !calls.is_empty() {
        page.wrapped("          called as ", 20, 12, &calls.join(", "));
    }
}
