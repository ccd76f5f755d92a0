//! What can be wrong with a machine file. Every [`Error`] says where, what, and how to get out of it.

use std::ops::Range;

use crate::schema::SCHEMA;

/// A fault of a machine file. Its text finishes “failed to load the machine: …”.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {problem}; {}", problem.help())]
pub struct Error {
    /// The file, as the caller named it.
    pub file: String,
    /// 1-based line.
    pub line: usize,
    /// 1-based column, in characters.
    pub column: usize,
    /// Bytes of the text that the fault is about, for underlining it.
    pub span: Range<usize>,
    /// What is wrong.
    pub problem: Box<Problem>,
}

/// What is wrong with a machine file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// Not TOML.
    #[error("{message}")]
    Syntax {
        /// What the TOML parser says.
        message: String,
    },
    /// `schema` names another schema.
    #[error("unknown schema `{found}`")]
    UnknownSchema {
        /// What the file says.
        found: String,
    },
    /// `schema`, `id` or `name` is missing or empty.
    #[error("`{key}` is missing or empty")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A key that the schema does not have.
    #[error("unknown key `{key}`")]
    UnknownKey {
        /// Dotted key as written.
        key: String,
        /// The key that was probably meant, dotted.
        nearest: Option<String>,
        /// The keys that are possible in this place.
        possible: Vec<String>,
    },
    /// A value of another type.
    #[error("`{key}` must be {expected}, not {found}")]
    WrongType {
        /// Dotted key.
        key: String,
        /// What the schema wants.
        expected: &'static str,
        /// What the file has.
        found: &'static str,
    },
    /// Zero, negative, infinite or not a number.
    #[error("`{key}` must be finite and above zero, not {found}")]
    NotPositive {
        /// Dotted key.
        key: String,
        /// What the file has.
        found: String,
    },
    /// A whole number beyond what the field can hold.
    #[error("`{key}` is at most {maximum}, not {found}")]
    TooLarge {
        /// Dotted key.
        key: String,
        /// What the file has.
        found: String,
        /// The largest value that the field holds.
        maximum: u64,
    },
    /// A SIMD width that no GPU has.
    #[error("`simd_width` must be a power of two from 1 to 128, not {found}")]
    SimdWidth {
        /// What the file has.
        found: String,
    },
    /// None of the fields that say anything about a kernel.
    #[error("the machine has no fields")]
    Empty,
    /// A field written as a table without `value`.
    #[error("`{key}` has no `value`")]
    NoValue {
        /// Dotted key.
        key: String,
    },
    /// A word that is not a provenance.
    #[error("unknown provenance `{found}`")]
    UnknownProvenance {
        /// What the file says.
        found: String,
        /// The word that was probably meant.
        nearest: Option<String>,
    },
    /// A source key that `sources` lacks.
    #[error("source `{found}` is not in `sources`")]
    UnknownSource {
        /// What the file says.
        found: String,
        /// The key that was probably meant.
        nearest: Option<String>,
    },
    /// A datasheet value that cites nothing.
    #[error("`{key}` is from a datasheet but names no source")]
    NoSource {
        /// Dotted key.
        key: String,
    },
}

/// The fewest fields with which a kernel can be placed on the roofline.
const LEAST: [&str; 3] = [
    "simd_width",
    "compute.f32_flop_per_second",
    "dram.bytes_per_second",
];

impl Problem {
    /// A way out, as one sentence without a full stop.
    pub fn help(&self) -> String {
        match self {
            Problem::Syntax { .. } => "a machine file is TOML (toml.io)".to_owned(),
            Problem::UnknownSchema { .. } => format!("write `schema = \"{SCHEMA}\"`"),
            Problem::Missing { key: "schema" } => {
                format!("write `schema = \"{SCHEMA}\"` at the top of the file")
            }
            Problem::Missing { key } => format!("write `{key} = \"…\"` at the top of the file"),
            Problem::UnknownKey {
                nearest, possible, ..
            } => nearest.as_ref().map_or_else(
                || format!("possible here: {}", possible.join(", ")),
                |nearest| format!("did you mean `{nearest}`?"),
            ),
            Problem::WrongType { key, expected, .. } => wrong_type_help(key, expected),
            Problem::NotPositive { .. } => "leave the key out when the value is unknown".to_owned(),
            Problem::SimdWidth { .. } => {
                "lanes of one subgroup: 32 on NVIDIA, 32 or 64 on AMD, 8 to 32 on Intel".to_owned()
            }
            Problem::Empty => format!("give at least {}", LEAST.join(", ")),
            Problem::TooLarge { .. } => "check the unit that the key ends in".to_owned(),
            Problem::NoValue { key } => {
                format!("write `{key} = {{ value = …, provenance = \"…\", source = \"…\" }}`")
            }
            Problem::UnknownProvenance { nearest, .. } => nearest.as_ref().map_or_else(
                || "write `measured`, `datasheet` or `assumed`".to_owned(),
                |nearest| format!("did you mean `{nearest}`?"),
            ),
            Problem::UnknownSource { found, nearest } => nearest.as_ref().map_or_else(
                || format!("add `{found} = \"document, table, year\"` under `[sources]`"),
                |nearest| format!("did you mean `{nearest}`?"),
            ),
            Problem::NoSource { .. } => {
                "add `source` with a key of `[sources]`, or write `provenance = \"assumed\"`"
                    .to_owned()
            }
        }
    }
}

fn wrong_type_help(key: &str, expected: &str) -> String {
    match expected {
        TABLE => format!("write `[{key}]` and its keys below"),
        STRING => format!("put the value of `{key}` in quotes"),
        _ => "write a bare number in the SI unit that the key ends in, such as `504e9`".to_owned(),
    }
}

pub(crate) const TABLE: &str = "a table";
pub(crate) const STRING: &str = "a string";
pub(crate) const NUMBER: &str = "a number";
pub(crate) const INTEGER: &str = "a whole number";
