//! Pointers, loads and stores.
//!
//! A pointer is a place: memory, as a root variable and a byte offset, or a run of registers. Start
//! at [`Lowerer::step`], [`Lowerer::load_all`] and [`Lowerer::store_leaves`].

use cresta_ir::{
    Access, AccessId, AccessKind, Kind, Operand, Operation, Register, Scalar, Term, VariableId,
};
use naga::{Expression, Handle, TypeInner};

use super::expression::Index;
use super::literal;
use super::state::{Frame, Lowerer, Scope};
use super::types::{Ty, Unit};
use super::value::{Leaves, Place, Pointer, Select, Value};

impl<'a> Lowerer<'a> {
    /// A pointer to a whole variable in memory.
    pub(super) fn whole(&self, variable: VariableId, ty: Ty) -> Pointer {
        Pointer {
            place: Place::Memory {
                variable,
                binding_index: None,
                constant: 0,
                terms: (0, 0),
            },
            ty,
        }
    }

    /// A pointer to an element, member or component of what `pointer` points to.
    pub(super) fn step(&mut self, pointer: Pointer, index: Index) -> Pointer {
        if let Ty::Bindings(base) = pointer.ty {
            return self.step_binding(pointer, index, self.types.of(base));
        }
        if let Index::Constant(constant) = index
            && let Some(part) = self.types.part(pointer.ty, constant)
        {
            return Pointer {
                place: advance(pointer.place, part.offset, part.leaf),
                ty: part.ty,
            };
        }
        let Some(indexing) = self.types.indexing(pointer.ty) else {
            return Pointer {
                place: Place::Opaque,
                ty: Ty::Opaque,
            };
        };
        let index = match index {
            Index::Constant(constant) => literal::unsigned(constant),
            Index::Dynamic(index) => index,
        };
        let place = match pointer.place {
            Place::Memory {
                variable,
                binding_index,
                constant,
                terms,
            } => Place::Memory {
                variable,
                binding_index,
                constant,
                terms: self.add_term(
                    terms,
                    Term {
                        index,
                        stride: indexing.stride,
                        length: indexing.length,
                    },
                ),
            },
            Place::Registers { first, selects } => {
                let select = Some(Select {
                    index,
                    stride: indexing.leaves,
                    count: indexing.length.unwrap_or(0),
                });
                let selects = match selects {
                    [None, _] => [select, None],
                    [outer, _] => [outer, select],
                };
                Place::Registers { first, selects }
            }
            Place::Opaque => Place::Opaque,
        };
        Pointer {
            place,
            ty: indexing.element,
        }
    }

    fn step_binding(&self, pointer: Pointer, index: Index, ty: Ty) -> Pointer {
        let index = match index {
            Index::Constant(constant) => literal::unsigned(constant),
            Index::Dynamic(index) => index,
        };
        let place = match pointer.place {
            Place::Memory {
                variable,
                constant,
                terms,
                ..
            } => Place::Memory {
                variable,
                binding_index: Some(index),
                constant,
                terms,
            },
            other => other,
        };
        Pointer { place, ty }
    }

    /// The run of terms with one more.
    fn add_term(&mut self, (start, len): (u32, u32), term: Term) -> (u32, u32) {
        let end = self.terms.len() as u32;
        let start = if start + len == end {
            start
        } else {
            self.terms
                .extend_from_within(start as usize..(start + len) as usize);
            end
        };
        self.terms.push(term);
        (start, len + 1)
    }

    /// The access of one scalar or vector behind a pointer into memory.
    pub(super) fn access(
        &mut self,
        pointer: Pointer,
        unit: Unit,
        kind: AccessKind,
        atomic: bool,
    ) -> Option<AccessId> {
        let Place::Memory {
            variable,
            binding_index,
            constant,
            terms: (start, len),
        } = pointer.place
        else {
            return None;
        };
        let terms = self.terms[start as usize..(start + len) as usize].to_vec();
        Some(self.add_access(Access {
            variable,
            binding_index,
            kind,
            atomic,
            scalar: unit.scalar,
            components: unit.components,
            address: cresta_ir::Address {
                constant: constant + unit.offset,
                terms,
            },
            workgroup_uniform: false,
            span: self.span,
        }))
    }

