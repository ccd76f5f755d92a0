//! The report for a person at a terminal.
//!
//! One screen for a typical kernel, in this order: what and where; what binds; time by resource;
//! the accesses that cost most; findings; what pays; what will do nothing; what is unknown. With
//! [`Options::verbose`], the sums behind it. Styles are ANSI escapes; whoever prints strips them.
//! Start at [`render`].

mod accesses;
mod ascii;
mod bars;
mod closing;
mod findings;
mod formulas;
mod levers;
mod occupancy;
mod page;
mod snippets;
mod title;
mod unknowns;
mod verbose;
mod verdict;

pub use occupancy::occupancy;
pub use page::{Options, wrap};
pub use snippets::{entry_refused, fault, source_error, unreadable};

use page::Page;

use crate::document::{Document, Entry, FileReport, KernelReport, Outcome};

/// The whole document, with a closing summary where more than one entry point was asked for.
pub fn render(document: &Document, options: Options) -> String {
    let mut page = Page::new(options);
    let mut first = true;
    for file in &document.files {
        match &file.outcome {
            Outcome::Kernels(entries) => {
                for entry in entries {
                    separate(&mut page, &mut first);
                    render_entry(&mut page, document, file, entry);
                }
            }
            Outcome::Invalid(error) => {
                separate(&mut page, &mut first);
                page.line(source_error(&file.name, file.source.as_ref(), error));
            }
            Outcome::Unreadable(message) => {
                separate(&mut page, &mut first);
                page.line(unreadable(&file.name, message));
            }
            Outcome::Skipped(_) => {}
        }
    }
    closing::render(&mut page, document, &mut first);
    page.finish()
}

fn separate(page: &mut Page, first: &mut bool) {
    if !std::mem::take(first) {
        page.blank();
    }
}

fn render_entry(page: &mut Page, document: &Document, file: &FileReport, entry: &Entry) {
    match entry {
        Entry::Kernel(kernel) => render_kernel(page, document, file, kernel),
        Entry::Refused(failure) => {
            page.line(entry_refused(&file.name, file.source.as_ref(), failure));
        }
    }
}

fn render_kernel(page: &mut Page, document: &Document, file: &FileReport, kernel: &KernelReport) {
    let source = file.source.as_ref();
    title::render(page, &kernel.facts, &document.machine_reason);
    verdict::render(page, &kernel.facts);
    bars::render(page, &kernel.facts);
    accesses::render(page, &kernel.facts, source);
    findings::render(page, &file.name, source, &kernel.findings);
    levers::render(page, &kernel.findings);
    unknowns::render(page, kernel);
    if page.options.verbose {
        verbose::render(page, kernel);
    }
}
