//! What pays, ranked by gain; what will do nothing, and why.

use std::cmp::Ordering;

use cresta_rules::{Findings, Lever};

use super::page::{GOOD, Page, QUIET, columns, paint};
use crate::number::factor;

/// Levers shown on one screen, of each kind.
const MOST: usize = 5;
/// Columns of the gain.
const GAIN: usize = 11;

pub(super) fn render(page: &mut Page, findings: &Findings) {
    let (paying, idle): (Vec<&Lever>, Vec<&Lever>) =
        findings.levers.iter().partition(|lever| lever.pays);
    let (mut known, unknown): (Vec<&Lever>, Vec<&Lever>) =
        paying.into_iter().partition(|lever| key(lever).is_some());
    known.sort_by(|a, b| {
        let gains = key(b).zip(key(a)).map(|(b, a)| b.total_cmp(&a));
        gains.unwrap_or(Ordering::Equal).then(a.step.cmp(&b.step))
    });
    list(page, "What pays", &known, true);
    list(page, "What may pay", &unknown, false);
    list(page, "What will do nothing", &idle, false);
}

/// The gain to rank by: the gain itself, else the least or the most it may be.
fn key(lever: &Lever) -> Option<f64> {
    lever.gain.or(lever.gain_low).or(lever.gain_high)
}

fn list(page: &mut Page, title: &str, levers: &[&Lever], pays: bool) {
    if levers.is_empty() {
        return;
    }
    page.heading(title);
    let shown = if page.options.verbose {
        levers.len()
    } else {
        MOST
    };
    for lever in levers.iter().take(shown) {
        let gain = gain(lever);
        let width = columns(&gain).max(GAIN);
        let padding = " ".repeat(width - columns(&gain));
        let styled = paint(if pays { GOOD } else { QUIET }, &gain);
        page.wrapped(
            &format!("  {styled}{padding}"),
            2 + width,
            2 + GAIN,
            &format!("{} [{}]: {}", lever.title, lever.code, lever.why),
        );
    }
    page.rest(levers.len(), shown);
}

fn gain(lever: &Lever) -> String {
    match (lever.gain, lever.gain_low, lever.gain_high) {
        (Some(_), Some(low), Some(high)) if differ(low, high) => {
            format!("{low:.1}–{}", short(high))
        }
        (Some(gain), _, _) => factor(gain),
        (None, Some(low), Some(high)) => format!("{low:.1}–{}", short(high)),
        (None, None, Some(high)) => format!("≤ {}", factor(high)),
        (None, Some(low), None) => format!("≥ {}", factor(low)),
        (None, None, None) => "unknown".to_owned(),
    }
}

/// Whether a range is one when both ends are shown.
fn differ(low: f64, high: f64) -> bool {
    format!("{low:.1}") != format!("{high:.1}")
}

fn short(high: f64) -> String {
    format!("{high:.1}×")
}
