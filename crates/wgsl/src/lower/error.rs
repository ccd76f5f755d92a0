//! What can keep a kernel from being lowered, and what is left out of one that was.

use cresta_ir::SourceSpan;

/// A failure to lower an entry point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LowerError {
    /// There is no such entry point.
    #[error(
        "there is no compute entry point {wanted}; the module has: {}",
        list(known)
    )]
    UnknownEntryPoint {
        /// The name or index asked for, as a person would write it.
        wanted: String,
        /// Names of the compute entry points.
        known: Vec<String>,
    },
    /// A value was given for an override that does not exist.
    #[error("there is no override `{name}`; the module has: {}", list(known))]
    UnknownOverride {
        /// The name or identifier that the caller gave.
        name: String,
        /// Every name and identifier that would have been understood.
        known: Vec<String>,
    },
    /// A value given for an override does not fit its type.
    #[error("override `{name}` of type {ty} cannot hold the value {value}")]
    OverrideOutOfRange {
        /// Name of the override.
        name: String,
        /// Its type.
        ty: &'static str,
        /// The value given.
        value: f64,
    },
    /// An override that sizes something has no value.
    #[error(
        "override `{name}` sets {sizes} but has no value; give one with `--override {name}=VALUE`"
    )]
    MissingOverride {
        /// Name of the override, or its `@id`.
        name: String,
        /// What it sizes.
        sizes: String,
    },
    /// A size came out as something that is not a positive 32-bit number.
    #[error("{sizes} is {value}, which is not a positive 32-bit number")]
    InvalidSize {
        /// What was to be sized.
        sizes: String,
        /// The value, as text.
        value: String,
    },
    /// A size is an expression that Cresta does not evaluate.
    #[error("{sizes} is given by an expression that Cresta cannot evaluate")]
    UnevaluatedSize {
        /// What was to be sized.
        sizes: String,
    },
    /// Inlining gives more instructions than the limit.
    #[error("inlining every call gives more than {limit} instructions")]
    TooLarge {
        /// The limit.
        limit: usize,
    },
    /// Blocks and calls nest deeper than is handled.
    #[error("blocks and calls nest more than {limit} deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

/// Something in a kernel that Cresta does not model; the rest of the kernel was lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedNote {
    /// What it is, as a noun phrase.
    pub what: String,
    /// Where it is; its `call` refers to the calls of the kernel it came with.
    pub span: SourceSpan,
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
