//! What is known at one point of the code.

use crate::instruction::{Register, VariableId};
use crate::kernel::{Kernel, SpanId};
use crate::liveness::BitSet;

/// What may be non-uniform at one point of the code. States only grow from one pass over a loop to
/// the next, so that the passes end.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Why control flow is non-uniform, when it is.
    pub(super) control: Option<SpanId>,
    registers: BitSet,
    private: BitSet,
}

impl State {
    /// The state on entry: control is uniform, and registers and private memory hold zeros.
    pub(super) fn entry(kernel: &Kernel) -> Self {
        State {
            control: None,
            registers: BitSet::new(kernel.registers.len()),
            private: BitSet::new(kernel.variables.len()),
        }
    }

    pub(super) fn register(&self, register: Register) -> bool {
        self.registers.contains(register.0)
    }

    /// Assigns a register; whatever is assigned under non-uniform control is non-uniform.
    pub(super) fn assign(&mut self, register: Register, non_uniform: bool) {
        if non_uniform || self.control.is_some() {
            self.registers.insert(register.0);
        } else {
            self.registers.remove(register.0);
        }
    }

    pub(super) fn private(&self, variable: VariableId) -> bool {
        self.private.contains(variable.0)
    }

    /// Stores to a part of a private variable: what it held before stays possible.
    pub(super) fn store_private(&mut self, variable: VariableId, non_uniform: bool) {
        if non_uniform || self.control.is_some() {
            self.private.insert(variable.0);
        }
    }

    /// Makes this what holds when control comes from here or from there; whether it grew.
    pub(super) fn join(&mut self, other: &State) -> bool {
        let control = self.control.or(other.control);
        let mut grown = control.is_some() != self.control.is_some();
        self.control = control;
        grown |= self.registers.union(&other.registers);
        grown | self.private.union(&other.private)
    }
}

/// Joins a state into a place that control may not have reached before.
pub(super) fn join_into(place: &mut Option<State>, more: Option<State>) {
    match (place.as_mut(), more) {
        (Some(state), Some(more)) => {
            state.join(&more);
        }
        (None, more) => *place = more,
        (Some(_), None) => {}
    }
}
