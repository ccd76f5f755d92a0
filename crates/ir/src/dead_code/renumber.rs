//! Cuts a kernel's tables down to what its code refers to.
//!
//! Variables and overrides keep their order; registers, accesses and spans are numbered in the order
//! in which they appear, prologue first.

use crate::instruction::{
    AccessId, Address, Block, Instruction, Kind, Operand, OverrideId, Register, VariableId,
};
use crate::kernel::{Kernel, SpanId};

use super::used::Used;

/// New numbers for old ones, handed out on first sight.
struct Numbers {
    new: Vec<u32>,
    old: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Numbers {
    fn new(count: usize) -> Self {
        Numbers {
            new: vec![NONE; count],
            old: Vec::new(),
        }
    }

    /// Numbers for the marked entries, in order.
    fn marked(marks: &[bool]) -> Self {
        let mut numbers = Numbers::new(marks.len());
        for (old, _) in (0..).zip(marks).filter(|&(_, &marked)| marked) {
            numbers.get(old);
        }
        numbers
    }

    fn get(&mut self, old: u32) -> u32 {
        let new = &mut self.new[old as usize];
        if *new == NONE {
            *new = self.old.len() as u32;
            self.old.push(old);
        }
        *new
    }

    /// The entries of a table that have new numbers, in their order.
    fn pick<T: Clone>(&self, table: &[T]) -> Vec<T> {
        let picked = self.old.iter().map(|&old| table[old as usize].clone());
        picked.collect()
    }
}

/// Renumbers everything and drops what nothing refers to.
pub(super) fn renumber(kernel: &mut Kernel) {
    let mut used = Used::of(kernel, &kernel.body);
    used.add_block(kernel, &kernel.prologue);
    let mut tables = Tables {
        variables: Numbers::marked(&used.variables),
        overrides: Numbers::marked(&used.overrides),
        registers: Numbers::new(kernel.registers.len()),
        accesses: Numbers::new(kernel.accesses.len()),
        spans: Numbers::new(kernel.spans.len()),
    };
    let mut prologue = std::mem::take(&mut kernel.prologue);
    let mut body = std::mem::take(&mut kernel.body);
    tables.block(&mut prologue, kernel);
    tables.block(&mut body, kernel);
    kernel.prologue = prologue;
    kernel.body = body;
    kernel.overrides = tables.overrides.pick(&kernel.overrides);
    for overridden in &mut kernel.overrides {
        if let Some(computed) = &mut overridden.computed {
            tables.operand(computed);
        }
    }
    kernel.variables = tables.variables.pick(&kernel.variables);
    kernel.registers = tables.registers.pick(&kernel.registers);
    kernel.accesses = tables.accesses.pick(&kernel.accesses);
    kernel.spans = tables.spans.pick(&kernel.spans);
}

struct Tables {
    variables: Numbers,
    overrides: Numbers,
    registers: Numbers,
    accesses: Numbers,
    spans: Numbers,
}

impl Tables {
    fn block(&mut self, block: &mut Block, kernel: &mut Kernel) {
        for Instruction { kind, span } in block {
            self.span(span);
            self.instruction(kind, kernel);
            match kind {
                Kind::If { accept, reject, .. } => {
                    self.block(accept, kernel);
                    self.block(reject, kernel);
                }
                Kind::Switch { cases, .. } => {
                    for case in cases {
                        self.block(&mut case.body, kernel);
                    }
                }
                Kind::Loop {
                    body,
                    continuing,
                    break_if,
                    ..
                } => {
                    self.block(body, kernel);
                    self.block(continuing, kernel);
                    self.operands(break_if);
                }
                Kind::Block { body, .. } => self.block(body, kernel),
                _ => {}
            }
        }
    }

    /// Everything in an instruction but its blocks, and what a loop reads after those.
    fn instruction(&mut self, kind: &mut Kind, kernel: &mut Kernel) {
        match kind {
            Kind::Compute {
                target, arguments, ..
            } => {
                self.operands(arguments);
                self.register(target);
            }
            Kind::Copy { target, source } => {
                self.operand(source);
                self.register(target);
            }
            Kind::ArrayLength {
                target,
                variable,
                binding_index,
            } => {
                self.variable(variable);
                self.operands(binding_index);
                self.register(target);
            }
            Kind::Load { targets, access } => {
                self.access(access, kernel);
                self.registers(targets.iter_mut().flatten());
            }
            Kind::Store { values, access } => {
                self.operands(values);
                self.access(access, kernel);
            }
            Kind::Atomic {
                target,
                exchanged,
                value,
                compare,
                access,
                ..
            } => {
                self.operand(value);
                self.operands(compare);
                self.access(access, kernel);
                self.registers(target.iter_mut().chain(exchanged));
            }
            Kind::Subgroup {
                targets, arguments, ..
            }
            | Kind::Unsupported {
                targets, arguments, ..
            } => {
                self.operands(arguments);
                self.registers(targets);
            }
            Kind::Texture {
                coordinates,
                layer,
                level,
                extra,
                sampler,
                values,
                targets,
                access,
                ..
            } => {
                self.operands(coordinates);
                self.operands(layer.iter_mut().chain(level));
                self.operands(extra.iter_mut().chain(values));
                sampler
                    .iter_mut()
                    .for_each(|sampler| self.variable(sampler));
                self.access(access, kernel);
                self.registers(targets.iter_mut().flatten());
            }
            Kind::If { condition, .. } => self.operand(condition),
            Kind::Switch { selector, .. } => self.operand(selector),
            Kind::Barrier(_)
            | Kind::MemoryBarrier(_)
            | Kind::Loop { .. }
            | Kind::Block { .. }
            | Kind::Break(_)
            | Kind::Continue(_)
            | Kind::Return => {}
        }
    }

    /// Renumbers an access's identifier, and on first sight the access itself.
    fn access(&mut self, id: &mut AccessId, kernel: &mut Kernel) {
        let seen = self.accesses.new[id.0 as usize] != NONE;
        let new = self.accesses.get(id.0);
        if !seen {
            let access = &mut kernel.accesses[id.0 as usize];
            self.variable(&mut access.variable);
            self.operands(&mut access.binding_index);
            let Address { terms, .. } = &mut access.address;
            self.operands(terms.iter_mut().map(|term| &mut term.index));
            self.span(&mut access.span);
        }
        id.0 = new;
    }

    fn operands<'o>(&mut self, operands: impl IntoIterator<Item = &'o mut Operand>) {
        operands
            .into_iter()
            .for_each(|operand| self.operand(operand));
    }

    fn operand(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Override(OverrideId(id)) => *id = self.overrides.get(*id),
            Operand::Constant(_) | Operand::Builtin(_) => {}
        }
    }

    fn registers<'r>(&mut self, registers: impl IntoIterator<Item = &'r mut Register>) {
        registers
            .into_iter()
            .for_each(|register| self.register(register));
    }

    fn register(&mut self, register: &mut Register) {
        register.0 = self.registers.get(register.0);
    }

    fn variable(&mut self, variable: &mut VariableId) {
        variable.0 = self.variables.get(variable.0);
    }

    fn span(&mut self, span: &mut SpanId) {
        span.0 = self.spans.get(span.0);
    }
}
