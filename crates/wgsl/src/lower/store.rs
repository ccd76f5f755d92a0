//! Stores, to memory and to registers.

use cresta_ir::{AccessKind, Kind, Operand, Operation, Register, Scalar};
use naga::{Expression, Handle};

use super::frame::Frame;
use super::state::Lowerer;
use super::value::{Leaves, Place, Pointer, Select, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn store(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        value: Handle<Expression>,
    ) {
        let statement = self.span;
        let atomic = self.is_atomic(frame, pointer);
        let Value::Pointer(target) = self.value(frame, pointer) else {
            return;
        };
        match self.value(frame, value) {
            Value::Leaves(leaves) => {
                if let Place::Registers {
                    first,
                    selects: [None, _],
                } = target.place
                {
                    self.assign(frame, value, first, leaves);
                    return;
                }
                if let Place::Memory { .. } = target.place {
                    self.at(frame.expressions.get_span(pointer));
                }
                self.store_leaves(target, leaves, atomic);
            }
            Value::Zero => self.store_bulk(target, None),
            Value::Deferred(source) => self.store_bulk(target, Some(source)),
            Value::Unset | Value::Pointer(_) | Value::Opaque => {
                let leaves = self.unknown(target.ty);
                self.store_leaves(target, leaves, atomic);
            }
        }
        self.span = statement;
    }

    /// Stores a value, one access a scalar or vector.
    pub(super) fn store_leaves(&mut self, target: Pointer, leaves: Leaves, atomic: bool) {
        if leaves.len < self.types.leaves(target.ty) {
            return;
        }
        match target.place {
            Place::Memory { .. } => {
                for unit in self.types.units(target.ty) {
                    let part = leaves.slice(unit.leaf, unit.components.into());
                    let values = self.slice(part).to_vec();
                    if let Some(access) = self.access(target, unit, AccessKind::Store, atomic) {
                        self.emit(Kind::Store { values, access });
                    }
                }
            }
            Place::Registers {
                first,
                selects: [None, _],
            } => self.write_registers(first, leaves),
            Place::Registers { first, selects } => self.store_selected(first, selects, leaves),
            Place::Opaque => {}
        }
    }

    /// Copies operands into registers in a row, as if all at once.
    pub(super) fn write_registers(&mut self, first: u32, leaves: Leaves) {
        let count = leaves.len;
        // A source that is itself a target is read before it is written.
        let sources: Vec<_> = (0..count)
            .map(|index| match self.leaf(leaves, index) {
                Operand::Register(Register(number))
                    if number >= first && number < first + count && number != first + index =>
                {
                    self.snapshot(Operand::Register(Register(number)))
                }
                source => source,
            })
            .collect();
        for (number, source) in (first..).zip(sources) {
            if source != Operand::Register(Register(number)) {
                self.copy(Register(number), source);
            }
        }
    }

    /// Stores to a component of registers by a run-time index: each is replaced if it is meant.
    fn store_selected(&mut self, first: u32, selects: [Option<Select>; 2], leaves: Leaves) {
        let mut places = vec![(first, None)];
        for select in selects.into_iter().flatten() {
            // The index may be among the registers that are about to change.
            let index = if self.is_mutable(select.index) {
                self.snapshot(select.index)
            } else {
                select.index
            };
            let scalar = self.scalar_of(index);
            let mut meant = Vec::with_capacity(select.count as usize);
            for element in 0..select.count {
                let number = constant_like(scalar, element);
                let equal = [index, number];
                meant.push(self.compute(Operation::Equal, scalar, &equal, Scalar::Bool));
            }
            let mut inner = Vec::with_capacity(places.len() * meant.len());
            for (place, outer) in places {
                for (element, &equal) in (0..).zip(&meant) {
                    let condition = match outer {
                        Some(outer) => {
                            self.arithmetic(Operation::And, Scalar::Bool, &[outer, equal])
                        }
                        None => equal,
                    };
                    inner.push((place + element * select.stride, Some(condition)));
                }
            }
            places = inner;
        }
        for (place, condition) in places {
            for index in 0..leaves.len {
                let register = Register(place + index);
                let value = self.leaf(leaves, index);
                if let Some(condition) = condition {
                    let scalar = self.registers[register.0 as usize];
                    self.emit(Kind::Compute {
                        target: register,
                        operation: Operation::Select,
                        scalar,
                        arguments: vec![condition, value, Operand::Register(register)],
                    });
                }
            }
        }
    }
}

fn constant_like(scalar: Scalar, value: u32) -> Operand {
    Operand::Constant(cresta_ir::Constant {
        scalar,
        bits: value.into(),
    })
}
