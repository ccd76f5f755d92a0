//! What an instruction reads, writes and contains.

use std::collections::BTreeSet;

use crate::instruction::{AccessId, Instruction, Kind, Operand, Register};
use crate::kernel::Kernel;

/// Calls `visit` with every operand that the instruction itself reads, not those of nested blocks.
pub fn for_each_read(kernel: &Kernel, kind: &Kind, mut visit: impl FnMut(Operand)) {
    let mut all = |operands: &[Operand]| operands.iter().copied().for_each(&mut visit);
    let indices = |id: AccessId| {
        let access = kernel.access(id);
        let terms = access.address.terms.iter().map(|term| term.index);
        terms.chain(access.binding_index)
    };
    match kind {
        Kind::Compute { arguments, .. }
        | Kind::Subgroup { arguments, .. }
        | Kind::Unsupported { arguments, .. } => all(arguments),
        Kind::Copy { source, .. } => all(&[*source]),
        Kind::ArrayLength { binding_index, .. } => all(binding_index.as_slice()),
        Kind::Load { access, .. } => indices(*access).for_each(visit),
        Kind::Store { values, access } => {
            all(values);
            indices(*access).for_each(visit);
        }
        Kind::Atomic {
            value,
            compare,
            access,
            ..
        } => {
            all(&[*value]);
            all(compare.as_slice());
            indices(*access).for_each(visit);
        }
        Kind::Texture {
            coordinates,
            layer,
            level,
            extra,
            values,
            access,
            ..
        } => {
            all(coordinates);
            all(layer.as_slice());
            all(level.as_slice());
            all(extra);
            all(values);
            indices(*access).for_each(visit);
        }
        Kind::If { condition, .. } => all(&[*condition]),
        Kind::Switch { selector, .. } => all(&[*selector]),
        Kind::Loop { break_if, .. } => all(break_if.as_slice()),
        Kind::Barrier(_)
        | Kind::MemoryBarrier(_)
        | Kind::Block { .. }
        | Kind::Break(_)
        | Kind::Continue(_)
        | Kind::Return => {}
    }
}

/// Calls `visit` with every register that the instruction itself writes.
pub fn for_each_write(kind: &Kind, mut visit: impl FnMut(Register)) {
    match kind {
        Kind::Compute { target, .. }
        | Kind::Copy { target, .. }
        | Kind::ArrayLength { target, .. } => visit(*target),
        Kind::Load { targets, .. } | Kind::Texture { targets, .. } => {
            targets.iter().flatten().copied().for_each(visit);
        }
        Kind::Atomic {
            target, exchanged, ..
        } => target.iter().chain(exchanged).copied().for_each(visit),
        Kind::Subgroup { targets, .. } | Kind::Unsupported { targets, .. } => {
            targets.iter().copied().for_each(visit);
        }
        _ => {}
    }
}

/// Number of built-in components that the kernel reads.
pub(crate) fn builtins(kernel: &Kernel) -> u32 {
    let mut used = BTreeSet::new();
    collect_builtins(kernel, &kernel.body, &mut used);
    used.len() as u32
}

fn collect_builtins(
    kernel: &Kernel,
    block: &[Instruction],
    used: &mut BTreeSet<crate::instruction::Builtin>,
) {
    for instruction in block {
        for_each_read(kernel, &instruction.kind, |operand| {
            if let Operand::Builtin(builtin) = operand {
                used.insert(builtin);
            }
        });
        for inner in nested(&instruction.kind) {
            collect_builtins(kernel, inner, used);
        }
    }
}

/// The blocks that the instruction contains.
pub fn nested(kind: &Kind) -> Vec<&[Instruction]> {
    match kind {
        Kind::If { accept, reject, .. } => vec![accept, reject],
        Kind::Switch { cases, .. } => cases.iter().map(|case| case.body.as_slice()).collect(),
        Kind::Loop {
            body, continuing, ..
        } => vec![body, continuing],
        Kind::Block { body, .. } => vec![body],
        _ => Vec::new(),
    }
}
