//! Removal of what nothing uses.
//!
//! What goes: pure instructions, loads, texture reads and subgroup operations whose results nothing
//! needs, and branches with nothing left in them. What stays: stores, atomics, barriers, jumps and
//! loops. Of a load only the components that something needs are left.
//!
//! A result is needed if an instruction that stays reads it before it is written again, along some
//! path (`needs`). Afterwards the tables are cut down to what is left, and registers are numbered in
//! the order in which they first appear (`renumber`).
//!
//! Start at [`eliminate_dead_code`].

mod needs;
mod renumber;
#[cfg(test)]
mod tests;
mod used;

use crate::instruction::{Block, Instruction, Kind, Register};
use crate::kernel::Kernel;

use needs::Needs;

/// Removes instructions whose results nothing uses, then everything in the kernel's tables that
/// nothing refers to.
///
/// Takes time about linear in the number of instructions; nested loops are walked a few times.
pub fn eliminate_dead_code(kernel: &mut Kernel) {
    let needs = needs::of_body(kernel);
    let mut body = std::mem::take(&mut kernel.body);
    Sweep::new(&needs).block(&mut body);
    kernel.body = body;

    let needs = used::needs_of_prologue(kernel);
    let mut prologue = std::mem::take(&mut kernel.prologue);
    Sweep::new(&needs).block(&mut prologue);
    kernel.prologue = prologue;

    renumber::renumber(kernel);
}

/// Removes what is not needed, visiting instructions in the order in which [`Needs`] numbers them.
struct Sweep<'n> {
    needs: &'n Needs,
    next: usize,
}

impl<'n> Sweep<'n> {
    fn new(needs: &'n Needs) -> Self {
        Sweep { needs, next: 0 }
    }

    /// Sweeps a block from its end to its beginning.
    fn block(&mut self, block: &mut Block) {
        block.reverse();
        block.retain_mut(|instruction| self.instruction(instruction));
        block.reverse();
    }

    /// Sweeps an instruction; whether it stays.
    fn instruction(&mut self, instruction: &mut Instruction) -> bool {
        match &mut instruction.kind {
            Kind::If { accept, reject, .. } => {
                self.block(accept);
                self.block(reject);
            }
            Kind::Switch { cases, .. } => {
                for case in cases {
                    self.block(&mut case.body);
                }
            }
            Kind::Loop {
                body, continuing, ..
            } => {
                self.block(continuing);
                self.block(body);
            }
            Kind::Block { body, .. } => self.block(body),
            _ => {}
        }
        let need = self.needs.of(self.next);
        self.next += 1;
        match &mut instruction.kind {
            Kind::Load { targets, .. } | Kind::Texture { targets, .. } => {
                for (index, target) in targets.iter_mut().enumerate() {
                    forget(target, need.result(index));
                }
            }
            Kind::Atomic {
                target, exchanged, ..
            } => {
                forget(target, need.result(0));
                forget(exchanged, need.result(1));
            }
            _ => {}
        }
        need.stays()
    }
}

fn forget(target: &mut Option<Register>, needed: bool) {
    if !needed {
        *target = None;
    }
}
