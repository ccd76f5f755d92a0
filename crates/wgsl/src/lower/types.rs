//! Types as the lowering sees them: how many scalars a type flattens to, and where they lie.
//!
//! Every type is flattened to *leaves*, its scalars in memory order without padding; a value in
//! registers is one operand a leaf. Layouts are naga's, except for types that hold booleans: naga
//! gives those one byte, the IR four, so their offsets are laid out anew (no buffer can hold them).
//!
//! Start at [`Types::new`] and [`Ty`].

use std::sync::Arc;

use cresta_ir::{Scalar, Type};
use naga::{Handle, Module, ScalarKind, TypeInner};

/// Leaves of a type that has no fixed number of them.
pub(super) const UNSIZED: u32 = u32::MAX;

/// A type, with aggregates by reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ty {
    Scalar(Scalar),
    Vector {
        scalar: Scalar,
        components: u8,
    },
    Matrix {
        scalar: Scalar,
        columns: u8,
        rows: u8,
    },
    Array(Handle<naga::Type>),
    Struct(Handle<naga::Type>),
    /// A binding array of this type.
    Bindings(Handle<naga::Type>),
    /// Textures, samplers and everything that has no leaves.
    Opaque,
}

/// Part of a composite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) ty: Ty,
    /// Offset in bytes of the (first) part.
    pub(super) offset: u64,
    /// Index of its first leaf.
    pub(super) leaf: u32,
}

/// How a composite may be indexed at run time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Indexing {
    pub(super) element: Ty,
    /// Bytes between elements.
    pub(super) stride: u32,
    /// Leaves between elements.
    pub(super) leaves: u32,
    /// Number of elements, unless sized at run time.
    pub(super) length: Option<u32>,
}

/// A vector or scalar inside of a type: what one access moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) offset: u64,
    pub(super) leaf: u32,
    pub(super) scalar: Scalar,
    pub(super) components: u8,
}

/// What a type is made of.
#[derive(Debug)]
pub(super) enum Shape {
    Plain,
    Array(Indexing),
    Struct { parts: Vec<Part>, bytes: u32 },
}

/// What is known of a type.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) ty: Ty,
    pub(super) leaves: u32,
    pub(super) bytes: u32,
    pub(super) alignment: u32,
    pub(super) holds_bool: bool,
    pub(super) holds_array: bool,
    /// Whether it is or holds integers that the IR has no scalar for.
    pub(super) holds_narrow: bool,
    pub(super) shape: Shape,
}

/// What is known of every type of a module.
pub(super) struct Types<'a> {
    pub(super) module: &'a Module,
    pub(super) facts: Vec<Facts>,
    /// What the IR states of each type; `None` for opaque ones.
    pub(super) layouts: Vec<Option<Arc<Type>>>,
}

/// The IR's scalar for naga's; 16-bit integers, which the IR lacks, become 32-bit ones.
pub(super) fn scalar(scalar: naga::Scalar) -> Scalar {
    match (scalar.kind, scalar.width) {
        (ScalarKind::Bool, _) => Scalar::Bool,
        (ScalarKind::Sint, 8) | (ScalarKind::AbstractInt, _) => Scalar::I64,
        (ScalarKind::Sint, _) => Scalar::I32,
        (ScalarKind::Uint, 8) => Scalar::U64,
        (ScalarKind::Uint, _) => Scalar::U32,
        (ScalarKind::Float, 2) => Scalar::F16,
        (ScalarKind::Float, 8) | (ScalarKind::AbstractFloat, _) => Scalar::F64,
        (ScalarKind::Float, _) => Scalar::F32,
    }
}

/// Whether the IR has no scalar of that width.
pub(super) fn is_narrow_integer(scalar: naga::Scalar) -> bool {
    matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Uint) && scalar.width < 4
}

pub(super) fn vector_alignment(scalar: Scalar, components: u8) -> u32 {
    scalar.bytes() * if components == 2 { 2 } else { 4 }
}

impl<'a> Types<'a> {
    /// Lays out every type. `lengths` holds the length of each array type sized by an override, by
    /// the override's index.
    pub(super) fn new(
        module: &'a Module,
        length: impl Fn(Handle<naga::Override>) -> Option<u32>,
    ) -> Self {
        let mut types = Types {
            module,
            facts: Vec::with_capacity(module.types.len()),
            layouts: Vec::with_capacity(module.types.len()),
        };
        for (handle, ty) in module.types.iter() {
            let facts = types.lay_out(handle, &ty.inner, &length);
            let ty = facts.ty;
            types.facts.push(facts);
            let layout = types.new_layout(ty).map(Arc::new);
            types.layouts.push(layout);
        }
        types
    }

    /// The type behind a handle.
    pub(super) fn of(&self, handle: Handle<naga::Type>) -> Ty {
        self.facts[handle.index()].ty
    }

    /// The type of an expression.
    fn of_inner(&self, inner: &TypeInner) -> Ty {
        match inner {
            TypeInner::Array { .. } | TypeInner::Struct { .. } => self
                .module
                .types
                .iter()
                .find(|(_, ty)| ty.inner == *inner)
                .map_or(Ty::Opaque, |(handle, _)| self.of(handle)),
            inner => plain(inner),
        }
    }

    /// The type that naga found for an expression.
    pub(super) fn of_resolution(&self, resolution: &naga::proc::TypeResolution) -> Ty {
        match *resolution {
            naga::proc::TypeResolution::Handle(handle) => self.of(handle),
            naga::proc::TypeResolution::Value(ref inner) => self.of_inner(inner),
        }
    }

