//! Visiting, for replacement, every expression handle that a naga expression or statement holds.
//!
//! The matches name every variant and field, so that a new naga cannot add an operand unnoticed.

use naga::{
    AtomicFunction, CooperativeData, Expression, GatherMode, Handle, ImageQuery,
    RayPipelineFunction, RayQueryFunction, SampleLevel, Statement,
};

/// Calls `visit` on every operand of `expression`.
pub(super) fn visit_operands(
    expression: &mut Expression,
    visit: &mut impl FnMut(&mut Handle<Expression>),
) {
    match expression {
        Expression::Literal(_)
        | Expression::Constant(_)
        | Expression::Override(_)
        | Expression::ZeroValue(_)
        | Expression::FunctionArgument(_)
        | Expression::GlobalVariable(_)
        | Expression::LocalVariable(_)
        | Expression::CallResult(_)
        | Expression::AtomicResult { .. }
        | Expression::WorkGroupUniformLoadResult { .. }
        | Expression::RayQueryProceedResult
        | Expression::SubgroupBallotResult
        | Expression::SubgroupOperationResult { .. } => {}
        Expression::Compose { ty: _, components } => components.iter_mut().for_each(visit),
        Expression::Access { base, index } => {
            visit(base);
            visit(index);
        }
        Expression::AccessIndex { base, index: _ } => visit(base),
        Expression::Splat { size: _, value } => visit(value),
        Expression::Swizzle {
            size: _,
            vector,
            pattern: _,
        } => visit(vector),
        Expression::Load { pointer } => visit(pointer),
        Expression::ImageSample { .. }
        | Expression::ImageLoad { .. }
        | Expression::ImageQuery { .. } => visit_image_operands(expression, visit),
        Expression::Unary { op: _, expr }
        | Expression::Derivative {
            axis: _,
            ctrl: _,
            expr,
        }
        | Expression::As {
            expr,
            kind: _,
            convert: _,
        } => visit(expr),
        Expression::Binary { op: _, left, right } => {
            visit(left);
            visit(right);
        }
        Expression::Select {
            condition,
            accept,
            reject,
        } => {
            visit(condition);
            visit(accept);
            visit(reject);
        }
        Expression::Relational { fun: _, argument } => visit(argument),
        Expression::Math {
            fun: _,
            arg,
            arg1,
            arg2,
            arg3,
        } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        Expression::ArrayLength(array) => visit(array),
        Expression::RayQueryVertexPositions {
            query,
            committed: _,
        }
        | Expression::RayQueryGetIntersection {
            query,
            committed: _,
        } => visit(query),
        Expression::CooperativeLoad {
            columns: _,
            rows: _,
            role: _,
            data,
        } => visit_cooperative_data(data, visit),
        Expression::CooperativeMultiplyAdd { a, b, c } => {
            visit(a);
            visit(b);
            visit(c);
        }
    }
}

fn visit_image_operands(
    expression: &mut Expression,
    visit: &mut impl FnMut(&mut Handle<Expression>),
) {
    match expression {
        Expression::ImageSample {
            image,
            sampler,
            gather: _,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge: _,
        } => {
            visit(image);
            visit(sampler);
            visit(coordinate);
            [array_index, offset, depth_ref]
                .into_iter()
                .flatten()
                .for_each(&mut *visit);
            match level {
                SampleLevel::Auto | SampleLevel::Zero => {}
                SampleLevel::Exact(level) | SampleLevel::Bias(level) => visit(level),
                SampleLevel::Gradient { x, y } => {
                    visit(x);
                    visit(y);
                }
            }
        }
        Expression::ImageLoad {
            image,
            coordinate,
            array_index,
            sample,
            level,
        } => {
            visit(image);
            visit(coordinate);
            [array_index, sample, level]
                .into_iter()
                .flatten()
                .for_each(visit);
        }
        Expression::ImageQuery { image, query } => {
            visit(image);
            match query {
                ImageQuery::Size { level } => level.iter_mut().for_each(visit),
                ImageQuery::NumLevels | ImageQuery::NumLayers | ImageQuery::NumSamples => {}
            }
        }
        _ => {}
    }
}

