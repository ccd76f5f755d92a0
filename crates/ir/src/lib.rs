//! The kernel IR: one compute entry point, inlined, scalarised and structured.
//!
//! # Semantics
//!
//! A [`Kernel`] is run by every invocation of a launch. It has *registers*, each of one scalar type,
//! which any instruction may write again: the IR is not in single-assignment form. A register that
//! is read before it is written holds zero. *Operands* are registers, constants, overrides and
//! built-in values; reading one costs nothing. [`Kind::Compute`] applies one scalar operation;
//! [`Kind::Copy`] moves a value and counts as nothing.
//!
//! Memory is a set of root [`Variable`]s. An [`Access`] names one of them and a byte offset in
//! affine form: a constant plus indices times strides. That arithmetic is implied by the source's
//! `a[i]` and is not an instruction. One access keeps its full width: a `vec4f` load is one access of
//! sixteen bytes that writes four registers.
//!
//! Control flow is structured. [`Kind::Block`], [`Kind::Switch`] and [`Kind::Loop`] carry a
//! [`Label`]; [`Kind::Break`] leaves the construct so labelled, [`Kind::Continue`] goes to the
//! `continuing` part of the loop so labelled. The continuing part may not break, continue or return;
//! after it `break_if`, when present and true, leaves the loop. [`Kind::Return`] ends the
//! invocation's run of the kernel; the return of an inlined function is a break out of its block.
//!
//! # Invariants
//!
//! - Calls are inlined; every instruction's span keeps the chain of call sites.
//! - Every pointer is resolved to a root variable: there are no pointers.
//! - Locals are registers, unless they are arrays indexed by something that is not a constant;
//!   those are private memory.
//! - Vectors and matrices do not exist outside of accesses.
//! - No pure instruction or load is left whose result nothing uses ([`eliminate_dead_code`]).
//! - Labels are unique within a kernel. A construct never refers to a label outside of it except to
//!   leave it.
//!
//! Start reading at [`Kernel`] and [`Kind`].

mod dead_code;
mod instruction;
mod kernel;
mod liveness;
mod print;
mod types;
mod uniformity;
pub mod visit;

pub use dead_code::eliminate_dead_code;
pub use instruction::{
    Access, AccessId, AccessKind, Address, AtomicFunction, BarrierScope, Block, Builtin, Case,
    Constant, Instruction, Kind, Label, Operand, OverrideId, Register, SubgroupOperation, Term,
    TextureOperation, TextureQuery, VariableId,
};
pub use kernel::{Call, CallId, Kernel, Override, SourceSpan, SpanId};
pub use liveness::{RegisterPressure, register_pressure};
pub use types::{Member, Space, TextureInfo, Type, Variable};
pub use uniformity::{NonUniformBarrier, non_uniform_barriers};

pub use cresta_model::operation::{Operation, Scalar};
