//! Machine descriptions as data: the schema `cresta-machine/1`, its loader and writer, and the
//! machines that Cresta brings along.
//!
//! Everything about hardware is a TOML file; a new GPU never needs new code. Invariants:
//! - a field that nobody knows is absent, never zero and never a guess without the word `assumed`;
//! - every field that has a value has a [`FieldOrigin`](cresta_model::machine::FieldOrigin) under its
//!   dotted key, and the reverse;
//! - a value is finite and above zero, in the SI unit that its key ends in;
//! - [`parse`] of [`to_toml`] gives back the same machine.
//!
//! Start at [`parse`] for files, [`builtin`] for the built-in machines, [`fields`] for showing them.
//! The one list of fields is in the module `schema`; everything else here is driven by it.

mod builtin;
mod document;
mod error;
mod parse;
mod schema;
mod view;
mod write;

pub use builtin::{builtin, builtins, suggest};
pub use error::{Error, Problem};
pub use parse::parse;
pub use schema::{Quantity, SCHEMA};
pub use view::{FieldView, fields};
pub use write::to_toml;
