//! What ends the command with exit code 2.

use std::path::PathBuf;

/// Bad usage, or something that cannot be read or written. Faults of shaders are part of a report
/// instead.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file that the command cannot do without could not be read.
    #[error("failed to read {}: {reason}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        reason: std::io::Error,
    },
    /// The report could not be written.
    #[error("failed to write {to}: {reason}")]
    Write {
        /// File name, or `standard output`.
        to: String,
        /// What the operating system says.
        reason: std::io::Error,
    },
    /// A machine that is neither built in nor a file.
    #[error("no machine is called `{name}`{}", did_you_mean(.suggestions))]
    UnknownMachine {
        /// What was asked for.
        name: String,
        /// Built-in machines that may have been meant.
        suggestions: Vec<String>,
    },
    /// A machine file with a fault, drawn with its source.
    #[error("{0}")]
    Drawn(String),
    /// Names in `--set`, `--override` or `--len` that nothing analysed knows, and values that their
    /// types do not have.
    #[error("{}", .0.join("\n"))]
    Names(Vec<String>),
    /// A rule code that does not exist.
    #[error("{0} (`cresta explain` lists all codes)")]
    UnknownCode(#[from] cresta_rules::UnknownCode),
    /// Options that do not go together, or an amount out of range.
    #[error("{0}")]
    Usage(String),
}

fn did_you_mean(names: &[String]) -> String {
    if names.is_empty() {
        return "; `cresta machines` lists them, and a file is named by its path".to_owned();
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("; did you mean {}?", quoted.join(" or "))
}
