//! The walk: abstract interpretation of a kernel.
//!
//! Registers hold `Value`s. A branch runs both sides and merges what they
//! wrote; a loop is first run once to see how its registers change (`loops`), then again with
//! closed forms of the iteration to record regions. `frames` keeps conditions and exits.
//!
//! Start at [`walk`]; instructions are dispatched in `execute`.

mod arithmetic;
mod branches;
mod execute;
mod forms;
mod frames;
mod layout;
mod loops;
mod memory;
mod recorded;
mod recurrence;
mod room;
mod settle;
mod state;
mod wrap;

pub use state::{Options, walk};