fn visit_cooperative_data(
    data: &mut CooperativeData,
    visit: &mut impl FnMut(&mut Handle<Expression>),
) {
    visit(&mut data.pointer);
    visit(&mut data.stride);
}

/// Calls `visit` on every expression handle of `statement` itself: not on those of the statements
/// inside it, nor on the range of an `Emit`.
pub(super) fn visit_statement_operands(
    statement: &mut Statement,
    visit: &mut impl FnMut(&mut Handle<Expression>),
) {
    match statement {
        Statement::Emit(_)
        | Statement::Block(_)
        | Statement::Break
        | Statement::Continue
        | Statement::Kill
        | Statement::ControlBarrier(_)
        | Statement::MemoryBarrier(_) => {}
        Statement::If {
            condition,
            accept: _,
            reject: _,
        } => visit(condition),
        Statement::Switch { selector, cases: _ } => visit(selector),
        Statement::Loop {
            body: _,
            continuing: _,
            break_if,
        } => break_if.iter_mut().for_each(visit),
        Statement::Return { value } => value.iter_mut().for_each(visit),
        Statement::Store { pointer, value } => {
            visit(pointer);
            visit(value);
        }
        Statement::ImageStore {
            image,
            coordinate,
            array_index,
            value,
        }
        | Statement::ImageAtomic {
            image,
            coordinate,
            array_index,
            fun: _,
            value,
        } => {
            visit(image);
            visit(coordinate);
            array_index.iter_mut().for_each(&mut *visit);
            visit(value);
        }
        Statement::Atomic {
            pointer,
            fun,
            value,
            result,
        } => {
            visit(pointer);
            if let AtomicFunction::Exchange {
                compare: Some(compare),
            } = fun
            {
                visit(compare);
            }
            visit(value);
            result.iter_mut().for_each(visit);
        }
        Statement::WorkGroupUniformLoad { pointer, result } => {
            visit(pointer);
            visit(result);
        }
        Statement::Call {
            function: _,
            arguments,
            result,
        } => arguments.iter_mut().chain(result).for_each(visit),
        Statement::RayQuery { query, fun } => {
            visit(query);
            visit_ray_query(fun, visit);
        }
        Statement::RayPipelineFunction(RayPipelineFunction::TraceRay {
            acceleration_structure,
            descriptor,
            payload,
        }) => {
            visit(acceleration_structure);
            visit(descriptor);
            visit(payload);
        }
        Statement::SubgroupBallot { result, predicate } => {
            visit(result);
            predicate.iter_mut().for_each(visit);
        }
        Statement::SubgroupGather {
            mode,
            argument,
            result,
        } => {
            visit_gather_mode(mode, visit);
            visit(argument);
            visit(result);
        }
        Statement::SubgroupCollectiveOperation {
            op: _,
            collective_op: _,
            argument,
            result,
        } => {
            visit(argument);
            visit(result);
        }
        Statement::CooperativeStore { target, data } => {
            visit(target);
            visit_cooperative_data(data, visit);
        }
    }
}

fn visit_ray_query(
    function: &mut RayQueryFunction,
    visit: &mut impl FnMut(&mut Handle<Expression>),
) {
    match function {
        RayQueryFunction::Initialize {
            acceleration_structure,
            descriptor,
        } => {
            visit(acceleration_structure);
            visit(descriptor);
        }
        RayQueryFunction::Proceed { result } => visit(result),
        RayQueryFunction::GenerateIntersection { hit_t } => visit(hit_t),
        RayQueryFunction::ConfirmIntersection | RayQueryFunction::Terminate => {}
    }
}

fn visit_gather_mode(mode: &mut GatherMode, visit: &mut impl FnMut(&mut Handle<Expression>)) {
    match mode {
        GatherMode::BroadcastFirst | GatherMode::QuadSwap(_) => {}
        GatherMode::Broadcast(lane)
        | GatherMode::Shuffle(lane)
        | GatherMode::ShuffleDown(lane)
        | GatherMode::ShuffleUp(lane)
        | GatherMode::ShuffleXor(lane)
        | GatherMode::QuadBroadcast(lane) => visit(lane),
    }
}
