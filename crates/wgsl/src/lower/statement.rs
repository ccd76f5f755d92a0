//! Statements: control flow, and the dispatch to everything else.

use cresta_ir::{BarrierScope, Block, Kind, Operand};
use naga::{Barrier, Expression, Handle, Statement};

use super::error::LowerError;
use super::frame::{Exit, Frame, ReturnTo, Scope};
use super::short_circuit::recognise;
use super::state::Lowerer;
use super::value::Value;

impl<'a> Lowerer<'a> {
    /// Lowers statements into the current block.
    pub(super) fn statements(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a naga::Block,
    ) -> Result<(), LowerError> {
        self.first_statements(frame, block, block.len())
    }

    /// Lowers the first `count` statements of a block.
    pub(super) fn first_statements(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a naga::Block,
        count: usize,
    ) -> Result<(), LowerError> {
        self.enter()?;
        for (statement, &span) in block.span_iter().take(count) {
            self.check_size()?;
            self.at(span);
            match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        self.evaluate(frame, handle);
                    }
                }
                Statement::Block(block) => self.statements(frame, block)?,
                statement => self.statement(frame, statement)?,
            }
            if is_terminator(statement) {
                break;
            }
        }
        self.leave();
        Ok(())
    }

    /// Lowers statements into a block of their own.
    fn nested(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a naga::Block,
    ) -> Result<Block, LowerError> {
        let outer = self.open_block();
        self.statements(frame, block)?;
        Ok(self.close_block(outer))
    }

    #[inline(never)]
    fn statement(
        &mut self,
        frame: &mut Frame<'a>,
        statement: &'a Statement,
    ) -> Result<(), LowerError> {
        match *statement {
            Statement::Emit(_) | Statement::Block(_) => {}
            Statement::If {
                condition,
                ref accept,
                ref reject,
            } => return self.branch(frame, condition, accept, reject),
            Statement::Switch {
                selector,
                ref cases,
            } => return self.switch(frame, selector, cases),
            Statement::Loop {
                ref body,
                ref continuing,
                break_if,
            } => return self.repeat(frame, body, continuing, break_if),
            Statement::Break => {
                if let Some(exit) = frame.exits.last() {
                    self.emit(Kind::Break(exit.label));
                }
            }
            Statement::Continue => {
                if let Some(exit) = frame.exits.iter().rev().find(|exit| exit.is_loop) {
                    self.emit(Kind::Continue(exit.label));
                }
            }
            Statement::Return { value } => self.give_back(frame, value),
            Statement::Kill => {
                self.unsupported("`discard`", &[], &[]);
                self.emit(Kind::Return);
            }
            Statement::ControlBarrier(flags) => self.emit(Kind::Barrier(scope(flags))),
            Statement::MemoryBarrier(flags) => self.emit(Kind::MemoryBarrier(scope(flags))),
            Statement::Store { pointer, value } => self.store(frame, pointer, value),
            Statement::Call {
                function,
                ref arguments,
                result,
            } => return self.call(frame, function, arguments, result),
            ref other => self.operation(frame, other),
        }
        Ok(())
    }

    /// Statements that are one operation on memory, textures or the SIMD group.
    fn operation(&mut self, frame: &mut Frame<'a>, statement: &'a Statement) {
        match *statement {
            Statement::ImageStore {
                image,
                coordinate,
                array_index,
                value,
            } => self.image_store(frame, image, (coordinate, array_index), value),
            Statement::Atomic {
                pointer,
                ref fun,
                value,
                result,
            } => self.atomic(frame, pointer, fun, value, result),
            Statement::ImageAtomic {
                image,
                coordinate,
                array_index,
                ref fun,
                value,
            } => self.image_atomic(frame, image, (coordinate, array_index), fun, value),
            Statement::WorkGroupUniformLoad { pointer, result } => {
                self.uniform_load(frame, pointer, result);
            }
            Statement::SubgroupBallot { result, predicate } => {
                self.ballot(frame, result, predicate);
            }
            Statement::SubgroupGather {
                ref mode,
                argument,
                result,
            } => self.gather(frame, mode, argument, result),
            Statement::SubgroupCollectiveOperation {
                op,
                collective_op,
                argument,
                result,
            } => self.collective(frame, (op, collective_op), argument, result),
            Statement::RayQuery { ref fun, .. } => self.ray_query(frame, fun),
            Statement::RayPipelineFunction(_) => {
                self.unsupported("a ray tracing pipeline", &[], &[]);
            }
            Statement::CooperativeStore { .. } => {
                self.unsupported("a cooperative matrix", &[], &[]);
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

    fn ray_query(&mut self, frame: &mut Frame<'a>, fun: &naga::RayQueryFunction) {
        let result = match *fun {
            naga::RayQueryFunction::Proceed { result } => Some(result),
            _ => None,
        };
        let scalars: &[_] = match result {
            Some(_) => &[cresta_ir::Scalar::Bool],
            None => &[],
        };
        let leaves = self.unsupported("a ray query", scalars, &[]);
        if let Some(result) = result {
            frame.values[result.index()] = Value::Leaves(leaves);
        }
    }

    fn branch(
        &mut self,
        frame: &mut Frame<'a>,
        condition: Handle<Expression>,
        accept: &'a naga::Block,
        reject: &'a naga::Block,
    ) -> Result<(), LowerError> {
        if let Scope::Function {
            function, facts, ..
        } = &frame.scope
            && let Some(operator) = recognise(function, condition, accept, reject)
        {
            let fused = facts.fuses(operator.local);
            return self.logical(frame, operator, fused, (accept, reject));
        }
        if reject.len() == 1 && accept.is_empty() && matches!(reject[0], Statement::Break) {
            // The condition of a `for` or `while`: naga's span starts before it.
            self.at(frame.expressions.get_span(condition));
        }
        let span = self.span;
        let condition = self.operand(frame, condition);
        let accept = self.nested(frame, accept)?;
        let reject = self.nested_at(frame, reject, span)?;
        self.span = span;
        self.emit(Kind::If {
            condition,
            accept,
            reject,
            short_circuit: false,
        });
        Ok(())
    }

    /// Like [`Lowerer::nested`], with `span` for statements whose own is unknown.
    pub(super) fn nested_at(
        &mut self,
        frame: &mut Frame<'a>,
        block: &'a naga::Block,
        span: cresta_ir::SpanId,
    ) -> Result<Block, LowerError> {
        self.span = span;
        self.nested(frame, block)
    }

    fn repeat(
        &mut self,
        frame: &mut Frame<'a>,
        body: &'a naga::Block,
        continuing: &'a naga::Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        let span = self.span;
        let label = self.label();
        frame.exits.push(Exit {
            label,
            is_loop: true,
        });
        self.loops += 1;
        let mut body = self.nested(frame, body)?;
        body.pop_if(|last| last.kind == Kind::Continue(label));
        let outer = self.open_block();
        self.span = span;
        self.statements(frame, continuing)?;
        let break_if: Option<Operand> = break_if.map(|condition| self.operand(frame, condition));
        let continuing = self.close_block(outer);
        self.loops -= 1;
        frame.exits.pop();
        self.span = span;
        self.emit(Kind::Loop {
            label,
            body,
            continuing,
            break_if,
        });
        Ok(())
    }

    fn give_back(&mut self, frame: &mut Frame<'a>, value: Option<Handle<Expression>>) {
        match frame.returns {
            ReturnTo::Kernel => self.emit(Kind::Return),
            ReturnTo::Forward(_) => {
                if let Some(value) = value {
                    let value = self.returned(frame, value);
                    frame.returns = ReturnTo::Forward(value);
                }
            }
            ReturnTo::Registers { label, first } => {
                if let Some(value) = value {
                    let leaves = self.operands(frame, value);
                    self.assign(frame, value, first, leaves);
                }
                if let Some(label) = label {
                    self.emit(Kind::Break(label));
                }
            }
        }
    }
}

fn is_terminator(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Break | Statement::Continue | Statement::Return { .. } | Statement::Kill
    )
}

fn scope(flags: Barrier) -> BarrierScope {
    BarrierScope {
        storage: flags.contains(Barrier::STORAGE),
        workgroup: flags.contains(Barrier::WORK_GROUP),
        texture: flags.contains(Barrier::TEXTURE),
        subgroup: flags.contains(Barrier::SUB_GROUP),
    }
}
