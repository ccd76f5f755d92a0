//! Register pressure by liveness.
//!
//! A register is live where its value may still be read. The most 32-bit registers live at once are
//! the fewest that could hold the kernel's values without spilling; where no driver tells the real
//! number, this is the estimate.
//!
//! # What is counted
//!
//! Every live register counts one, 64-bit ones two. Booleans and `f16` count one each. Every
//! component of a built-in value that the kernel uses counts one from start to end, because hardware
//! hands them over in registers. At an instruction both what is live before it and what it writes
//! count, but a result may take the place of an argument that is read for the last time.
//!
//! # What is ignored
//!
//! - The driver's scheduling, which hoists loads to hide latency (more registers) or sinks values to
//!   their uses (fewer), and the unrolling that goes with it.
//! - Registers for addresses, buffer descriptors, loop predicates and call frames, and temporaries
//!   within one operation such as a division.
//! - Packing of two `f16` into one register, predicates for booleans, alignment of wide loads, and
//!   uniform values that some hardware keeps in scalar registers.
//! - Private memory: an array with run-time indices may take registers on some hardware.
//!
//! Start at [`register_pressure`]; the walk is in `backward`.

mod backward;
mod bit_set;

pub(crate) use bit_set::BitSet;

use crate::kernel::{Kernel, SpanId};
use crate::visit;

/// Estimate of the 32-bit registers one invocation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterPressure {
    /// The most 32-bit registers that are live at once.
    pub registers: u32,
    /// The first instruction at which as many are; none when no register ever holds a value.
    pub at: Option<SpanId>,
}

/// Estimates register pressure, in time about linear in the number of instructions.
pub fn register_pressure(kernel: &Kernel) -> RegisterPressure {
    let peak = backward::Walk::new(kernel).run();
    RegisterPressure {
        registers: peak.registers + visit::builtins(kernel),
        at: peak.at,
    }
}
