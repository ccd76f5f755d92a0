//! Which expressions an expression reads, and whether it passes their operands on.

use naga::{Expression, Handle, ImageQuery, MathFunction, SampleLevel};

/// Calls `visit` with each expression that `expression` reads.
pub(super) fn for_each(expression: &Expression, mut visit: impl FnMut(Handle<Expression>)) {
    use Expression as E;
    match *expression {
        E::Literal(_)
        | E::Constant(_)
        | E::Override(_)
        | E::ZeroValue(_)
        | E::FunctionArgument(_)
        | E::GlobalVariable(_)
        | E::LocalVariable(_)
        | E::CallResult(_)
        | E::AtomicResult { .. }
        | E::WorkGroupUniformLoadResult { .. }
        | E::RayQueryProceedResult
        | E::SubgroupBallotResult
        | E::SubgroupOperationResult { .. } => {}
        E::Compose { ref components, .. } => components.iter().copied().for_each(visit),
        E::Access { base, index } => {
            visit(base);
            visit(index);
        }
        E::AccessIndex { base, .. } => visit(base),
        E::Splat { value, .. } => visit(value),
        E::Swizzle { vector, .. } => visit(vector),
        E::Load { pointer } => visit(pointer),
        E::ImageSample { .. } | E::ImageLoad { .. } | E::ImageQuery { .. } => {
            for_each_of_image(expression, visit);
        }
        E::Unary { expr, .. } | E::Derivative { expr, .. } | E::As { expr, .. } => visit(expr),
        E::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        E::Select {
            condition,
            accept,
            reject,
        } => [condition, accept, reject].into_iter().for_each(visit),
        E::Relational { argument, .. } => visit(argument),
        E::Math {
            arg,
            arg1,
            arg2,
            arg3,
            ..
        } => {
            visit(arg);
            [arg1, arg2, arg3].into_iter().flatten().for_each(visit);
        }
        E::ArrayLength(pointer) => visit(pointer),
        E::RayQueryVertexPositions { query, .. } | E::RayQueryGetIntersection { query, .. } => {
            visit(query);
        }
        E::CooperativeLoad { data, .. } => {
            visit(data.pointer);
            visit(data.stride);
        }
        E::CooperativeMultiplyAdd { a, b, c } => [a, b, c].into_iter().for_each(visit),
    }
}

fn for_each_of_image(expression: &Expression, mut visit: impl FnMut(Handle<Expression>)) {
    match *expression {
        Expression::ImageSample {
            image,
            sampler,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            ..
        } => {
            [image, sampler, coordinate]
                .into_iter()
                .for_each(&mut visit);
            let optional = [array_index, offset, depth_ref];
            optional.into_iter().flatten().for_each(&mut visit);
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
            let optional = [array_index, sample, level];
            optional.into_iter().flatten().for_each(visit);
        }
        Expression::ImageQuery { image, query } => {
            visit(image);
            if let ImageQuery::Size { level: Some(level) } = query {
                visit(level);
            }
        }
        _ => {}
    }
}

/// Whether the value of `expression` may consist of the very operands that it reads, so that those
/// must keep their values for as long as the expression's value is used. A load that is put off
/// (see [`super::array`]) passes its pointer on too.
pub(super) fn forwards(expression: &Expression) -> bool {
    match expression {
        Expression::Compose { .. }
        | Expression::Access { .. }
        | Expression::AccessIndex { .. }
        | Expression::Splat { .. }
        | Expression::Swizzle { .. }
        | Expression::As { .. }
        | Expression::Relational { .. } => true,
        Expression::Math { fun, .. } => matches!(fun, MathFunction::Transpose),
        _ => false,
    }
}
