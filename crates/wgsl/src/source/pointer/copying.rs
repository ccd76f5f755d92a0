//! A function being copied: its arguments, its expressions, and where each of them went.

use naga::front::Typifier;
use naga::{Expression, Function, FunctionArgument, Handle, Range, Span, Statement};

use super::operands::visit_operands;
use super::{Step, Target, argument_span};

/// A function being copied.
pub(super) struct Copying<'a> {
    pub(super) original: &'a Function,
    pub(super) copy: Function,
    /// For each argument of the original, what it became.
    pub(super) arguments: Vec<Argument>,
    /// For each expression of the original, its place in the copy.
    places: Vec<Handle<Expression>>,
    /// Types of the original's expressions, as far as they were asked for.
    pub(super) types: Typifier,
}

/// What an argument of the original became.
pub(super) enum Argument {
    /// An argument of the copy.
    Kept(u32),
    /// A pointer into a variable.
    Pointer {
        target: Target,
        /// Expression of the copy that is the pointer.
        pointer: Handle<Expression>,
        /// Arguments of the copy that are the computed indices, in order.
        indices: Vec<Handle<Expression>>,
    },
}

impl<'a> Copying<'a> {
    pub(super) fn new(original: &'a Function) -> Self {
        Self {
            original,
            copy: Function {
                name: original.name.clone(),
                result: original.result.clone(),
                diagnostic_filter_leaf: original.diagnostic_filter_leaf,
                ..Function::default()
            },
            arguments: Vec::new(),
            places: Vec::with_capacity(original.expressions.len()),
            types: Typifier::default(),
        }
    }

    /// Declares the arguments that stay and the computed indices behind them, and forms the pointers
    /// at the start of the body.
    pub(super) fn declare_arguments(&mut self, restricted: &[usize], targets: &[Target]) {
        let mut arguments: Vec<Option<Argument>> = Vec::new();
        for (index, argument) in self.original.arguments.iter().enumerate() {
            let kept = (!restricted.contains(&index)).then(|| self.add_argument(argument.clone()));
            arguments.push(kept.map(Argument::Kept));
        }
        let mut leading = Vec::new();
        for (&index, target) in restricted.iter().zip(targets) {
            let span = argument_span(self.original, index);
            let indices = self.declare_indices(index, target, span);
            let expression = Expression::GlobalVariable(target.variable);
            let variable = self.copy.expressions.append(expression, span);
            leading.push((index, target, span, indices, variable));
        }
        let before = self.copy.expressions.len();
        for (index, target, span, indices, variable) in leading {
            let pointer = self.form_pointer(variable, &target.steps, &indices, span);
            arguments[index] = Some(Argument::Pointer {
                target: target.clone(),
                pointer,
                indices,
            });
        }
        self.arguments = arguments.into_iter().flatten().collect();
        if self.copy.expressions.len() > before {
            let formed = self.copy.expressions.range_from(before);
            self.copy
                .body
                .push(Statement::Emit(formed), Span::UNDEFINED);
        }
    }

    fn add_argument(&mut self, argument: FunctionArgument) -> u32 {
        let number = self.copy.arguments.len();
        self.copy.arguments.push(argument);
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    /// Adds an argument for each computed index of a target.
    fn declare_indices(
        &mut self,
        index: usize,
        target: &Target,
        span: Span,
    ) -> Vec<Handle<Expression>> {
        let name = self.original.arguments[index].name.as_deref();
        let types = target.steps.iter().filter_map(|step| match step {
            Step::Computed(ty) => Some(*ty),
            Step::Constant(_) => None,
        });
        let mut indices = Vec::new();
        for (number, ty) in types.enumerate() {
            let argument = self.add_argument(FunctionArgument {
                name: name.map(|name| format!("{name}_index_{number}")),
                ty,
                binding: None,
            });
            let expression = Expression::FunctionArgument(argument);
            indices.push(self.copy.expressions.append(expression, span));
        }
        indices
    }

    fn form_pointer(
        &mut self,
        variable: Handle<Expression>,
        steps: &[Step],
        indices: &[Handle<Expression>],
        span: Span,
    ) -> Handle<Expression> {
        let mut indices = indices.iter();
        let mut base = variable;
        for step in steps {
            let expression = match (step, indices.as_slice().first()) {
                (Step::Computed(_), Some(&index)) => {
                    indices.next();
                    Expression::Access { base, index }
                }
                (Step::Constant(index), _) => Expression::AccessIndex {
                    base,
                    index: *index,
                },
                (Step::Computed(_), None) => break,
            };
            base = self.copy.expressions.append(expression, span);
        }
        base
    }

    pub(super) fn copy_expressions(&mut self) {
        let original = self.original;
        for (handle, expression) in original.expressions.iter() {
            let mut expression = expression.clone();
            if let Expression::FunctionArgument(number) = &mut expression {
                let argument = usize::try_from(*number)
                    .ok()
                    .and_then(|n| self.arguments.get(n));
                match argument {
                    Some(Argument::Kept(place)) => *number = *place,
                    Some(Argument::Pointer { pointer, .. }) => {
                        self.places.push(*pointer);
                        continue;
                    }
                    None => {}
                }
            }
            visit_operands(&mut expression, &mut |operand| {
                *operand = self.place(*operand)
            });
            let span = original.expressions.get_span(handle);
            self.places
                .push(self.copy.expressions.append(expression, span));
        }
        self.copy.local_variables = original.local_variables.clone();
        for (_, variable) in self.copy.local_variables.iter_mut() {
            variable.init = variable.init.map(|init| self.places[init.index()]);
        }
        self.copy.named_expressions = original
            .named_expressions
            .iter()
            .map(|(&handle, name)| (self.place(handle), name.clone()))
            .collect();
    }

    /// Place in the copy of an expression of the original.
    pub(super) fn place(&self, expression: Handle<Expression>) -> Handle<Expression> {
        self.places[expression.index()]
    }

    /// Emitted expressions are never arguments, so their places are as contiguous as they were.
    pub(super) fn place_of_range(&self, range: &Range<Expression>) -> Range<Expression> {
        match range.first_and_last() {
            Some((first, last)) => Range::new_from_bounds(self.place(first), self.place(last)),
            None => range.clone(),
        }
    }
}
