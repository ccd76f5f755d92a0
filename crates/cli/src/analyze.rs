//! `cresta analyze`: files in parallel, reports in order, one exit code.

use cresta_analysis::{Request, Symbols};
use cresta_model::launch::Launch;
use cresta_report::{Document, Entry, FileReport, Outcome, json, text};
use cresta_rules::Severity;
use cresta_wgsl::source::SourceError;
use rayon::prelude::*;

use crate::Status;
use crate::arguments::{AnalyzeArguments, FailOn, Format};
use crate::error::Error;
use crate::files::{self, Input};
use crate::launch;
use crate::machine_choice;
use crate::names;
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
    let (mut files, symbols): (Vec<FileReport>, Vec<Option<Symbols>>) = inputs
        .par_iter()
        .map(|input| file_report(input, &request))
        .unzip();
    check_names(&launch, symbols.iter().flatten())?;
    if files.len() > 1
        && let Some(entry) = &arguments.entry
    {
        pass_over_files_without(entry, &mut files);
    }
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

/// What came out of one file, and the names that it knows if it is a module.
fn file_report(input: &Input, request: &Request<'_>) -> (FileReport, Option<Symbols>) {
    let report = |source, outcome| FileReport {
        name: input.name.clone(),
        source,
        outcome,
    };
    let bytes = match input.read() {
        Ok(bytes) => bytes,
        Err(reason) => return (report(None, Outcome::Unreadable(reason)), None),
    };
    let source = files::source(&input.name, &bytes);
    match cresta_analysis::analyze(&input.name, bytes, request) {
        Ok(analysis) => {
            let symbols = analysis.symbols.clone();
            (
                FileReport::from_analysis(&input.name, analysis),
                Some(symbols),
            )
        }
        Err(error) if !input.is_named() && is_of_no_concern(&error) => {
            (report(source, Outcome::Skipped(error.to_string())), None)
        }
        Err(error) => (report(source, Outcome::Invalid(error)), None),
    }
}

/// Refuses names that no file knows, and values that their types do not have. Where no file is a
/// module, nothing can be said about names.
fn check_names<'a>(launch: &Launch, files: impl Iterator<Item = &'a Symbols>) -> Result<(), Error> {
    let Some(known) = files.cloned().reduce(|mut all, symbols| {
        all.extend(&symbols);
        all
    }) else {
        return Ok(());
    };
    let mut complaints = names::complaints("--set", &launch.values, &known.values);
    complaints.extend(names::complaints(
        "--override",
        &launch.overrides,
        &known.overrides,
    ));
    complaints.extend(launch.lengths.keys().filter_map(|name| {
        names::unknown("--len", name, known.lengths.iter().map(String::as_str))
    }));
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(Error::Names(complaints))
    }
}

/// With `--entry` and several files, those that lack the entry point are no failures, as long as
/// one has it.
fn pass_over_files_without(entry: &str, files: &mut [FileReport]) {
    let lacks = |file: &FileReport| match &file.outcome {
        Outcome::Kernels(entries) => entries
            .iter()
            .all(|of| matches!(of, Entry::Refused(failure) if failure.location.is_none())),
        _ => false,
    };
    let has = |file: &FileReport| matches!(file.outcome, Outcome::Kernels(_)) && !lacks(file);
    if files.iter().any(has) {
        for file in files.iter_mut().filter(|file| lacks(file)) {
            file.outcome = Outcome::Skipped(format!("there is no compute entry point `{entry}`"));
        }
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
