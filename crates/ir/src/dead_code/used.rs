//! What code refers to, and what of the prologue that leaves.

use crate::instruction::{Block, Instruction, Kind, Operand, OverrideId, VariableId};
use crate::kernel::Kernel;
use crate::visit::{for_each_read, for_each_write};

use super::needs::{Need, Needs};

/// What is needed of the prologue: what fills variables that the body uses, and what computes
/// overrides that it reads. Nothing branches there, and registers are written once.
pub(super) fn needs_of_prologue(kernel: &Kernel) -> Needs {
    let mut used = Used::of(kernel, &kernel.body);
    let mut needs = Vec::with_capacity(kernel.prologue.len());
    for instruction in kernel.prologue.iter().rev() {
        let stays = match &instruction.kind {
            Kind::Store { access, .. } => {
                used.variables[kernel.access(*access).variable.0 as usize]
            }
            kind => {
                let mut written = false;
                for_each_write(kind, |register| {
                    written |= used.registers[register.0 as usize];
                });
                written
            }
        };
        if stays {
            used.add(kernel, &instruction.kind);
        }
        needs.push(Need::all_or_nothing(stays));
    }
    Needs::new(needs)
}

/// The variables, overrides and registers that some code uses.
pub(super) struct Used {
    pub(super) variables: Vec<bool>,
    pub(super) overrides: Vec<bool>,
    registers: Vec<bool>,
}

impl Used {
    pub(super) fn of(kernel: &Kernel, block: &Block) -> Self {
        let mut used = Used {
            variables: vec![false; kernel.variables.len()],
            overrides: vec![false; kernel.overrides.len()],
            registers: vec![false; kernel.registers.len()],
        };
        used.add_block(kernel, block);
        used
    }

    pub(super) fn add_block(&mut self, kernel: &Kernel, block: &[Instruction]) {
        for instruction in block {
            self.add(kernel, &instruction.kind);
            for inner in crate::visit::nested(&instruction.kind) {
                self.add_block(kernel, inner);
            }
        }
    }

    fn add(&mut self, kernel: &Kernel, kind: &Kind) {
        for_each_variable(kernel, kind, |variable| {
            self.variables[variable.0 as usize] = true
        });
        for_each_read(kernel, kind, |operand| self.add_operand(kernel, operand));
    }

    fn add_operand(&mut self, kernel: &Kernel, operand: Operand) {
        match operand {
            Operand::Register(register) => self.registers[register.0 as usize] = true,
            Operand::Override(OverrideId(id)) => {
                let known = std::mem::replace(&mut self.overrides[id as usize], true);
                if let (false, Some(computed)) = (known, kernel.overrides[id as usize].computed) {
                    self.add_operand(kernel, computed);
                }
            }
            Operand::Constant(_) | Operand::Builtin(_) => {}
        }
    }
}

/// Calls `visit` with every variable that an instruction refers to.
pub(super) fn for_each_variable(kernel: &Kernel, kind: &Kind, mut visit: impl FnMut(VariableId)) {
    match kind {
        Kind::Load { access, .. } | Kind::Store { access, .. } | Kind::Atomic { access, .. } => {
            visit(kernel.access(*access).variable);
        }
        Kind::Texture {
            access, sampler, ..
        } => {
            visit(kernel.access(*access).variable);
            sampler.iter().copied().for_each(visit);
        }
        Kind::ArrayLength { variable, .. } => visit(*variable),
        _ => {}
    }
}
