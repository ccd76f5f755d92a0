//! Evaluation of expressions: dispatch, and everything that only moves operands about.
//!
//! Expressions are evaluated in arena order, when naga emits them; the few that naga never emits
//! (literals, constants, pointers to variables) are evaluated when something reads them. Neither
//! recurses, so nesting is no concern. Start at [`Lowerer::evaluate`].

use cresta_ir::{Kind, Operand, Operation, Scalar};
use naga::{Expression, Handle, SwizzleComponent};

use super::frame::{Frame, Scope};
use super::literal;
use super::operands;
use super::state::Lowerer;
use super::types::{Part, Ty};
use super::value::{Leaves, Place, Pointer, Value};

/// Values with more leaves than this stay in memory, or are unsupported.
pub(super) const LEAF_LIMIT: u32 = 65_536;

/// An index of an access.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    Constant(u32),
    Dynamic(Operand),
}

impl Index {
    /// The index that an operand holds.
    pub(super) fn of(operand: Operand) -> Self {
        match operand {
            Operand::Constant(constant) => constant
                .integer()
                .and_then(|integer| u32::try_from(integer).ok())
                .map_or(Index::Dynamic(operand), Index::Constant),
            _ => Index::Dynamic(operand),
        }
    }
}

impl<'a> Lowerer<'a> {
    /// Evaluates an expression where naga emits it.
    pub(super) fn evaluate(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) {
        self.at(frame.expressions.get_span(handle));
        let before = self.emitted();
        let value = self.compute_value(frame, handle);
        frame.values[handle.index()] = value;
        if self.emitted() > before && !operands::forwards(&frame.expressions[handle]) {
            frame.fresh = Some((handle, self.emitted()));
        }
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Value {
        if let Value::Unset = frame.values[handle.index()] {
            self.demand(frame, handle);
        }
        frame.values[handle.index()]
    }

    /// Evaluates an expression that naga does not emit, after everything that it reads.
    fn demand(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) {
        let span = self.span;
        let mut pending = vec![handle];
        let mut wanted = Vec::new();
        while let Some(handle) = pending.pop() {
            if let Value::Unset = frame.values[handle.index()] {
                wanted.push(handle);
                let expression = &frame.expressions[handle];
                operands::for_each(expression, |operand| pending.push(operand));
                if let (Scope::Module, Expression::Constant(constant)) = (&frame.scope, expression)
                {
                    pending.push(self.module.constants[*constant].init);
                }
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        for handle in wanted {
            let value = self.compute_value(frame, handle);
            frame.values[handle.index()] = value;
        }
        self.span = span;
    }

    /// The operands of a value, which is brought into registers if it is elsewhere.
    pub(super) fn operands(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Leaves {
        let ty = self.ty(frame, handle);
        match self.value(frame, handle) {
            Value::Leaves(leaves) => leaves,
            Value::Zero => self.zeros(ty),
            Value::Deferred(pointer) => self.load_all(pointer),
            Value::Unset | Value::Pointer(_) | Value::Opaque => self.unknown(ty),
        }
    }

    /// The operand of a scalar.
    pub(super) fn operand(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Operand {
        let leaves = self.operands(frame, handle);
        if leaves.len == 0 {
            return literal::unsigned(0);
        }
        self.leaf(leaves, 0)
    }

    /// Zeros, one a leaf.
    pub(super) fn zeros(&mut self, ty: Ty) -> Leaves {
        if self.is_large(ty) {
            return self.unknown(ty);
        }
        let zeros: Vec<_> = self
            .types
            .scalars(ty)
            .into_iter()
            .map(literal::zero)
            .collect();
        self.keep(&zeros)
    }

    /// Whether values of the type are too large for registers.
    pub(super) fn is_large(&self, ty: Ty) -> bool {
        self.types.leaves(ty) > LEAF_LIMIT
    }

    /// Registers that hold nobody knows what, after an unsupported construct.
    pub(super) fn unknown(&mut self, ty: Ty) -> Leaves {
        if self.is_large(ty) {
            let what = format!("a value of more than {LEAF_LIMIT} scalars");
            self.unsupported(what, &[], &[]);
            return Leaves::default();
        }
        let scalars = self.types.scalars(ty);
        if scalars.is_empty() {
            return Leaves::default();
        }
        self.unsupported("a value of an unsupported construct", &scalars, &[])
    }

    fn compute_value(&mut self, frame: &mut Frame<'a>, handle: Handle<Expression>) -> Value {
        use Expression as E;
        let expressions = frame.expressions;
        let expression = &expressions[handle];
        match *expression {
            E::Literal(literal) => {
                let constant = Operand::Constant(literal::constant(literal));
                Value::Leaves(self.keep(&[constant]))
            }
            E::Constant(constant) => {
                let init = self.module.constants[constant].init;
                match frame.scope {
                    Scope::Function { .. } => self.global_value(init),
                    Scope::Module => frame.values[init.index()],
                }
            }
            E::Override(handle) => {
                let operand = self.override_operand(handle);
                Value::Leaves(self.keep(&[operand]))
            }
            E::ZeroValue(ty) => self.zero_value(self.types.of(ty)),
            E::Compose { ty, ref components } => self.compose(frame, ty, components),
            E::Access { base, index } => {
                let index = Index::of(self.operand(frame, index));
                self.index(frame, base, index)
            }
            E::AccessIndex { base, index } => self.index(frame, base, Index::Constant(index)),
            E::Splat { size, value } => {
                let operand = self.operand(frame, value);
                Value::Leaves(self.keep(&[operand; 4][..size as usize]))
            }
            E::Swizzle {
                size,
                vector,
                pattern,
            } => self.swizzle(frame, vector, &pattern[..size as usize]),
            E::FunctionArgument(index) => frame.arguments[index as usize],
            E::GlobalVariable(global) => self.global(global),
            E::LocalVariable(local) => frame.locals[local.index()],
            E::Load { pointer } => self.load_expression(frame, handle, pointer),
            E::ImageSample { .. } => self.image_sample(frame, expression),
            E::ImageLoad { .. } => self.image_load(frame, expression),
            E::ImageQuery { image, query } => self.image_query(frame, image, query),
            E::Unary { op, expr } => self.unary(frame, op, expr),
            E::Binary { op, left, right } => self.binary(frame, op, left, right),
            E::Select {
                condition,
                accept,
                reject,
            } => self.select(frame, condition, accept, reject),
            E::Derivative { expr, .. } => {
                let ty = self.ty(frame, handle);
                let arguments = self.operands(frame, expr);
                self.unsupported_value("a derivative", ty, arguments)
            }
            E::Relational { fun, argument } => self.relational(frame, fun, argument),
            E::Math {
                fun,
                arg,
                arg1,
                arg2,
                arg3,
            } => self.math(frame, handle, fun, [Some(arg), arg1, arg2, arg3]),
            E::As {
                expr,
                kind,
                convert,
            } => self.convert(frame, expr, kind, convert),
            E::ArrayLength(pointer) => self.array_length(frame, pointer),
            E::CallResult(_)
            | E::AtomicResult { .. }
            | E::WorkGroupUniformLoadResult { .. }
            | E::RayQueryProceedResult
            | E::SubgroupBallotResult
            | E::SubgroupOperationResult { .. } => Value::Unset,
            E::RayQueryVertexPositions { .. } => {
                let ty = self.ty(frame, handle);
                self.unsupported_value("a ray query", ty, Leaves::default())
            }
            E::RayQueryGetIntersection { .. } => {
                let ty = self.ty(frame, handle);
                self.unsupported_value("a ray query", ty, Leaves::default())
            }
            E::CooperativeLoad { .. } | E::CooperativeMultiplyAdd { .. } => {
                self.unsupported("a cooperative matrix", &[], &[]);
                Value::Opaque
            }
        }
    }

    /// Unknown results of a construct that is not modelled.
    fn unsupported_value(&mut self, what: &str, ty: Ty, arguments: Leaves) -> Value {
        let scalars = self.types.scalars(ty);
        let arguments = self.slice(arguments).to_vec();
        Value::Leaves(self.unsupported(what, &scalars, &arguments))
    }

    pub(super) fn zero_value(&mut self, ty: Ty) -> Value {
        if self.types.holds_array(ty) {
            return Value::Zero;
        }
        Value::Leaves(self.zeros(ty))
    }

    fn compose(
        &mut self,
        frame: &mut Frame<'a>,
        ty: Handle<naga::Type>,
        components: &[Handle<Expression>],
    ) -> Value {
        if self.is_large(self.types.of(ty)) {
            self.unsupported(
                format!("a value of more than {LEAF_LIMIT} scalars"),
                &[],
                &[],
            );
            return Value::Opaque;
        }
        let parts: Vec<_> = components
            .iter()
            .map(|&component| self.operands(frame, component))
            .collect();
        let start = self.leaves.len() as u32;
        for part in parts {
            self.leaves
                .extend_from_within(part.start as usize..(part.start + part.len) as usize);
        }
        Value::Leaves(Leaves {
            start,
            len: self.leaves.len() as u32 - start,
        })
    }

    fn swizzle(
        &mut self,
        frame: &mut Frame<'a>,
        vector: Handle<Expression>,
        pattern: &[SwizzleComponent],
    ) -> Value {
        let vector = self.operands(frame, vector);
        let picked: Vec<_> = pattern
            .iter()
            .map(|&component| self.leaf(vector, component as u32))
            .collect();
        Value::Leaves(self.keep(&picked))
    }

    /// An element, member or component, of a value or behind a pointer.
    fn index(&mut self, frame: &mut Frame<'a>, base: Handle<Expression>, index: Index) -> Value {
        let ty = self.ty(frame, base);
        match self.value(frame, base) {
            Value::Pointer(pointer) => Value::Pointer(self.step(pointer, index)),
            Value::Deferred(pointer) => {
                let element = self.step(pointer, index);
                if self.types.holds_array(element.ty) || self.is_large(element.ty) {
                    return Value::Deferred(element);
                }
                Value::Leaves(self.load_all(element))
            }
            Value::Leaves(leaves) => self.index_leaves(ty, leaves, index),
            Value::Zero => {
                let part = match index {
                    Index::Constant(index) => self.types.part(ty, index).map(|part| part.ty),
                    Index::Dynamic(_) => self.types.indexing(ty).map(|indexing| indexing.element),
                };
                part.map_or(Value::Opaque, |part| self.zero_value(part))
            }
            Value::Unset | Value::Opaque => Value::Opaque,
        }
    }

    fn index_leaves(&mut self, ty: Ty, leaves: Leaves, index: Index) -> Value {
        let index = match index {
            Index::Constant(constant) => {
                if let Some(Part { ty, leaf, .. }) = self.types.part(ty, constant) {
                    return Value::Leaves(leaves.slice(leaf, self.types.leaves(ty)));
                }
                literal::unsigned(constant)
            }
            Index::Dynamic(index) => index,
        };
        if let Ty::Array(_) = ty {
            let array = self.spill(ty, leaves);
            let element = self.step(array, Index::Dynamic(index));
            return Value::Leaves(self.load_all(element));
        }
        let Some(indexing) = self.types.indexing(ty) else {
            return Value::Opaque;
        };
        let results: Vec<_> = (0..indexing.leaves)
            .map(|leaf| {
                let elements = leaves.len / indexing.leaves.max(1);
                let choices = (0..elements).map(|e| self.leaf(leaves, e * indexing.leaves + leaf));
                let choices: Vec<_> = choices.collect();
                self.component(index, &choices)
            })
            .collect();
        Value::Leaves(self.keep(&results))
    }

    /// One of several operands, by a run-time index.
    pub(super) fn component(&mut self, index: Operand, choices: &[Operand]) -> Operand {
        let scalar = choices
            .first()
            .map_or(Scalar::U32, |&first| self.scalar_of(first));
        let mut arguments = Vec::with_capacity(choices.len() + 1);
        arguments.push(index);
        arguments.extend_from_slice(choices);
        self.compute(Operation::Component, scalar, &arguments, scalar)
    }

    fn array_length(&mut self, frame: &mut Frame<'a>, pointer: Handle<Expression>) -> Value {
        let value = self.value(frame, pointer);
        let Value::Pointer(Pointer {
            place:
                Place::Memory {
                    variable,
                    binding_index,
                    ..
                },
            ..
        }) = value
        else {
            return Value::Leaves(self.unknown(Ty::Scalar(Scalar::U32)));
        };
        let target = self.register(Scalar::U32);
        self.emit(Kind::ArrayLength {
            target,
            variable,
            binding_index,
        });
        Value::Leaves(self.keep(&[Operand::Register(target)]))
    }

    /// The value of a global expression. Only constants are kept: what overrides enter into takes
    /// instructions, which must be where they are used.
    pub(super) fn global_value(&mut self, handle: Handle<Expression>) -> Value {
        let module = self.module;
        let before = self.emitted();
        let values = std::mem::take(&mut self.global_values);
        let mut frame = Frame {
            values,
            ..Frame::empty(&module.global_expressions, Scope::Module)
        };
        let value = self.value(&mut frame, handle);
        if self.emitted() > before {
            frame.values.fill(Value::Unset);
        }
        self.global_values = frame.values;
        value
    }
}
