//! What a renderer gets: machine, files, and for each entry point its facts and findings.
//!
//! A file that could not be read and an entry point that could not be analysed are part of the
//! document, so that no renderer can drop them. Start at [`Document`].

use cresta_analysis::{EntryFailure, Facts, FileAnalysis};
use cresta_model::machine::Machine;
use cresta_rules::{Findings, Severity};
use cresta_wgsl::source::{SourceError, SourceFile};

/// Everything that one run of `analyze` found out.
#[derive(Debug)]
pub struct Document {
    /// The machine.
    pub machine: Machine,
    /// Why this machine, in words that follow its name: `the default`, `named by --machine`.
    pub machine_reason: String,
    /// Files in the order in which they are shown.
    pub files: Vec<FileReport>,
}

/// One file.
#[derive(Debug)]
pub struct FileReport {
    /// Name as the person gave it.
    pub name: String,
    /// Source text, for showing lines of it; `None` for SPIR-V and for files that are not text.
    pub source: Option<SourceFile>,
    /// What came out.
    pub outcome: Outcome,
}

/// What came out of one file.
#[derive(Debug)]
pub enum Outcome {
    /// A module; one entry for each kernel, in source order.
    Kernels(Vec<Entry>),
    /// No module.
    Invalid(SourceError),
    /// No bytes: the file could not be read.
    Unreadable(String),
    /// One of several files, and of no concern: it holds no kernel, or not the one asked for. Why,
    /// in words. Not a failure.
    Skipped(String),
}

/// One entry point.
#[derive(Debug)]
pub enum Entry {
    /// Analysed.
    Kernel(Box<KernelReport>),
    /// Not analysed, which counts as an error finding.
    Refused(EntryFailure),
}

/// Facts of a kernel and what the rules make of them.
#[derive(Debug)]
pub struct KernelReport {
    /// What is known.
    pub facts: Facts,
    /// What it means.
    pub findings: Findings,
}

impl FileReport {
    /// Runs the rules over every kernel of a file.
    pub fn from_analysis(name: impl Into<String>, analysis: FileAnalysis) -> Self {
        let entries = analysis.kernels.into_iter().map(|kernel| match kernel {
            Ok(facts) => {
                let findings = cresta_rules::check(&facts);
                Entry::Kernel(Box::new(KernelReport { facts, findings }))
            }
            Err(failure) => Entry::Refused(failure),
        });
        FileReport {
            name: name.into(),
            outcome: Outcome::Kernels(entries.collect()),
            source: analysis.source,
        }
    }
}

/// How many entry points went which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Entry points with facts.
    pub analysed: usize,
    /// Entry points without.
    pub refused: usize,
    /// Files without a module or without readable bytes.
    pub failed_files: usize,
    /// Files that were passed over.
    pub skipped_files: usize,
}

impl Document {
    /// Kernels in the order in which they are shown.
    pub fn kernels(&self) -> impl Iterator<Item = (&FileReport, &KernelReport)> {
        self.files.iter().flat_map(|file| {
            let entries = match &file.outcome {
                Outcome::Kernels(entries) => entries.as_slice(),
                Outcome::Invalid(_) | Outcome::Unreadable(_) | Outcome::Skipped(_) => &[],
            };
            entries.iter().filter_map(move |entry| match entry {
                Entry::Kernel(kernel) => Some((file, kernel.as_ref())),
                Entry::Refused(_) => None,
            })
        })
    }

    /// Totals for the closing line and the exit code.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for file in &self.files {
            match &file.outcome {
                Outcome::Kernels(entries) => {
                    for entry in entries {
                        match entry {
                            Entry::Kernel(_) => counts.analysed += 1,
                            Entry::Refused(_) => counts.refused += 1,
                        }
                    }
                }
                Outcome::Invalid(_) | Outcome::Unreadable(_) => counts.failed_files += 1,
                Outcome::Skipped(_) => counts.skipped_files += 1,
            }
        }
        counts
    }

    /// The worst severity of anything found; whatever could not be analysed is an error.
    pub fn worst(&self) -> Option<Severity> {
        let counts = self.counts();
        let failure = (counts.refused + counts.failed_files > 0).then_some(Severity::Error);
        self.kernels()
            .flat_map(|(_, kernel)| &kernel.findings.diagnostics)
            .map(|diagnostic| diagnostic.severity)
            .chain(failure)
            .max()
    }
}
