//! Built-in functions, each of which is a scalar operation a component or a composite of them.

use cresta_ir::{Operand, Operation, Scalar};
use naga::{Expression, Handle, MathFunction};

use super::frame::Frame;
use super::literal;
use super::state::Lowerer;
use super::types::Ty;
use super::value::{Leaves, Value};

/// How a built-in function is lowered.
enum Lowering {
    /// One operation a component.
    Elementwise(Operation),
    /// One operation a component for each of two members of the result.
    Pair(Operation, Operation),
    /// One operation over all components of the argument.
    Pack(Operation),
    /// One operation for each of `count` components of the result.
    Unpack {
        operation: Operation,
        count: u8,
        result: Scalar,
    },
    /// A packed dot product.
    PackedDot(Operation, Scalar),
    /// See [`geometry`](super::geometry).
    Composite,
}

impl<'a> Lowerer<'a> {
    pub(super) fn math(
        &mut self,
        frame: &mut Frame<'a>,
        handle: Handle<Expression>,
        fun: MathFunction,
        arguments: [Option<Handle<Expression>>; 4],
    ) -> Value {
        let first = arguments[0].map_or(Ty::Opaque, |first| self.ty(frame, first));
        let mut leaves = Vec::with_capacity(4);
        for argument in arguments.into_iter().flatten() {
            leaves.push(self.operands(frame, argument));
        }
        if leaves.iter().any(|leaves| leaves.len == 0) {
            return Value::Opaque;
        }
        match lowering(fun) {
            Lowering::Elementwise(operation) => self.elementwise(operation, &leaves),
            Lowering::Pair(one, other) => self.pair(frame, handle, [one, other], leaves[0]),
            Lowering::Pack(operation) => {
                let arguments = self.slice(leaves[0]).to_vec();
                let scalar = self.scalar_of(arguments[0]);
                let result = self.compute(operation, scalar, &arguments, Scalar::U32);
                Value::Leaves(self.keep(&[result]))
            }
            Lowering::Unpack {
                operation,
                count,
                result,
            } => self.unpack(operation, leaves[0], count, result),
            Lowering::PackedDot(operation, result) => {
                let arguments = self.components(&leaves, 0);
                let result = self.compute(operation, Scalar::U32, &arguments, result);
                Value::Leaves(self.keep(&[result]))
            }
            Lowering::Composite => self.composite(fun, first, &leaves),
        }
    }

    /// `modf` and `frexp`: a structure of two members.
    fn pair(
        &mut self,
        frame: &Frame<'a>,
        handle: Handle<Expression>,
        operations: [Operation; 2],
        argument: Leaves,
    ) -> Value {
        let ty = self.ty(frame, handle);
        let scalars = self.types.scalars(ty);
        let mut results = Vec::with_capacity(scalars.len());
        for operation in operations {
            for index in 0..argument.len {
                let operand = self.leaf(argument, index);
                let scalar = self.scalar_of(operand);
                let result = scalars.get(results.len()).copied().unwrap_or(scalar);
                results.push(self.compute(operation, scalar, &[operand], result));
            }
        }
        Value::Leaves(self.keep(&results))
    }

