//! What can go wrong between the bytes of a file and a validated module, in a form that a renderer
//! can draw under the source: a message, labelled byte ranges, causes, notes.

use std::error::Error;
use std::ops::Range;

/// A byte range of the source with what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Byte range of [`SourceFile::text`](super::SourceFile::text).
    pub span: Range<usize>,
    /// What is written under it; may be empty.
    pub text: String,
}

/// A fault that the front end found in a program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Problem {
    /// The fault in one sentence.
    pub message: String,
    /// Why, from the outermost cause to the root.
    pub causes: Vec<String>,
    /// Where; the first is the primary place. Empty when there is no source text.
    pub labels: Vec<Label>,
    /// What else helps: rules, and ways out.
    pub notes: Vec<String>,
}

impl Problem {
    /// A problem with a message and one place.
    pub(super) fn at(message: impl Into<String>, span: Range<usize>, label: &str) -> Self {
        Self {
            message: message.into(),
            labels: vec![Label {
                span,
                text: label.to_owned(),
            }],
            ..Self::default()
        }
    }

    /// Collects the messages of `error` and of everything that caused it.
    pub(super) fn from_chain(error: &dyn Error) -> Self {
        let mut causes = Vec::new();
        let mut current = error.source();
        while let Some(cause) = current {
            causes.push(cause.to_string());
            current = cause.source();
        }
        Self {
            message: error.to_string(),
            causes,
            ..Self::default()
        }
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)?;
        self.causes
            .iter()
            .try_for_each(|cause| write!(formatter, ": {cause}"))
    }
}

/// An entry point that is not a compute kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherEntry {
    /// Its name.
    pub name: String,
    /// Its stage, as a word: `vertex`, `fragment`, …
    pub stage: &'static str,
}

/// Why a file gives no module to analyse.
///
/// Line and column are 1-based; columns count characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// The bytes are not UTF-8.
    #[error("the source is not UTF-8 at byte {offset} (line {line}): {way_out}")]
    Encoding {
        /// First byte that is not part of a UTF-8 character.
        offset: usize,
        /// Line that the byte is on.
        line: u32,
        /// What to do about it.
        way_out: &'static str,
    },
    /// There is no program in the text.
    #[error("{}", if *.comments_only { "the source holds only comments" } else { "the source is empty" })]
    Empty {
        /// Whether there are comments.
        comments_only: bool,
    },
    /// The text is a template that has to be expanded to become WGSL.
    #[error("line {line}, column {column}: `{marker}` is not WGSL: {way_out}")]
    Template {
        /// The text that gave it away, such as `#import` or `{{`.
        marker: String,
        /// Where it stands.
        span: Range<usize>,
        /// Line of the marker.
        line: u32,
        /// Column of the marker.
        column: u32,
        /// What to do about it.
        way_out: &'static str,
    },
    /// The file is in a language that is not read.
    #[error("`.{extension}` files are not read: pass WGSL, a GLSL compute shader or SPIR-V")]
    Language {
        /// Extension of the file, without the dot.
        extension: String,
    },
    /// Expressions or `else if` chains nest so deeply that neither browsers nor naga take them, or a
    /// function is so long that naga would not come back soon.
    #[error("failed to parse: {0}")]
    Nesting(Box<Problem>),
    /// The text does not parse or resolve.
    #[error("failed to parse: {0}")]
    Parse(Box<Problem>),
    /// The module breaks a rule of the language.
    #[error("failed to validate: {0}")]
    Validate(Box<Problem>),
    /// naga itself failed on the input; the message is its own.
    #[error("naga stopped at an internal fault while reading this source: {message}")]
    FrontEnd {
        /// What naga said.
        message: String,
    },
    /// The module is valid and has no compute entry point.
    #[error("the module has no `@compute` entry point; {}", describe_entries(.found))]
    NoComputeEntry {
        /// The entry points that it has, in order.
        found: Vec<OtherEntry>,
    },
}

impl SourceError {
    /// A stable code for reports.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Encoding { .. } => "source-encoding",
            Self::Empty { .. } => "source-empty",
            Self::Template { .. } => "source-template",
            Self::Language { .. } => "source-language",
            Self::Nesting(_) => "source-nesting",
            Self::Parse(_) => "source-parse",
            Self::Validate(_) => "source-validate",
            Self::FrontEnd { .. } => "source-front-end",
            Self::NoComputeEntry { .. } => "source-no-compute-entry",
        }
    }

    /// The details with labels, for the variants that have them.
    pub fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Nesting(problem) | Self::Parse(problem) | Self::Validate(problem) => {
                Some(problem)
            }
            _ => None,
        }
    }

    /// The primary place in the source text, where there is one.
    pub fn primary_span(&self) -> Option<Range<usize>> {
        match self {
            Self::Template { span, .. } => Some(span.clone()),
            _ => Some(self.problem()?.labels.first()?.span.clone()),
        }
    }
}

fn describe_entries(found: &[OtherEntry]) -> String {
    if found.is_empty() {
        return "it has no entry points at all".to_owned();
    }
    let entries: Vec<String> = found
        .iter()
        .map(|entry| format!("`{}` ({})", entry.name, entry.stage))
        .collect();
    format!("found {}", entries.join(", "))
}
