//! From source, launch and machine to [`Facts`].
//!
//! This crate joins the front end, the symbolic engine, occupancy and prediction; it judges nothing
//! (rules do) and shows nothing (reports do). It does no I/O. Start at [`analyze`]; facts of one
//! entry point come together in `assemble`.

mod accesses;
mod assemble;
mod bounds;
mod buffers;
mod control;
mod demand;
mod derive;
mod facts;
mod layouts;
mod locate;
mod member;
mod options;
mod request;
mod rows;
mod stand_ins;
mod traffic;
mod value_type;
mod values;

pub use facts::*;
pub use request::{EntryFailure, FileAnalysis, Request, Symbols, analyze};
pub use value_type::ValueType;
