//! The command as a person runs it: what it says, and with which exit code.

mod analyze;
mod bad_input;
mod explain;
mod machines;
mod occupancy;
mod support;
mod width;