    fn facts(&self, ty: Ty) -> Option<&Facts> {
        match ty {
            Ty::Array(handle) | Ty::Struct(handle) => Some(&self.facts[handle.index()]),
            _ => None,
        }
    }

    /// Number of leaves; [`UNSIZED`] when sized at run time.
    pub(super) fn leaves(&self, ty: Ty) -> u32 {
        match ty {
            Ty::Scalar(_) => 1,
            Ty::Vector { components, .. } => components.into(),
            Ty::Matrix { columns, rows, .. } => u32::from(columns) * u32::from(rows),
            Ty::Array(_) | Ty::Struct(_) => self.facts(ty).map_or(0, |facts| facts.leaves),
            Ty::Bindings(_) | Ty::Opaque => 0,
        }
    }

    /// Whether the type is or holds an array.
    pub(super) fn holds_array(&self, ty: Ty) -> bool {
        self.facts(ty).is_some_and(|facts| facts.holds_array)
    }

    /// The part at a constant index; `None` when there is none.
    pub(super) fn part(&self, ty: Ty, index: u32) -> Option<Part> {
        if let Some(Facts {
            shape: Shape::Struct { parts, .. },
            ..
        }) = self.facts(ty)
        {
            return parts.get(index as usize).copied();
        }
        let indexing = self.indexing(ty)?;
        if indexing.length.is_some_and(|length| index >= length) {
            return None;
        }
        Some(Part {
            ty: indexing.element,
            offset: u64::from(index) * u64::from(indexing.stride),
            leaf: index.saturating_mul(indexing.leaves),
        })
    }

    /// How a vector, matrix or array is indexed; `None` for other types.
    pub(super) fn indexing(&self, ty: Ty) -> Option<Indexing> {
        match ty {
            Ty::Vector { scalar, components } => Some(Indexing {
                element: Ty::Scalar(scalar),
                stride: scalar.bytes(),
                leaves: 1,
                length: Some(components.into()),
            }),
            Ty::Matrix {
                scalar,
                columns,
                rows,
            } => Some(Indexing {
                element: Ty::Vector {
                    scalar,
                    components: rows,
                },
                stride: vector_alignment(scalar, rows),
                leaves: rows.into(),
                length: Some(columns.into()),
            }),
            Ty::Array(_) => match self.facts(ty)?.shape {
                Shape::Array(indexing) => Some(indexing),
                Shape::Plain | Shape::Struct { .. } => None,
            },
            Ty::Scalar(_) | Ty::Struct(_) | Ty::Bindings(_) | Ty::Opaque => None,
        }
    }

    /// The scalars and vectors that a type is made of, in memory order.
    pub(super) fn units(&self, ty: Ty) -> Vec<Unit> {
        let mut units = Vec::new();
        self.collect_units(ty, 0, 0, &mut units);
        units
    }

    fn collect_units(&self, ty: Ty, offset: u64, leaf: u32, units: &mut Vec<Unit>) {
        let unit = |scalar, components| Unit {
            offset,
            leaf,
            scalar,
            components,
        };
        match ty {
            Ty::Scalar(scalar) => units.push(unit(scalar, 1)),
            Ty::Vector { scalar, components } => units.push(unit(scalar, components)),
            Ty::Matrix { .. } | Ty::Array(_) | Ty::Struct(_) => {
                let mut index = 0;
                let length = match ty {
                    Ty::Struct(_) => None,
                    _ => self
                        .indexing(ty)
                        .map(|indexing| indexing.length.unwrap_or(0)),
                };
                while length.is_none_or(|length| index < length) {
                    let Some(part) = self.part(ty, index) else {
                        break;
                    };
                    self.collect_units(part.ty, offset + part.offset, leaf + part.leaf, units);
                    index += 1;
                }
            }
            Ty::Bindings(_) | Ty::Opaque => {}
        }
    }

    /// The scalar of each leaf.
    pub(super) fn scalars(&self, ty: Ty) -> Vec<Scalar> {
        match ty {
            Ty::Scalar(scalar) => vec![scalar],
            Ty::Vector { scalar, .. } | Ty::Matrix { scalar, .. } => {
                vec![scalar; self.leaves(ty) as usize]
            }
            _ => self
                .units(ty)
                .into_iter()
                .flat_map(|unit| std::iter::repeat_n(unit.scalar, unit.components.into()))
                .collect(),
        }
    }
}

/// The type of anything but arrays and structures.
pub(super) fn plain(inner: &TypeInner) -> Ty {
    match *inner {
        TypeInner::Scalar(value) | TypeInner::Atomic(value) => Ty::Scalar(scalar(value)),
        TypeInner::Vector {
            size,
            scalar: value,
        } => Ty::Vector {
            scalar: scalar(value),
            components: size as u8,
        },
        TypeInner::Matrix {
            columns,
            rows,
            scalar: value,
        } => Ty::Matrix {
            scalar: scalar(value),
            columns: columns as u8,
            rows: rows as u8,
        },
        TypeInner::BindingArray { base, .. } => Ty::Bindings(base),
        TypeInner::CooperativeMatrix { .. }
        | TypeInner::Pointer { .. }
        | TypeInner::ValuePointer { .. }
        | TypeInner::Array { .. }
        | TypeInner::Struct { .. }
        | TypeInner::Image { .. }
        | TypeInner::Sampler { .. }
        | TypeInner::AccelerationStructure { .. }
        | TypeInner::RayQuery { .. } => Ty::Opaque,
    }
}
