//! The way in: one file, one launch, one machine.

use std::collections::{BTreeMap, BTreeSet};

use cresta_model::launch::Launch;
use cresta_model::machine::Machine;
use cresta_wgsl::source::{Parsed, Source, SourceError, SourceFile};
use rayon::prelude::*;

use crate::assemble;
use crate::facts::{Facts, Location};
use crate::locate::Locator;
use crate::value_type::ValueType;

/// What to analyse with.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Only this entry point; all of them when absent.
    pub entry: Option<&'a str>,
    /// The machine.
    pub machine: &'a Machine,
    /// The launch.
    pub launch: &'a Launch,
    /// Registers of one invocation, when the person knows them.
    pub registers: Option<u32>,
    /// SIMD width in place of the machine's.
    pub simd_width: Option<u32>,
}

/// An entry point that could not be analysed.
#[derive(Clone, Debug)]
pub struct EntryFailure {
    /// Name of the entry point.
    pub entry: String,
    /// Where it is declared.
    pub location: Option<Location>,
    /// Why.
    pub message: String,
    /// A way out.
    pub help: Option<String>,
}

/// Names that a launch may give values to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Symbols {
    /// Parameters and data-dependent unknowns (`--set`), with their types.
    pub values: BTreeMap<String, ValueType>,
    /// Overrides, by name and by `@id` (`--override`), with their types.
    pub overrides: BTreeMap<String, ValueType>,
    /// Variables that are or end in a runtime-sized array (`--len`).
    pub lengths: BTreeSet<String>,
}

impl Symbols {
    /// Adds the names of another file or entry point.
    pub fn extend(&mut self, other: &Symbols) {
        let own = |(name, ty): (&String, &ValueType)| (name.clone(), *ty);
        self.values.extend(other.values.iter().map(own));
        self.overrides.extend(other.overrides.iter().map(own));
        self.lengths.extend(other.lengths.iter().cloned());
    }
}

/// What came out of one file.
#[derive(Debug)]
pub struct FileAnalysis {
    /// The source, for showing lines of it; `None` for SPIR-V.
    pub source: Option<SourceFile>,
    /// One result for each entry point, in source order.
    pub kernels: Vec<Result<Facts, EntryFailure>>,
    /// Names that the file's entry points know.
    pub symbols: Symbols,
}

/// Analyses every entry point of a file (or the one that is asked for), on all cores.
///
/// Overrides in the launch that the file does not declare are passed over, so that one launch can
/// serve many files; [`FileAnalysis::symbols`] tells which names are known.
///
/// # Errors
///
/// When the text cannot be read as a module at all. An entry point that does not exist is the one
/// failure among the kernels.
pub fn analyze(
    name: &str,
    bytes: Vec<u8>,
    request: &Request<'_>,
) -> Result<FileAnalysis, SourceError> {
    let source = Source::recognise(name, bytes)?;
    let parsed = source.parse()?;
    let text = source.text_file();
    let locator = Locator::new(text, parsed.language);
    let mut analysis = FileAnalysis {
        source: text.cloned(),
        kernels: Vec::new(),
        symbols: Symbols::default(),
    };
    add_overrides(&parsed, &mut analysis.symbols);
    let entries = cresta_wgsl::entry_points(&parsed.module);
    let is_wanted = |name: &str| request.entry.is_none_or(|wanted| wanted == name);
    let analysed: Vec<_> = entries
        .par_iter()
        .filter(|entry| is_wanted(&entry.name))
        .map(|entry| {
            let mut symbols = Symbols::default();
            let kernel = assemble::facts(name, &parsed, entry, &locator, request, &mut symbols);
            (kernel, symbols)
        })
        .collect();
    for (kernel, symbols) in analysed {
        analysis.kernels.push(kernel);
        analysis.symbols.extend(&symbols);
    }
    if let (Some(wanted), true) = (request.entry, analysis.kernels.is_empty()) {
        let known: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        analysis.kernels.push(Err(EntryFailure {
            entry: wanted.to_owned(),
            location: None,
            message: format!("there is no compute entry point `{wanted}`"),
            help: Some(format!("the file has: {}", known.join(", "))),
        }));
    }
    Ok(analysis)
}

fn add_overrides(parsed: &Parsed, symbols: &mut Symbols) {
    let types = cresta_wgsl::override_types(&parsed.module).into_iter();
    symbols
        .overrides
        .extend(types.map(|(name, scalar)| (name, ValueType::Scalar(scalar))));
}
