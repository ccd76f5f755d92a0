//! Lowering of a validated naga module to the kernel IR.
//!
//! One entry point at a time becomes one [`Kernel`]: calls are inlined, vectors and matrices split
//! into scalars, pointers resolved to a variable and an offset, locals promoted to registers.
//!
//! How it works, and what it takes care of:
//! - Every value is a run of *leaves*, one operand a scalar (`types`); moving values about costs no
//!   instruction (`expression`).
//! - A loaded local stands for its register; a copy is made only where the register may be written
//!   while the value is still in use (`facts`).
//! - `&&` and `||` become operations when their right side reads nothing but parameters, else
//!   branches marked as short-circuiting (`short_circuit`).
//! - Arrays by value stay in memory for as long as nothing can write them (`array`).
//! - Constant arrays that are indexed at run time are private variables that the prologue fills.
//! - What is not modelled becomes [`Kind::Unsupported`](cresta_ir::Kind::Unsupported) and a note,
//!   and the rest is lowered all the same.
//!
//! Nothing here panics on a valid module, recursion is bounded, and so is the size of the result.
//! Start reading at [`lower()`], then `statement` and `expression`.

mod arithmetic;
mod array;
mod assign;
mod atomics;
mod branches;
mod call;
mod effects;
mod entry;
mod error;
mod evaluate;
mod expression;
mod facts;
mod format;
mod frame;
mod geometry;
mod globals;
mod layout;
mod literal;
mod math;
mod memory;
mod operands;
mod overrides;
mod returns;
mod short_circuit;
mod spans;
mod state;
mod statement;
mod store;
mod subgroup;
mod texture;
mod types;
mod value;
mod walk;

use std::collections::BTreeMap;

use cresta_ir::{Kernel, eliminate_dead_code};
use naga::valid::{FunctionInfo, ModuleInfo};
use naga::{Module, TypeInner};

pub use entry::{EntryPointInfo, entry_points};
pub use error::{LowerError, UnsupportedNote};
pub use overrides::override_types;
pub use spans::SpanRefiner;

use overrides::Resolved;
use state::Lowerer;
use types::Types;

/// Which entry point to lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// The compute entry point of this name.
    Name(&'a str),
    /// The one at this index among all entry points of the module.
    Index(usize),
}

impl<'a> From<&'a str> for Entry<'a> {
    fn from(name: &'a str) -> Self {
        Entry::Name(name)
    }
}

impl From<usize> for Entry<'_> {
    fn from(index: usize) -> Self {
        Entry::Index(index)
    }
}

/// How far lowering may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions after inlining, before dead ones are removed.
    pub max_instructions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_instructions: 1_000_000,
        }
    }
}

/// A lowered entry point.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// The kernel.
    pub kernel: Kernel,
    /// What was left out of it.
    pub unsupported: Vec<UnsupportedNote>,
}

/// Lowers one compute entry point.
///
/// `overrides` holds values for overrides, by name or by `@id`. They are needed where an override
/// without a default sizes an array or the workgroup; others stay symbols in the IR.
///
/// # Errors
///
/// When the entry point or an override does not exist, a value does not fit, a size is unknown, or
/// the kernel is too large or too deeply nested.
pub fn lower<'a>(
    module: &Module,
    info: &ModuleInfo,
    entry: impl Into<Entry<'a>>,
    overrides: &BTreeMap<String, f64>,
    limits: Limits,
) -> Result<Lowered, LowerError> {
    let (index, entry) = entry::find(module, entry.into())?;
    let resolved = Resolved::new(module, overrides)?;
    let lengths = array_lengths(module, info.get_entry_point(index), &resolved)?;
    let types = Types::new(module, |handle| {
        lengths.get(handle.index()).copied().flatten()
    });
    let workgroup_size = workgroup_size(module, &resolved, entry)?;
    let mut lowerer = Lowerer::new(module, info, types, resolved, limits.max_instructions);
    lowerer.workgroup_size = workgroup_size;
    let (mut kernel, unsupported) = lowerer.entry(index, entry)?.into_kernel(entry);
    eliminate_dead_code(&mut kernel);
    Ok(Lowered {
        kernel,
        unsupported,
    })
}

/// The length that each override which sizes an array type gives it, by the override's index. Only
/// the lengths that the entry point needs have to be known.
fn array_lengths(
    module: &Module,
    info: &FunctionInfo,
    resolved: &Resolved,
) -> Result<Vec<Option<u32>>, LowerError> {
    let mut needed = vec![false; module.types.len()];
    for (handle, global) in module.global_variables.iter() {
        needed[global.ty.index()] |= !info[handle].is_empty();
    }
    let mut lengths = vec![None; module.overrides.len()];
    // Types refer to earlier types.
    for (handle, ty) in module.types.iter().rev() {
        let needed_here = needed[handle.index()];
        match &ty.inner {
            TypeInner::Array { base, size, .. } => {
                needed[base.index()] |= needed_here;
                if let naga::ArraySize::Pending(sizes) = *size {
                    match resolved.array_length(module, sizes) {
                        Ok(length) => lengths[sizes.index()] = Some(length),
                        Err(error) if needed_here => return Err(error),
                        Err(_) => {}
                    }
                }
            }
            TypeInner::Struct { members, .. } => {
                for member in members {
                    needed[member.ty.index()] |= needed_here;
                }
            }
            TypeInner::BindingArray { base, .. } => needed[base.index()] |= needed_here,
            _ => {}
        }
    }
    Ok(lengths)
}

fn workgroup_size(
    module: &Module,
    resolved: &Resolved,
    entry: &naga::EntryPoint,
) -> Result<[u32; 3], LowerError> {
    let mut size = entry.workgroup_size;
    for (axis, expression) in entry.workgroup_size_overrides.iter().flatten().enumerate() {
        if let Some(expression) = *expression {
            size[axis] = resolved.workgroup_size(module, expression, axis)?;
        }
    }
    Ok(size)
}
