//! Recognition of what naga makes of `&&` and `||`: a branch that fills an unnamed boolean local.

use naga::{Block, Expression, Function, Handle, Literal, LocalVariable, Statement, UnaryOperator};

/// A short-circuit operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortCircuit {
    /// The local that takes the result.
    pub(super) local: Handle<LocalVariable>,
    /// Whether it is `||`.
    pub(super) or: bool,
    /// The left side.
    pub(super) left: Handle<Expression>,
    /// The right side, evaluated in the branch.
    pub(super) right: Handle<Expression>,
}

/// The operator that an `if` statement comes from, if any.
pub(super) fn recognise(
    function: &Function,
    condition: Handle<Expression>,
    accept: &Block,
    reject: &Block,
) -> Option<ShortCircuit> {
    let [
        Statement::Store {
            pointer,
            value: settled,
        },
    ] = **reject
    else {
        return None;
    };
    let Some(&Statement::Store {
        pointer: target,
        value: right,
    }) = accept.last()
    else {
        return None;
    };
    let Expression::LocalVariable(local) = function.expressions[pointer] else {
        return None;
    };
    let variable = &function.local_variables[local];
    let same =
        matches!(function.expressions[target], Expression::LocalVariable(other) if other == local);
    if !same || variable.name.is_some() || variable.init.is_some() {
        return None;
    }
    let (or, left) = match function.expressions[settled] {
        Expression::Literal(Literal::Bool(false)) => (false, condition),
        Expression::Literal(Literal::Bool(true)) => match function.expressions[condition] {
            Expression::Unary {
                op: UnaryOperator::LogicalNot,
                expr,
            } => (true, expr),
            _ => return None,
        },
        _ => return None,
    };
    Some(ShortCircuit {
        local,
        or,
        left,
        right,
    })
}
