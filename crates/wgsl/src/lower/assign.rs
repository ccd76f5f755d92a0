//! Assignment of a fresh value to a variable's registers without copies.
//!
//! The operations that computed a value which nothing but the assignment reads may as well write
//! the variable itself: `acc = acc + x` is one addition, not an addition and a copy.

use cresta_ir::{Instruction, Kind, Operand, Register};
use naga::{Expression, Handle};

use super::frame::{Frame, Scope};
use super::state::Lowerer;
use super::value::Leaves;

impl<'a> Lowerer<'a> {
    /// Assigns the value of an expression to the registers from `first` on.
    pub(super) fn assign(
        &mut self,
        frame: &Frame<'a>,
        value: Handle<Expression>,
        first: u32,
        leaves: Leaves,
    ) {
        if !self.is_read_once(frame, value) || !self.redirect(first, leaves) {
            self.write_registers(first, leaves);
        }
    }

    /// Whether the value was computed by the last instructions and nothing else reads it.
    fn is_read_once(&self, frame: &Frame<'a>, value: Handle<Expression>) -> bool {
        match &frame.scope {
            Scope::Function { info, .. } => {
                frame.fresh == Some((value, self.emitted())) && info[value].ref_count == 1
            }
            Scope::Module => false,
        }
    }

    /// Makes the last instructions write the registers from `first` on; false if they do not
    /// compute exactly these leaves, or read what would be overwritten.
    fn redirect(&mut self, first: u32, leaves: Leaves) -> bool {
        let sources = self.slice(leaves).to_vec();
        if let Some(Instruction {
            kind: Kind::Load { targets, .. },
            ..
        }) = self.block.last_mut()
        {
            let loaded = targets.iter().flatten().copied().map(Operand::Register);
            if !loaded.eq(sources.iter().copied()) {
                return false;
            }
            *targets = (first..)
                .take(sources.len())
                .map(|n| Some(Register(n)))
                .collect();
            return true;
        }
        let Some(start) = self.block.len().checked_sub(sources.len()) else {
            return false;
        };
        let last = &mut self.block[start..];
        for (index, (instruction, source)) in last.iter().zip(&sources).enumerate() {
            let Kind::Compute {
                target, arguments, ..
            } = &instruction.kind
            else {
                return false;
            };
            let written = first..first + index as u32;
            let reads_written = arguments.iter().any(|argument| {
                matches!(argument, Operand::Register(Register(number)) if written.contains(number))
            });
            if Operand::Register(*target) != *source || reads_written {
                return false;
            }
        }
        for (number, instruction) in (first..).zip(last) {
            if let Kind::Compute { target, .. } = &mut instruction.kind {
                *target = Register(number);
            }
        }
        true
    }
}
