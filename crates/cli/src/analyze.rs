//! `cresta analyze`: files in parallel, reports in order, one exit code.

use cresta_analysis::Request;
use cresta_report::{Document, FileReport, Outcome, json, text};
use cresta_rules::Severity;
use cresta_wgsl::source::SourceError;
use rayon::prelude::*;

use crate::Status;
use crate::arguments::{AnalyzeArguments, FailOn, Format};
use crate::error::Error;
use crate::files::{self, Input};
use crate::launch;
use crate::machine_choice;
use crate::output;

pub(crate) fn run(arguments: &AnalyzeArguments) -> Result<Status, Error> {
    let choice = machine_choice::choose(arguments.machine.machine.as_deref())?;
    let launch = launch::launch(&arguments.launch)?;
    let request = Request {
        entry: arguments.entry.as_deref(),
        machine: &choice.machine,
        launch: &launch,
        registers: arguments.registers,
        simd_width: arguments.simd,
    };
    let inputs = files::collect(&arguments.paths);
    let files: Vec<FileReport> = inputs
        .par_iter()
        .map(|input| file_report(input, &request))
        .collect();
    let document = Document {
        machine: choice.machine.clone(),
        machine_reason: choice.reason,
        files,
    };
    let shown = match arguments.output.format {
        Format::Json => json::render(&document),
        Format::Text => text::render(&document, output::text_options(arguments.verbose)),
    };
    output::write(&arguments.output, &shown)?;
    Ok(status(&document, arguments.fail_on))
}

fn file_report(input: &Input, request: &Request<'_>) -> FileReport {
    let bytes = match input.read() {
        Ok(bytes) => bytes,
        Err(reason) => {
            return FileReport {
                name: input.name.clone(),
                source: None,
                outcome: Outcome::Unreadable(reason),
            };
        }
    };
    let source = files::source(&input.name, &bytes);
    match cresta_analysis::analyze(&input.name, bytes, request) {
        Ok(analysis) => FileReport::from_analysis(&input.name, analysis),
        Err(error) => FileReport {
            name: input.name.clone(),
            source,
            outcome: if !input.is_named() && is_of_no_concern(&error) {
                Outcome::Skipped(error)
            } else {
                Outcome::Invalid(error)
            },
        },
    }
}

/// Whether a file of a folder may hold no kernel for a good reason.
fn is_of_no_concern(error: &SourceError) -> bool {
    matches!(
        error,
        SourceError::NoComputeEntry { .. } | SourceError::Empty { .. }
    )
}

fn status(document: &Document, fail_on: FailOn) -> Status {
    if document.counts().analysed == 0 {
        return Status::Unusable;
    }
    let threshold = match fail_on {
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Note => Severity::Note,
    };
    if document.worst().is_some_and(|worst| worst >= threshold) {
        Status::Findings
    } else {
        Status::Fine
    }
}
