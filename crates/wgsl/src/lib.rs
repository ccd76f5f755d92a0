//! Front end: WGSL, GLSL and SPIR-V to the kernel IR through naga.
//!
//! The only crate that names naga's IR. Start at [`source`], which turns the bytes of a file into a
//! validated module, and [`lower()`], which turns an entry point of it into a kernel.

pub mod lower;
pub mod source;

pub use lower::{
    Entry, EntryPointInfo, Limits, LowerError, Lowered, SpanRefiner, UnsupportedNote, entry_points,
    lower, override_types,
};
