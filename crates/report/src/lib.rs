//! Reports: the versioned schema and the renderers, one a file.
//!
//! A renderer takes a [`Document`]: files, facts and findings. It prints nothing; the command line
//! does. Invariants: a renderer drops no failure and no unknown; a number that nobody knows is
//! shown as unknown, never as zero; nothing is clamped. Start at [`Document`], then
//! [`text::render`] for people and [`schema::Report`] for programs.

mod document;
pub mod json;
pub mod number;
pub mod reference;
pub mod schema;
pub mod text;

pub use document::{Counts, Document, Entry, FileReport, KernelReport, Outcome};

/// Code of an entry point that could not be analysed.
pub const REFUSED: &str = "entry-refused";
/// Code of a file that could not be read.
pub const UNREADABLE: &str = "file-unreadable";
