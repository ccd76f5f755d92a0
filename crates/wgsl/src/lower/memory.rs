//! Pointers and loads.
//!
//! A pointer is a place: memory, as a root variable and a byte offset, or a run of registers. Start
//! at [`Lowerer::step`] and [`Lowerer::load_all`].

use cresta_ir::{Access, AccessId, AccessKind, Kind, Operand, Register, Term, VariableId};
use naga::{Expression, Handle, TypeInner};

use super::expression::Index;
use super::frame::{Frame, Scope};
use super::literal;
use super::state::Lowerer;
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
            Place::Memory { .. }
                if self.types.holds_array(pointer.ty) || self.is_large(pointer.ty) =>
            {
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
