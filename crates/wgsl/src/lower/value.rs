//! What the expressions of naga become: operands, pointers, or something that has neither.

use cresta_ir::{Operand, VariableId};

use super::types::Ty;

/// A run of operands in the arena of [`Lowerer`](super::Lowerer), one a leaf.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leaves {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Leaves {
    /// Part of the run.
    pub(super) fn slice(self, start: u32, len: u32) -> Self {
        Leaves {
            start: self.start + start,
            len,
        }
    }
}

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    /// Not evaluated yet.
    Unset,
    /// A value in registers.
    Leaves(Leaves),
    /// A pointer, a texture or a sampler.
    Pointer(Pointer),
    /// An array, or a structure with one, that is still where the pointer says.
    Deferred(Pointer),
    /// Zero of a type with many leaves.
    Zero,
    /// Something that is not modelled.
    Opaque,
}

/// A pointer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    /// Where it points.
    pub(super) place: Place,
    /// What it points to.
    pub(super) ty: Ty,
}

/// Where a pointer points.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// A variable in memory, a texture or a sampler.
    Memory {
        variable: VariableId,
        binding_index: Option<Operand>,
        /// Constant part of the byte offset.
        constant: u64,
        /// Run of index terms in the arena of [`Lowerer`](super::Lowerer).
        terms: (u32, u32),
    },
    /// Registers in a row, from `first` on.
    Registers {
        first: u32,
        /// Run-time indices into a vector or matrix, outermost first.
        selects: [Option<Select>; 2],
    },
    /// Not modelled.
    Opaque,
}

/// A run-time index into registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Select {
    pub(super) index: Operand,
    /// Registers between elements.
    pub(super) stride: u32,
    /// Number of elements.
    pub(super) count: u32,
}
