//! Findings, levers, failures and unknowns, as reports tell them.

use schemars::JsonSchema;
use serde::Serialize;

/// An optimisation and what it would gain.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Lever {
    /// Code of the rule; `cresta explain CODE` tells more.
    pub code: String,
    /// 1–7 in the order of the size that levers tend to have: compute less, fuse, fewer bytes,
    /// access pattern, tile, occupancy, arithmetic.
    pub step: u8,
    /// What to do.
    pub title: String,
    /// Old over new predicted time; null where unknown.
    pub gain: Option<f64>,
    /// The least that it may gain.
    pub gain_low: Option<f64>,
    /// The most that it may gain.
    pub gain_high: Option<f64>,
    /// The resource that it relieves.
    pub resource: Option<String>,
    /// Whether it pays.
    pub pays: bool,
    /// Why it pays, or why it does nothing.
    pub why: String,
    /// File of the span.
    pub file: String,
    /// 1-based line, where the lever is about one place.
    pub line: Option<u32>,
    /// 1-based column.
    pub column: Option<u32>,
}

/// One finding of a rule.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Diagnostic {
    /// Code of the rule.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// File of the span.
    pub file: String,
    /// 1-based line; 0 when the source has no positions (SPIR-V).
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// What was found.
    pub message: String,
    /// What else helps to understand it.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A file or an entry point that could not be analysed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Failure {
    /// The file.
    pub file: String,
    /// The entry point; null where the whole file failed.
    pub entry: Option<String>,
    /// Stable code of the fault.
    pub code: String,
    /// Always `error`.
    pub severity: String,
    /// 1-based line, where there is one.
    pub line: Option<u32>,
    /// 1-based column, in characters.
    pub column: Option<u32>,
    /// What went wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Something that is not known, and what would settle it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Unknown {
    /// The symbol as it stands in formulas, or a phrase.
    pub name: String,
    /// What it is.
    pub meaning: String,
    /// The flag, or the other action, that settles it.
    pub settle: String,
}
