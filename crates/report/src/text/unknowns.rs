//! What is unknown, and the flag that settles it.

use super::page::{HEADING, Page, QUIET, columns, paint, plural};
use crate::document::KernelReport;
use crate::schema::all_assumptions;

/// Unknowns shown on one screen.
const MOST: usize = 5;

pub(super) fn render(page: &mut Page, kernel: &KernelReport) {
    let facts = &kernel.facts;
    let verbose = page.options.verbose;
    if !facts.unknowns.is_empty() {
        page.heading("Unknown, and what settles it");
        let shown = if verbose { facts.unknowns.len() } else { MOST };
        for unknown in facts.unknowns.iter().take(shown) {
            let first = format!("  {}", paint(HEADING, &unknown.name));
            page.wrapped(
                &format!("{first}  "),
                columns(&unknown.name) + 4,
                6,
                &match unknown.settle.as_str() {
                    "" => unknown.meaning.clone(),
                    settle => format!("{}: {settle}", unknown.meaning),
                },
            );
        }
        page.rest(facts.unknowns.len(), shown);
    }
    let count = all_assumptions(kernel).len();
    if count > 0 && !verbose {
        page.blank();
        page.line(paint(
            QUIET,
            format!(
                "{} (--verbose lists them and every sum)",
                plural(count, "assumption")
            ),
        ));
    }
}
