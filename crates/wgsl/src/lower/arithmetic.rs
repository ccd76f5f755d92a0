//! Operators: unary, binary, select, conversions and relational functions, scalar by scalar.

use cresta_ir::{Operand, Operation, Scalar};
use naga::{
    BinaryOperator, Bytes, Expression, Handle, RelationalFunction, ScalarKind, UnaryOperator,
};

use super::frame::Frame;
use super::state::Lowerer;
use super::types::{self, Ty};
use super::value::{Leaves, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn unary(
        &mut self,
        frame: &mut Frame<'a>,
        op: UnaryOperator,
        expr: Handle<Expression>,
    ) -> Value {
        let operation = match op {
            UnaryOperator::Negate => Operation::Neg,
            UnaryOperator::LogicalNot => Operation::Not,
            UnaryOperator::BitwiseNot => Operation::BitNot,
        };
        let operand = self.operands(frame, expr);
        self.elementwise(operation, &[operand])
    }

    /// One operation a component; arguments with one leaf serve every component.
    pub(super) fn elementwise(&mut self, operation: Operation, arguments: &[Leaves]) -> Value {
        let count = arguments.iter().map(|leaves| leaves.len).max().unwrap_or(0);
        let results: Vec<_> = (0..count)
            .map(|index| {
                let arguments = self.components(arguments, index);
                let scalar = self.scalar_of(arguments[0]);
                self.arithmetic(operation, scalar, &arguments)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }

    /// The arguments of one component.
    pub(super) fn components(&self, arguments: &[Leaves], index: u32) -> Vec<Operand> {
        arguments
            .iter()
            .map(|&leaves| self.leaf(leaves, if leaves.len == 1 { 0 } else { index }))
            .collect()
    }

    pub(super) fn binary(
        &mut self,
        frame: &mut Frame<'a>,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Value {
        let types = (self.ty(frame, left), self.ty(frame, right));
        let left = self.operands(frame, left);
        let right = self.operands(frame, right);
        if left.len == 0 || right.len == 0 {
            return Value::Opaque;
        }
        if op == BinaryOperator::Multiply
            && let Some(product) = self.product(types, left, right)
        {
            return product;
        }
        let count = left.len.max(right.len);
        let results: Vec<_> = (0..count)
            .map(|index| {
                let arguments = self.components(&[left, right], index);
                self.binary_scalar(op, &arguments)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }

    fn binary_scalar(&mut self, op: BinaryOperator, arguments: &[Operand]) -> Operand {
        let scalar = self.scalar_of(arguments[0]);
        let (operation, compares) = binary_operation(op, scalar);
        let result = if compares { Scalar::Bool } else { scalar };
        self.compute(operation, scalar, arguments, result)
    }

    /// Products that involve a matrix and are not component by component.
    fn product(&mut self, types: (Ty, Ty), left: Leaves, right: Leaves) -> Option<Value> {
        match types {
            (Ty::Matrix { columns, rows, .. }, Ty::Vector { .. }) => {
                Some(self.matrix_times_columns(left, (rows, columns), right, 1))
            }
            (Ty::Vector { .. }, Ty::Matrix { columns, rows, .. }) => {
                let results: Vec<_> = (0..columns)
                    .map(|column| {
                        let column = right.slice(u32::from(column) * u32::from(rows), rows.into());
                        self.dot(left, column)
                    })
                    .collect();
                Some(Value::Leaves(self.keep(&results)))
            }
            (Ty::Matrix { columns, rows, .. }, Ty::Matrix { columns: count, .. }) => {
                Some(self.matrix_times_columns(left, (rows, columns), right, count))
            }
            _ => None,
        }
    }

    /// A matrix with `size` rows and columns times each of `count` column vectors.
    fn matrix_times_columns(
        &mut self,
        matrix: Leaves,
        size: (u8, u8),
        vectors: Leaves,
        count: u8,
    ) -> Value {
        let (rows, inner) = (u32::from(size.0), u32::from(size.1));
        let mut results = Vec::with_capacity(usize::from(count) * usize::from(size.0));
        for column in 0..u32::from(count) {
            let vector = vectors.slice(column * inner, inner);
            for row in 0..rows {
                let pairs: Vec<_> = (0..inner)
                    .map(|k| (self.leaf(matrix, k * rows + row), self.leaf(vector, k)))
                    .collect();
                results.push(self.sum_of_products(&pairs));
            }
        }
        Value::Leaves(self.keep(&results))
    }

    /// `n` multiplications and `n - 1` additions.
    pub(super) fn sum_of_products(&mut self, pairs: &[(Operand, Operand)]) -> Operand {
        let mut sum = None;
        for &(a, b) in pairs {
            let scalar = self.scalar_of(a);
            let product = self.arithmetic(Operation::Mul, scalar, &[a, b]);
            sum = Some(match sum {
                Some(sum) => self.arithmetic(Operation::Add, scalar, &[sum, product]),
                None => product,
            });
        }
        sum.unwrap_or_else(|| super::literal::zero(Scalar::F32))
    }

    pub(super) fn select(
        &mut self,
        frame: &mut Frame<'a>,
        condition: Handle<Expression>,
        accept: Handle<Expression>,
        reject: Handle<Expression>,
    ) -> Value {
        let condition = self.operands(frame, condition);
        let accept = self.operands(frame, accept);
        let reject = self.operands(frame, reject);
        let results: Vec<_> = (0..accept.len)
            .map(|index| {
                let arguments = self.components(&[condition, accept, reject], index);
                self.select_scalar(&arguments)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }

    /// `select` of scalars: condition, accept, reject.
    pub(super) fn select_scalar(&mut self, arguments: &[Operand]) -> Operand {
        let scalar = self.scalar_of(arguments[1]);
        self.arithmetic(Operation::Select, scalar, arguments)
    }

    pub(super) fn relational(
        &mut self,
        frame: &mut Frame<'a>,
        fun: RelationalFunction,
        argument: Handle<Expression>,
    ) -> Value {
        let argument = self.operands(frame, argument);
        let combine = match fun {
            RelationalFunction::All => Operation::And,
            RelationalFunction::Any => Operation::Or,
            RelationalFunction::IsNan => return self.classify(Operation::IsNan, argument),
            RelationalFunction::IsInf => return self.classify(Operation::IsInf, argument),
        };
        let mut result = None;
        for index in 0..argument.len {
            let operand = self.leaf(argument, index);
            result = Some(match result {
                Some(so_far) => self.arithmetic(combine, Scalar::Bool, &[so_far, operand]),
                None => operand,
            });
        }
        result.map_or(Value::Opaque, |result| Value::Leaves(self.keep(&[result])))
    }

    fn classify(&mut self, operation: Operation, argument: Leaves) -> Value {
        let results: Vec<_> = (0..argument.len)
            .map(|index| {
                let operand = self.leaf(argument, index);
                let scalar = self.scalar_of(operand);
                self.compute(operation, scalar, &[operand], Scalar::Bool)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }

    /// A conversion, or without a width a reinterpretation; nothing when the type stays the same.
    pub(super) fn convert(
        &mut self,
        frame: &mut Frame<'a>,
        expr: Handle<Expression>,
        kind: ScalarKind,
        width: Option<Bytes>,
    ) -> Value {
        let source = self.operands(frame, expr);
        if width.is_some_and(|width| types::is_narrow_integer(naga::Scalar { kind, width })) {
            self.unsupported("16-bit integers, taken as 32-bit ones", &[], &[]);
        }
        let operation = match width {
            Some(_) => Operation::Convert,
            None => Operation::Bitcast,
        };
        let results: Vec<_> = (0..source.len)
            .map(|index| {
                let operand = self.leaf(source, index);
                let scalar = self.scalar_of(operand);
                let width = width.unwrap_or(scalar.bytes() as u8);
                let target = types::scalar(naga::Scalar { kind, width });
                if target == scalar {
                    return operand;
                }
                self.compute(operation, scalar, &[operand], target)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }
}

/// The operation of an operator on scalars, and whether its result is a boolean.
fn binary_operation(op: BinaryOperator, scalar: Scalar) -> (Operation, bool) {
    use BinaryOperator as Op;
    let boolean = scalar == Scalar::Bool;
    match op {
        Op::Add => (Operation::Add, false),
        Op::Subtract => (Operation::Sub, false),
        Op::Multiply => (Operation::Mul, false),
        Op::Divide => (Operation::Div, false),
        Op::Modulo => (Operation::Rem, false),
        Op::Equal => (Operation::Equal, true),
        Op::NotEqual => (Operation::NotEqual, true),
        Op::Less => (Operation::Less, true),
        Op::LessEqual => (Operation::LessEqual, true),
        Op::Greater => (Operation::Greater, true),
        Op::GreaterEqual => (Operation::GreaterEqual, true),
        Op::And if boolean => (Operation::And, false),
        Op::InclusiveOr if boolean => (Operation::Or, false),
        Op::ExclusiveOr if boolean => (Operation::NotEqual, false),
        Op::And => (Operation::BitAnd, false),
        Op::InclusiveOr => (Operation::BitOr, false),
        Op::ExclusiveOr => (Operation::BitXor, false),
        Op::LogicalAnd => (Operation::And, false),
        Op::LogicalOr => (Operation::Or, false),
        Op::ShiftLeft => (Operation::Shl, false),
        Op::ShiftRight => (Operation::Shr, false),
    }
}
