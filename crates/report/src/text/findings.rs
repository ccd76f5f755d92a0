//! Findings: errors and warnings under their source, notes by name.

use cresta_rules::{Diagnostic, Findings, Severity};
use cresta_wgsl::source::SourceFile;

use super::page::{Page, QUIET, plural};
use super::snippets;

/// Warnings drawn on one screen; the others take a line each.
const MOST_WARNINGS: usize = 2;

pub(super) fn render(
    page: &mut Page,
    name: &str,
    source: Option<&SourceFile>,
    findings: &Findings,
) {
    let verbose = page.options.verbose;
    let of = |severity: Severity| {
        findings
            .diagnostics
            .iter()
            .filter(move |diagnostic| diagnostic.severity == severity)
            .collect::<Vec<_>>()
    };
    let warnings = of(Severity::Warning);
    let (drawn, listed) = warnings.split_at(if verbose {
        warnings.len()
    } else {
        warnings.len().min(MOST_WARNINGS)
    });
    for diagnostic in of(Severity::Error).iter().chain(drawn) {
        page.blank();
        page.line(snippets::diagnostic(name, source, diagnostic));
    }
    if !listed.is_empty() {
        page.blank();
    }
    for diagnostic in listed {
        page.paragraph(
            0,
            &format!(
                "warning[{}]: {}{}",
                diagnostic.code,
                diagnostic.message,
                place(diagnostic)
            ),
        );
    }
    notes(page, name, source, &of(Severity::Note));
}

fn notes(page: &mut Page, name: &str, source: Option<&SourceFile>, notes: &[&Diagnostic]) {
    if notes.is_empty() {
        return;
    }
    if page.options.verbose {
        for diagnostic in notes {
            page.blank();
            page.line(snippets::diagnostic(name, source, diagnostic));
        }
        return;
    }
    let names: Vec<String> = notes
        .iter()
        .map(|diagnostic| format!("{}{}", diagnostic.code, place(diagnostic)))
        .collect();
    page.blank();
    page.styled_paragraph(
        QUIET,
        0,
        &format!(
            "{}: {} (--verbose shows them)",
            plural(notes.len(), "note"),
            names.join(", ")
        ),
    );
}

fn place(diagnostic: &Diagnostic) -> String {
    match diagnostic.location.line {
        0 => String::new(),
        line => format!(" (line {line})"),
    }
}
