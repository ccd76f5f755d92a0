//! `&&`, `||` and `switch`.

use cresta_ir::{Case, Instruction, Kind, Operation, Register, Scalar};
use naga::{Expression, Handle, SwitchCase, SwitchValue};

use super::error::LowerError;
use super::frame::{Exit, Frame};
use super::literal;
use super::short_circuit::ShortCircuit;
use super::state::Lowerer;
use super::value::{Place, Pointer, Value};

impl<'a> Lowerer<'a> {
    /// An operator that naga wrote as a branch. When the right side may be evaluated always, it
    /// becomes one operation, else a branch that is marked as coming from an operator.
    pub(super) fn logical(
        &mut self,
        frame: &mut Frame<'a>,
        operator: ShortCircuit,
        fused: bool,
        blocks: (&'a naga::Block, &'a naga::Block),
    ) -> Result<(), LowerError> {
        let span = self.span;
        let Value::Pointer(Pointer {
            place: Place::Registers { first, .. },
            ..
        }) = frame.locals[operator.local.index()]
        else {
            return Ok(());
        };
        let target = Register(first);
        let left = self.operand(frame, operator.left);
        if fused {
            // The last statement stores the right side; its value is used instead.
            self.first_statements(frame, blocks.0, blocks.0.len() - 1)?;
            self.span = span;
            let right = self.operand(frame, operator.right);
            let operation = if operator.or {
                Operation::Or
            } else {
                Operation::And
            };
            self.emit(Kind::Compute {
                target,
                operation,
                scalar: Scalar::Bool,
                arguments: vec![left, right],
            });
            return Ok(());
        }
        let evaluated = self.nested_at(frame, blocks.0, span)?;
        self.span = span;
        let settled = vec![Instruction {
            kind: Kind::Copy {
                target,
                source: literal::boolean(operator.or),
            },
            span,
        }];
        let (accept, reject) = if operator.or {
            (settled, evaluated)
        } else {
            (evaluated, settled)
        };
        self.emit(Kind::If {
            condition: left,
            accept,
            reject,
            short_circuit: true,
        });
        Ok(())
    }

    /// A `switch`, without fall-through: cases that only fall through share the next body, and a
    /// body that falls through is followed by a copy of the next.
    pub(super) fn switch(
        &mut self,
        frame: &mut Frame<'a>,
        selector: Handle<Expression>,
        cases: &'a [SwitchCase],
    ) -> Result<(), LowerError> {
        let span = self.span;
        let selector = self.operand(frame, selector);
        let label = self.label();
        frame.exits.push(Exit {
            label,
            is_loop: false,
        });
        let mut lowered = Vec::with_capacity(cases.len());
        let mut values = Vec::new();
        let mut default = false;
        for (index, case) in cases.iter().enumerate() {
            match case.value {
                SwitchValue::I32(value) => values.push(value.into()),
                SwitchValue::U32(value) => values.push(value.into()),
                SwitchValue::Default => default = true,
            }
            if case.fall_through && case.body.is_empty() && index + 1 < cases.len() {
                continue;
            }
            let outer = self.open_block();
            for case in &cases[index..] {
                self.span = span;
                self.statements(frame, &case.body)?;
                if !case.fall_through || ends(&self.block) {
                    break;
                }
            }
            let mut body = self.close_block(outer);
            body.pop_if(|last| last.kind == Kind::Break(label));
            lowered.push(Case {
                values: std::mem::take(&mut values),
                default: std::mem::replace(&mut default, false),
                body,
            });
        }
        frame.exits.pop();
        self.span = span;
        self.emit(Kind::Switch {
            label,
            selector,
            cases: lowered,
        });
        Ok(())
    }
}

/// Whether control does not reach the end of the block.
fn ends(block: &[Instruction]) -> bool {
    block
        .last()
        .is_some_and(|last| matches!(last.kind, Kind::Break(_) | Kind::Continue(_) | Kind::Return))
}
