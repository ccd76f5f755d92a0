//! From source, launch and machine to [`Facts`].
//!
//! This crate joins the front end, the symbolic engine, occupancy and prediction; it judges nothing
//! (rules do) and shows nothing (reports do). It does no I/O. Start at [`analyze`].

mod facts;
mod request;

pub use facts::*;
pub use request::{EntryFailure, FileAnalysis, Request, analyze};