    pub(super) fn load_expression(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
        pointer: Handle<Expression>,
    ) -> Value {
        let atomic = self.is_atomic(frame, pointer);
        let Value::Pointer(pointer) = self.value(frame, pointer) else {
            return Value::Opaque;
        };
        let overwritten = match &frame.scope {
            Scope::Function { facts, .. } => facts.overwritten[handle.index()],
            Scope::Module => false,
        };
        match pointer.place {
            Place::Memory { .. } if self.types.holds_array(pointer.ty) => {
                self.load_array(pointer, overwritten)
            }
            Place::Memory { .. } => Value::Leaves(self.load_units(pointer, atomic)),
            Place::Registers { .. } => {
                let leaves = self.load_all(pointer);
                if !overwritten {
                    return Value::Leaves(leaves);
                }
                let copies: Vec<_> = (0..leaves.len)
                    .map(|index| {
                        let operand = self.leaf(leaves, index);
                        self.snapshot(operand)
                    })
                    .collect();
                Value::Leaves(self.keep(&copies))
            }
            Place::Opaque => Value::Opaque,
        }
    }

    /// Whether a pointer points to an atomic.
    pub(super) fn is_atomic(&self, frame: &Frame<'a>, pointer: Handle<Expression>) -> bool {
        match *self.inner(frame, pointer) {
            TypeInner::Pointer { base, .. } => {
                matches!(self.module.types[base].inner, TypeInner::Atomic(_))
            }
            _ => false,
        }
    }

    /// Loads everything behind a pointer.
    pub(super) fn load_all(&mut self, pointer: Pointer) -> Leaves {
        match pointer.place {
            Place::Memory { .. } if self.is_large(pointer.ty) => self.unknown(pointer.ty),
            Place::Memory { .. } => self.load_units(pointer, false),
            Place::Registers { first, selects } => {
                let count = self.types.leaves(pointer.ty);
                let loaded: Vec<_> = (0..count)
                    .map(|leaf| self.load_register(first + leaf, selects))
                    .collect();
                self.keep(&loaded)
            }
            Place::Opaque => self.unknown(pointer.ty),
        }
    }

    fn load_register(&mut self, first: u32, selects: [Option<Select>; 2]) -> Operand {
        let register = |number: u32| Operand::Register(Register(number));
        match selects {
            [None, _] => register(first),
            [Some(select), None] => {
                let choices: Vec<_> = (0..select.count)
                    .map(|element| register(first + element * select.stride))
                    .collect();
                self.component(select.index, &choices)
            }
            [outer, Some(inner)] => {
                let choices: Vec<_> = (0..inner.count)
                    .map(|element| {
                        self.load_register(first + element * inner.stride, [outer, None])
                    })
                    .collect();
                self.component(inner.index, &choices)
            }
        }
    }

    /// One load a scalar or vector.
    pub(super) fn load_units(&mut self, pointer: Pointer, atomic: bool) -> Leaves {
        let mut results = Vec::new();
        for unit in self.types.units(pointer.ty) {
            let targets: Vec<_> = (0..unit.components)
                .map(|_| Some(self.register(unit.scalar)))
                .collect();
            results.extend(targets.iter().flatten().copied().map(Operand::Register));
            if let Some(access) = self.access(pointer, unit, AccessKind::Load, atomic) {
                self.emit(Kind::Load { targets, access });
            }
        }
        self.keep(&results)
    }

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

/// The place some bytes, or leaves, further.
fn advance(place: Place, offset: u64, leaf: u32) -> Place {
    match place {
        Place::Memory {
            variable,
            binding_index,
            constant,
            terms,
        } => Place::Memory {
            variable,
            binding_index,
            constant: constant + offset,
            terms,
        },
        Place::Registers {
            first,
            selects: [None, _],
        } => Place::Registers {
            first: first + leaf,
            selects: [None, None],
        },
        Place::Registers { first, selects } => Place::Registers {
            first: first + leaf,
            selects,
        },
        Place::Opaque => Place::Opaque,
    }
}

fn constant_like(scalar: Scalar, value: u32) -> Operand {
    Operand::Constant(cresta_ir::Constant {
        scalar,
        bits: value.into(),
    })
}
