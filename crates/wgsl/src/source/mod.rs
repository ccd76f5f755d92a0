//! The text side of the front end: from the bytes of a file to a validated naga module.
//!
//! What is read is what browsers *or* naga accept. Where naga refuses what browsers take, the module is
//! brought into a form that naga validates (by masking with spaces, so that byte spans stay true, or on
//! naga's module), and a [`PortabilityNote`] says so. What neither takes is a [`SourceError`] with
//! labelled spans.
//!
//! Invariants: nothing here reads files or prints; every span is a byte range of
//! [`SourceFile::text`]; a fault of the source, however broken, is an error and not a panic.
//!
//! Start at [`parse`], or at [`Source`] when the language is not known. [`lexer`] and [`rewrite`] are for
//! whoever changes WGSL text, [`layout`] describes the structures of a module.

mod directive;
mod error;
mod file;
mod formats;
mod guard;
mod layout;
pub mod lexer;
mod nesting;
mod parse;
mod pointer;
mod portability;
pub mod rewrite;
mod template;
mod uniform;

pub use error::{Label, OtherEntry, Problem, SourceError};
pub use file::SourceFile;
pub use formats::{Source, parse_any, parse_glsl, parse_spirv};
pub use layout::{MemberLayout, StructLayout, layout};
pub use parse::{Language, Parsed, parse};
pub use portability::{PortabilityNote, PortabilitySeverity};