    fn unpack(
        &mut self,
        operation: Operation,
        argument: Leaves,
        count: u8,
        result: Scalar,
    ) -> Value {
        let word = self.leaf(argument, 0);
        let results: Vec<Operand> = (0..count)
            .map(|index| {
                let index = literal::unsigned(index.into());
                self.compute(operation, Scalar::U32, &[word, index], result)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }
}

fn lowering(fun: MathFunction) -> Lowering {
    use Lowering::{Composite, Elementwise, Pack, PackedDot, Pair};
    use MathFunction as Fun;
    use Operation as Op;
    let unpack = |operation, count, result| Lowering::Unpack {
        operation,
        count,
        result,
    };
    match fun {
        Fun::Abs => Elementwise(Op::Abs),
        Fun::Min => Elementwise(Op::Min),
        Fun::Max => Elementwise(Op::Max),
        Fun::Clamp => Elementwise(Op::Clamp),
        Fun::Saturate => Elementwise(Op::Saturate),
        Fun::Cos => Elementwise(Op::Cos),
        Fun::Cosh => Elementwise(Op::Cosh),
        Fun::Sin => Elementwise(Op::Sin),
        Fun::Sinh => Elementwise(Op::Sinh),
        Fun::Tan => Elementwise(Op::Tan),
        Fun::Tanh => Elementwise(Op::Tanh),
        Fun::Acos => Elementwise(Op::Acos),
        Fun::Asin => Elementwise(Op::Asin),
        Fun::Atan => Elementwise(Op::Atan),
        Fun::Atan2 => Elementwise(Op::Atan2),
        Fun::Asinh => Elementwise(Op::Asinh),
        Fun::Acosh => Elementwise(Op::Acosh),
        Fun::Atanh => Elementwise(Op::Atanh),
        Fun::Radians => Elementwise(Op::Radians),
        Fun::Degrees => Elementwise(Op::Degrees),
        Fun::Ceil => Elementwise(Op::Ceil),
        Fun::Floor => Elementwise(Op::Floor),
        Fun::Round => Elementwise(Op::Round),
        Fun::Fract => Elementwise(Op::Fract),
        Fun::Trunc => Elementwise(Op::Trunc),
        Fun::Modf => Pair(Op::ModfFract, Op::ModfWhole),
        Fun::Frexp => Pair(Op::FrexpFract, Op::FrexpExponent),
        Fun::Ldexp => Elementwise(Op::Ldexp),
        Fun::Exp => Elementwise(Op::Exp),
        Fun::Exp2 => Elementwise(Op::Exp2),
        Fun::Log => Elementwise(Op::Log),
        Fun::Log2 => Elementwise(Op::Log2),
        Fun::Pow => Elementwise(Op::Pow),
        Fun::Dot4I8Packed => PackedDot(Op::Dot4I8Packed, Scalar::I32),
        Fun::Dot4U8Packed => PackedDot(Op::Dot4U8Packed, Scalar::U32),
        Fun::Dot
        | Fun::Outer
        | Fun::Cross
        | Fun::Distance
        | Fun::Length
        | Fun::Normalize
        | Fun::FaceForward
        | Fun::Reflect
        | Fun::Refract
        | Fun::SmoothStep
        | Fun::Inverse
        | Fun::Transpose
        | Fun::Determinant => Composite,
        Fun::Sign => Elementwise(Op::Sign),
        Fun::Fma => Elementwise(Op::Fma),
        Fun::Mix => Elementwise(Op::Mix),
        Fun::Step => Elementwise(Op::Step),
        Fun::Sqrt => Elementwise(Op::Sqrt),
        Fun::InverseSqrt => Elementwise(Op::InverseSqrt),
        Fun::QuantizeToF16 => Elementwise(Op::QuantizeToF16),
        Fun::CountTrailingZeros => Elementwise(Op::CountTrailingZeros),
        Fun::CountLeadingZeros => Elementwise(Op::CountLeadingZeros),
        Fun::CountOneBits => Elementwise(Op::CountOneBits),
        Fun::ReverseBits => Elementwise(Op::ReverseBits),
        Fun::ExtractBits => Elementwise(Op::ExtractBits),
        Fun::InsertBits => Elementwise(Op::InsertBits),
        Fun::FirstTrailingBit => Elementwise(Op::FirstTrailingBit),
        Fun::FirstLeadingBit => Elementwise(Op::FirstLeadingBit),
        Fun::Pack4x8snorm => Pack(Op::Pack4x8Snorm),
        Fun::Pack4x8unorm => Pack(Op::Pack4x8Unorm),
        Fun::Pack2x16snorm => Pack(Op::Pack2x16Snorm),
        Fun::Pack2x16unorm => Pack(Op::Pack2x16Unorm),
        Fun::Pack2x16float => Pack(Op::Pack2x16Float),
        Fun::Pack4xI8 => Pack(Op::Pack4xI8),
        Fun::Pack4xU8 => Pack(Op::Pack4xU8),
        Fun::Pack4xI8Clamp => Pack(Op::Pack4xI8Clamp),
        Fun::Pack4xU8Clamp => Pack(Op::Pack4xU8Clamp),
        Fun::Unpack4x8snorm => unpack(Op::Unpack4x8Snorm, 4, Scalar::F32),
        Fun::Unpack4x8unorm => unpack(Op::Unpack4x8Unorm, 4, Scalar::F32),
        Fun::Unpack2x16snorm => unpack(Op::Unpack2x16Snorm, 2, Scalar::F32),
        Fun::Unpack2x16unorm => unpack(Op::Unpack2x16Unorm, 2, Scalar::F32),
        Fun::Unpack2x16float => unpack(Op::Unpack2x16Float, 2, Scalar::F32),
        Fun::Unpack4xI8 => unpack(Op::Unpack4xI8, 4, Scalar::I32),
        Fun::Unpack4xU8 => unpack(Op::Unpack4xU8, 4, Scalar::U32),
    }
}
