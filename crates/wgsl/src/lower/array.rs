//! Arrays by value.
//!
//! A load of an array is put off: the value stays where it is, and an element is loaded when the
//! array is indexed. When something may be written before the value's last use, the array is copied
//! at once instead: into registers when it is small, else into private memory.
//!
//! An array in registers that is indexed at run time goes to private memory first. When it is made
//! of constants it becomes a private variable that nothing writes but the kernel's prologue, once:
//! a table. Arrays too long to spell out are copied and zeroed by loops.
//!
//! Start at [`Lowerer::load_array`].

use cresta_ir::{Instruction, Kind, Operand, Operation, Register, Scalar, Space, Variable};

use super::expression::Index;
use super::literal;
use super::state::Lowerer;
use super::types::{Ty, UNSIZED};
use super::value::{Leaves, Pointer, Value};

/// Arrays with more leaves than this are copied by loops.
pub(super) const EXPANSION_LIMIT: u32 = 64;

impl Lowerer<'_> {
    /// The value of an array in memory.
    pub(super) fn load_array(&mut self, pointer: Pointer, overwritten: bool) -> Value {
        if !overwritten {
            return Value::Deferred(pointer);
        }
        if self.types.leaves(pointer.ty) <= EXPANSION_LIMIT {
            return Value::Leaves(self.load_units(pointer, false));
        }
        let copy = self.private("array copy", pointer.ty, None);
        self.store_bulk(copy, Some(pointer));
        Value::Deferred(copy)
    }

    /// A new private variable.
    pub(super) fn private(&mut self, name: &str, ty: Ty, declared: Option<(u32, u32)>) -> Pointer {
        let variable = self.add_variable(Variable {
            name: name.to_owned(),
            space: Space::Private,
            binding: None,
            ty: self.types.layout(ty),
            texture: None,
            writable: true,
            binding_count: None,
            declared,
        });
        self.whole(variable, ty)
    }

    /// An array in registers, brought into memory so that it can be indexed.
    pub(super) fn spill(&mut self, ty: Ty, leaves: Leaves) -> Pointer {
        let contents = self.slice(leaves).to_vec();
        let constant = |operand: &Operand| matches!(operand, Operand::Constant(_));
        if !contents.iter().all(constant) {
            let array = self.private("array value", ty, None);
            self.store_leaves(array, leaves, false);
            return array;
        }
        let key = (ty, contents);
        if let Some(&variable) = self.tables.get(&key) {
            return self.whole(variable, ty);
        }
        let declared = self.spans[self.span.0 as usize];
        let table = self.private("constant array", ty, Some((declared.start, declared.end)));
        if let Some(variable) = self.variables.last_mut() {
            variable.writable = false;
        }
        if let super::value::Place::Memory { variable, .. } = table.place {
            self.tables.insert(key, variable);
        }
        let body = self.open_block();
        self.store_leaves(table, leaves, false);
        let stores = self.close_block(body);
        self.prologue.extend(stores);
        table
    }

    /// Stores a whole array, or zero.
    pub(super) fn store_bulk(&mut self, target: Pointer, source: Option<Pointer>) {
        let leaves = self.types.leaves(target.ty);
        if leaves == UNSIZED {
            self.unsupported("an array of unknown size by value", &[], &[]);
            return;
        }
        let in_registers = matches!(target.place, super::value::Place::Registers { .. });
        if leaves <= EXPANSION_LIMIT || in_registers || !self.types.holds_array(target.ty) {
            let leaves = match source {
                Some(source) => self.load_all(source),
                None => self.zeros(target.ty),
            };
            self.store_leaves(target, leaves, false);
            return;
        }
        if let Some(length) = self.types.indexing(target.ty).and_then(|i| i.length) {
            self.store_elements(target, source, length);
            return;
        }
        for member in 0.. {
            if self.types.part(target.ty, member).is_none() {
                break;
            }
            let index = Index::Constant(member);
            let source = source.map(|source| self.step(source, index));
            let target = self.step(target, index);
            self.store_bulk(target, source);
        }
    }

    /// A loop that stores each element.
    fn store_elements(&mut self, target: Pointer, source: Option<Pointer>, length: u32) {
        let first = self.variable_registers(&[Scalar::U32]);
        let counter = Operand::Register(Register(first));
        self.copy(Register(first), literal::unsigned(0));
        let label = self.label();
        let outer = self.open_block();
        let index = Index::Dynamic(counter);
        let element_source = source.map(|source| self.step(source, index));
        let element = self.step(target, index);
        self.store_bulk(element, element_source);
        let body = std::mem::take(&mut self.block);
        let next = [counter, literal::unsigned(1)];
        self.emit(Kind::Compute {
            target: Register(first),
            operation: Operation::Add,
            scalar: Scalar::U32,
            arguments: next.to_vec(),
        });
        let end = [counter, literal::unsigned(length)];
        let done = self.compute(Operation::GreaterEqual, Scalar::U32, &end, Scalar::Bool);
        let continuing: Vec<Instruction> = self.close_block(outer);
        self.emit(Kind::Loop {
            label,
            body,
            continuing,
            break_if: Some(done),
        });
    }
}
