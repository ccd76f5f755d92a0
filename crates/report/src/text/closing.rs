//! The closing summary of several entry points: how many were analysed, which were not, and why.

use super::page::{Page, plural};
use crate::document::{Counts, Document, Entry, FileReport, Outcome};

pub(super) fn render(page: &mut Page, document: &Document, first: &mut bool) {
    let counts = document.counts();
    if document.files.len() == 1 && counts.analysed + counts.refused <= 1 {
        return;
    }
    super::separate(page, first);
    page.line(summary(counts, document.files.len()));
    for file in &document.files {
        for reason in reasons(file) {
            page.wrapped("  - ", 4, 4, &reason);
        }
    }
}

fn summary(counts: Counts, files: usize) -> String {
    let mut parts = vec![format!(
        "{} in {}: {} analysed",
        plural(counts.analysed + counts.refused, "entry point"),
        plural(files, "file"),
        counts.analysed
    )];
    if counts.refused > 0 {
        parts.push(format!("{} refused", counts.refused));
    }
    if counts.failed_files > 0 {
        parts.push(format!(
            "{} without a module",
            plural(counts.failed_files, "file")
        ));
    }
    if counts.skipped_files > 0 {
        parts.push(format!(
            "{} passed over",
            plural(counts.skipped_files, "file")
        ));
    }
    parts.join(", ")
}

/// Why a file, or entry points of it, were not analysed.
fn reasons(file: &FileReport) -> Vec<String> {
    match &file.outcome {
        Outcome::Kernels(entries) => entries
            .iter()
            .filter_map(|entry| match entry {
                Entry::Kernel(_) => None,
                Entry::Refused(failure) => Some(format!(
                    "{} › {}: {}",
                    file.name, failure.entry, failure.message
                )),
            })
            .collect(),
        Outcome::Invalid(error) => vec![format!("{}: {error}", file.name)],
        Outcome::Unreadable(message) | Outcome::Skipped(message) => {
            vec![format!("{}: {message}", file.name)]
        }
    }
}
