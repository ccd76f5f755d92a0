//! What rules return: diagnostics, levers, and what they took for granted.
//!
//! Start at [`Findings`].

use cresta_analysis::Location;
use cresta_model::prediction::Resource;

/// How bad a finding is; later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; costs little, or its cost is not known.
    Note,
    /// Costs time, or fails on devices with default limits.
    Warning,
    /// The program is invalid.
    Error,
}

impl Severity {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A further place that a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub location: Location,
    /// What is there.
    pub text: String,
}

/// Something to say about a place in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Code of the rule.
    pub code: &'static str,
    /// How bad.
    pub severity: Severity,
    /// Where.
    pub location: Location,
    /// Further places.
    pub labels: Vec<Label>,
    /// What, in one line.
    pub message: String,
    /// What else there is to know, each in one line.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
}

/// An optimisation, with what it is predicted to gain.
#[derive(Clone, Debug, PartialEq)]
pub struct Lever {
    /// Code of the rule.
    pub code: &'static str,
    /// Place in the order of levers by the size they tend to have, 1–7: (1) do not compute it,
    /// (2) fuse passes, (3) fewer bytes an element, (4) access pattern, (5) tile, (6) workgroup size
    /// and occupancy, (7) arithmetic.
    pub step: u8,
    /// What to do, in a few words.
    pub title: String,
    /// Time before over time after; `None` where the prediction cannot tell.
    pub gain: Option<f64>,
    /// The least it may gain, where a range is known.
    pub gain_low: Option<f64>,
    /// The most it may gain, where a range is known.
    pub gain_high: Option<f64>,
    /// The resource it relieves.
    pub resource: Option<Resource>,
    /// False where something known says that it gains nothing. A lever of unknown gain that nothing
    /// speaks against is worth trying, and so it is true.
    pub pays: bool,
    /// Why it pays, why it does not, or why the gain is unknown and what would settle it.
    pub why: String,
    /// Where, when it is one place.
    pub location: Option<Location>,
}

/// Everything the rules found about one kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// Diagnostics in source order; at one place the worst first.
    pub diagnostics: Vec<Diagnostic>,
    /// Levers: those that pay, by gain; then those of unknown gain; then those that do not pay.
    pub levers: Vec<Lever>,
    /// What a rule could not judge, and what would settle it.
    pub assumptions: Vec<String>,
}

impl Findings {
    /// Puts diagnostics and levers in the order that [`Findings`] promises.
    pub(crate) fn sort(&mut self) {
        self.diagnostics.sort_by(|a, b| {
            let place = |finding: &Diagnostic| (finding.location.line, finding.location.column);
            (place(a).cmp(&place(b)))
                .then(b.severity.cmp(&a.severity))
                .then(a.code.cmp(b.code))
        });
        self.levers.sort_by(|a, b| {
            let rank = |lever: &Lever| (!lever.pays, lever.gain.is_none());
            let gain = |lever: &Lever| lever.gain.unwrap_or(1.0);
            (rank(a).cmp(&rank(b)))
                .then(gain(b).total_cmp(&gain(a)))
                .then(a.step.cmp(&b.step))
                .then(a.code.cmp(b.code))
        });
    }
}
