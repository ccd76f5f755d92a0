//! The way in: one file, one launch, one machine.

use cresta_model::launch::Launch;
use cresta_model::machine::Machine;
use cresta_wgsl::source::{SourceError, SourceFile};

use crate::facts::{Facts, Location};

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

/// What came out of one file.
#[derive(Debug)]
pub struct FileAnalysis {
    /// The source, for showing lines of it; `None` for SPIR-V.
    pub source: Option<SourceFile>,
    /// One result for each entry point, in source order.
    pub kernels: Vec<Result<Facts, EntryFailure>>,
}

/// Analyses every entry point of a file (or the one that is asked for).
///
/// # Errors
///
/// When the text cannot be read as a module at all, or the entry point asked for does not exist.
pub fn analyze(
    name: &str,
    bytes: Vec<u8>,
    request: &Request<'_>,
) -> Result<FileAnalysis, SourceError> {
    todo!("{name} {bytes:?} {request:?}")
}
