//! Copying one function with its restricted pointer parameters replaced by what they lead to: the
//! statements, and above all the calls.

use naga::proc::{ResolveContext, TypeResolution, compare_types};
use naga::{Block, Expression, Function, GlobalVariable, Handle, Span, Statement, SwitchCase};

use super::copying::{Argument, Copying};
use super::operands::visit_statement_operands;
use super::{Specialiser, Step, Target, refuse};
use crate::source::error::SourceError;

/// Where a pointer expression of the original comes from.
enum Root {
    Variable(Handle<GlobalVariable>),
    Argument(usize),
}

/// A step of a pointer expression of the original.
enum OwnStep {
    Constant(u32),
    Computed(Handle<Expression>),
}

impl Specialiser<'_> {
    /// Copies `original`; its arguments number `restricted` lead to `targets`.
    pub(super) fn rebuild(
        &mut self,
        original: &Function,
        restricted: &[usize],
        targets: &[Target],
    ) -> Result<Function, SourceError> {
        let mut copying = Copying::new(original);
        copying.declare_arguments(restricted, targets);
        copying.copy_expressions();
        let body = self.copy_block(&mut copying, &original.body)?;
        copying.copy.body.extend_block(body);
        Ok(copying.copy)
    }

    fn copy_block(
        &mut self,
        copying: &mut Copying<'_>,
        block: &Block,
    ) -> Result<Block, SourceError> {
        let mut copy = Block::with_capacity(block.len());
        for (statement, &span) in block.span_iter() {
            let statement = self.copy_statement(copying, statement, span)?;
            copy.push(statement, span);
        }
        Ok(copy)
    }

    fn copy_statement(
        &mut self,
        copying: &mut Copying<'_>,
        statement: &Statement,
        span: Span,
    ) -> Result<Statement, SourceError> {
        let mut copy = match statement {
            Statement::Emit(range) => return Ok(Statement::Emit(copying.place_of_range(range))),
            Statement::Call {
                function,
                arguments,
                result,
            } => return self.copy_call(copying, (*function, arguments, *result), span),
            Statement::Block(block) => Statement::Block(self.copy_block(copying, block)?),
            Statement::If {
                condition,
                accept,
                reject,
            } => Statement::If {
                condition: *condition,
                accept: self.copy_block(copying, accept)?,
                reject: self.copy_block(copying, reject)?,
            },
            Statement::Switch { selector, cases } => Statement::Switch {
                selector: *selector,
                cases: cases
                    .iter()
                    .map(|case| {
                        Ok(SwitchCase {
                            value: case.value,
                            body: self.copy_block(copying, &case.body)?,
                            fall_through: case.fall_through,
                        })
                    })
                    .collect::<Result<_, SourceError>>()?,
            },
            Statement::Loop {
                body,
                continuing,
                break_if,
            } => Statement::Loop {
                body: self.copy_block(copying, body)?,
                continuing: self.copy_block(copying, continuing)?,
                break_if: *break_if,
            },
            other => other.clone(),
        };
        visit_statement_operands(&mut copy, &mut |operand| {
            *operand = copying.place(*operand);
        });
        Ok(copy)
    }

    /// Copies a call: pointers are taken out of the arguments and select the callee's copy, their
    /// computed indices are put behind the other arguments.
    fn copy_call(
        &mut self,
        copying: &mut Copying<'_>,
        (callee, arguments, result): (
            Handle<Function>,
            &[Handle<Expression>],
            Option<Handle<Expression>>,
        ),
        span: Span,
    ) -> Result<Statement, SourceError> {
        let restricted = self.parameters.get(&callee).cloned().unwrap_or_default();
        let mut kept = Vec::new();
        let mut computed = Vec::new();
        let mut targets = Vec::new();
        for (index, &argument) in arguments.iter().enumerate() {
            if restricted.contains(&index) {
                self.require_same_type(copying, argument, (callee, index), span)?;
                let (target, indices) = self.target_of(copying, argument, span)?;
                targets.push(target);
                computed.extend(indices);
            } else {
                kept.push(copying.place(argument));
            }
        }
        kept.extend(computed);
        let function = self.copy_of(callee, targets)?;
        let result = result.map(|result| copying.place(result));
        if let Some(result) = result {
            *copying.copy.expressions.get_mut(result) = Expression::CallResult(function);
        }
        Ok(Statement::Call {
            function,
            arguments: kept,
            result,
        })
    }

    /// Fails unless the argument has exactly the type of the parameter that will disappear; naga's
    /// validator cannot see this any more.
    fn require_same_type(
        &self,
        copying: &mut Copying<'_>,
        argument: Handle<Expression>,
        (callee, index): (Handle<Function>, usize),
        span: Span,
    ) -> Result<(), SourceError> {
        let parameter = &self.originals[callee].arguments[index];
        let same = self.type_of(copying, argument).is_some_and(|ty| {
            compare_types(
                &ty,
                &TypeResolution::Handle(parameter.ty),
                &self.module.types,
            )
        });
        if same {
            return Ok(());
        }
        let message = format!(
            "the argument for `{}` does not have the parameter's pointer type",
            parameter.name.as_deref().unwrap_or("?"),
        );
        Err(refuse(
            &message,
            span,
            "space, access mode and the type pointed to have to be the same",
        ))
    }

    /// What a pointer of the original leads to, and the computed indices as expressions of the copy.
    fn target_of(
        &mut self,
        copying: &mut Copying<'_>,
        pointer: Handle<Expression>,
        span: Span,
    ) -> Result<(Target, Vec<Handle<Expression>>), SourceError> {
        let not_followed = || {
            refuse(
                "a pointer argument cannot be followed to a variable",
                span,
                "passed here",
            )
        };
        let (root, own_steps) =
            path(&copying.original.expressions, pointer).ok_or_else(not_followed)?;
        let (mut target, mut indices) = match root {
            Root::Variable(variable) => {
                let steps = Vec::new();
                (Target { variable, steps }, Vec::new())
            }
            Root::Argument(index) => match copying.arguments.get(index) {
                Some(Argument::Pointer {
                    target, indices, ..
                }) => (target.clone(), indices.clone()),
                _ => return Err(not_followed()),
            },
        };
        for step in own_steps {
            target.steps.push(match step {
                OwnStep::Constant(index) => Step::Constant(index),
                OwnStep::Computed(index) => {
                    indices.push(copying.place(index));
                    let ty = self.type_of(copying, index).ok_or_else(not_followed)?;
                    Step::Computed(self.handle_of(ty))
                }
            });
        }
        Ok((target, indices))
    }

    /// Type of an expression of the original; `None` if naga cannot tell.
    fn type_of(
        &self,
        copying: &mut Copying<'_>,
        expression: Handle<Expression>,
    ) -> Option<TypeResolution> {
        let original = copying.original;
        let context = ResolveContext {
            constants: &self.module.constants,
            overrides: &self.module.overrides,
            types: &self.module.types,
            special_types: &self.module.special_types,
            global_vars: &self.module.global_variables,
            local_vars: &original.local_variables,
            functions: self.originals,
            arguments: &original.arguments,
        };
        copying
            .types
            .grow(expression, &original.expressions, &context)
            .ok()?;
        Some(copying.types[expression].clone())
    }

    fn handle_of(&mut self, ty: TypeResolution) -> Handle<naga::Type> {
        match ty {
            TypeResolution::Handle(handle) => handle,
            TypeResolution::Value(inner) => self
                .module
                .types
                .insert(naga::Type { name: None, inner }, Span::UNDEFINED),
        }
    }
}

/// Follows a pointer back to where it comes from; steps are outermost first.
fn path(
    expressions: &naga::Arena<Expression>,
    mut pointer: Handle<Expression>,
) -> Option<(Root, Vec<OwnStep>)> {
    let mut steps = Vec::new();
    let root = loop {
        match expressions[pointer] {
            Expression::GlobalVariable(variable) => break Root::Variable(variable),
            Expression::FunctionArgument(index) => {
                break Root::Argument(usize::try_from(index).ok()?);
            }
            Expression::AccessIndex { base, index } => {
                steps.push(OwnStep::Constant(index));
                pointer = base;
            }
            Expression::Access { base, index } => {
                steps.push(OwnStep::Computed(index));
                pointer = base;
            }
            _ => return None,
        }
    };
    steps.reverse();
    Some((root, steps))
}
