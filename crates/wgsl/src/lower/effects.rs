//! Statements that affect something outside of the invocation: what they read and define.

use naga::{Expression, Handle, Statement};

/// The expression that a statement defines, other than a call's.
pub(super) fn result(statement: &Statement) -> Option<Handle<Expression>> {
    match *statement {
        Statement::Atomic { result, .. } => result,
        Statement::WorkGroupUniformLoad { result, .. }
        | Statement::SubgroupBallot { result, .. }
        | Statement::SubgroupGather { result, .. }
        | Statement::SubgroupCollectiveOperation { result, .. }
        | Statement::RayQuery {
            fun: naga::RayQueryFunction::Proceed { result },
            ..
        } => Some(result),
        _ => None,
    }
}

/// Calls `visit` with every expression that a statement with an outside effect reads.
pub(super) fn for_each_operand(statement: &Statement, mut visit: impl FnMut(Handle<Expression>)) {
    let optional = |handle: Option<Handle<Expression>>| handle.into_iter();
    match *statement {
        Statement::ImageStore {
            image,
            coordinate,
            array_index,
            value,
        } => {
            let operands = [image, coordinate, value].into_iter();
            operands.chain(optional(array_index)).for_each(visit);
        }
        Statement::Atomic {
            pointer,
            ref fun,
            value,
            ..
        } => {
            let operands = [pointer, value].into_iter();
            operands.chain(optional(compare(fun))).for_each(visit);
        }
        Statement::ImageAtomic {
            image,
            coordinate,
            array_index,
            ref fun,
            value,
        } => {
            let operands = [image, coordinate, value].into_iter();
            let more = optional(array_index).chain(optional(compare(fun)));
            operands.chain(more).for_each(visit);
        }
        Statement::WorkGroupUniformLoad { pointer, .. } => visit(pointer),
        Statement::RayQuery { query, ref fun } => {
            visit(query);
            match *fun {
                naga::RayQueryFunction::Initialize { descriptor, .. } => visit(descriptor),
                naga::RayQueryFunction::GenerateIntersection { hit_t } => visit(hit_t),
                naga::RayQueryFunction::Proceed { .. }
                | naga::RayQueryFunction::ConfirmIntersection
                | naga::RayQueryFunction::Terminate => {}
            }
        }
        Statement::RayPipelineFunction(naga::RayPipelineFunction::TraceRay {
            descriptor, ..
        }) => visit(descriptor),
        Statement::SubgroupBallot { predicate, .. } => optional(predicate).for_each(visit),
        Statement::SubgroupGather {
            ref mode, argument, ..
        } => {
            visit(argument);
            gather_index(mode).into_iter().for_each(visit);
        }
        Statement::SubgroupCollectiveOperation { argument, .. } => visit(argument),
        Statement::CooperativeStore { ref data, .. } => {
            visit(data.pointer);
            visit(data.stride);
        }
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::If { .. }
        | Statement::Switch { .. }
        | Statement::Loop { .. }
        | Statement::Break
        | Statement::Continue
        | Statement::Return { .. }
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_)
        | Statement::Store { .. }
        | Statement::Call { .. } => {}
    }
}

fn compare(fun: &naga::AtomicFunction) -> Option<Handle<Expression>> {
    match *fun {
        naga::AtomicFunction::Exchange { compare } => compare,
        _ => None,
    }
}

/// The lane, distance or mask that a gather reads.
pub(super) fn gather_index(mode: &naga::GatherMode) -> Option<Handle<Expression>> {
    use naga::GatherMode as Mode;
    match *mode {
        Mode::BroadcastFirst | Mode::QuadSwap(_) => None,
        Mode::Broadcast(index)
        | Mode::Shuffle(index)
        | Mode::ShuffleDown(index)
        | Mode::ShuffleUp(index)
        | Mode::ShuffleXor(index)
        | Mode::QuadBroadcast(index) => Some(index),
    }
}
