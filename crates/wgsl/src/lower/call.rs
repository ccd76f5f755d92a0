//! Inlining of calls.

use cresta_ir::{Block, Call, CallId, Kind, Operand, Register, Scalar};
use naga::{Expression, Function, Handle};

use super::array::EXPANSION_LIMIT;
use super::error::LowerError;
use super::facts::Returns;
use super::frame::{Frame, ReturnTo, Scope};
use super::globals::REGISTER_LIMIT;
use super::state::Lowerer;
use super::types::Ty;
use super::value::{Leaves, Place, Pointer, Value};

impl<'a> Lowerer<'a> {
    pub(super) fn call(
        &mut self,
        frame: &mut Frame<'a>,
        function: Handle<Function>,
        arguments: &[Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        let (module, info) = (self.module, self.info);
        let callee = &module.functions[function];
        let scope = Scope::Function {
            function: callee,
            info: &info[function],
            facts: self.facts_of(function)?,
        };
        let mut inner = Frame::new(&callee.expressions, scope);
        for &argument in arguments {
            let value = self.value(frame, argument);
            inner.arguments.push(value);
        }
        let (span, call) = (self.span, self.call);
        self.calls.push(Call {
            function: callee.name.clone().unwrap_or_default(),
            site: self.spans[span.0 as usize],
        });
        self.call = Some(CallId(self.calls.len() as u32 - 1));
        self.enter()?;
        let value = self.inline(&mut inner, callee)?;
        self.leave();
        self.span = span;
        self.call = call;
        if let Some(result) = result {
            frame.values[result.index()] = value;
        }
        Ok(())
    }

    /// Lowers the body of a called function and returns its result.
    fn inline(&mut self, frame: &mut Frame<'a>, callee: &'a Function) -> Result<Value, LowerError> {
        let Scope::Function { facts, .. } = &frame.scope else {
            return Ok(Value::Opaque);
        };
        let returns = facts.returns;
        let site = self.span;
        frame.own_registers = self.registers.len() as u32;
        frame.own_variables = self.variables.len() as u32;
        self.declare_locals(frame, callee);
        let ty = callee
            .result
            .as_ref()
            .map(|result| self.types.of(result.ty));
        let label = match returns {
            Returns::Early => Some(self.label()),
            Returns::Last | Returns::Tail => None,
        };
        let forwards = returns == Returns::Last || ty.is_none() && label.is_none();
        let scalars = match ty {
            Some(ty) if !forwards && !self.is_large(ty) => self.types.scalars(ty),
            _ => Vec::new(),
        };
        frame.returns = if forwards {
            ReturnTo::Forward(Value::Opaque)
        } else {
            let first = self.variable_registers(&scalars);
            ReturnTo::Registers { label, first }
        };
        let outer = label.map(|_| self.open_block());
        self.statements(frame, &callee.body)?;
        if let (Some(outer), Some(label)) = (outer, label) {
            let mut body: Block = self.close_block(outer);
            body.pop_if(|last| last.kind == Kind::Break(label));
            self.span = site;
            self.emit(Kind::Block { label, body });
        }
        Ok(match frame.returns {
            ReturnTo::Kernel => Value::Opaque,
            ReturnTo::Forward(value) => value,
            ReturnTo::Registers { first, .. } => self.result_in(first, &scalars),
        })
    }

    fn result_in(&mut self, first: u32, scalars: &[Scalar]) -> Value {
        let registers: Vec<_> = (first..)
            .take(scalars.len())
            .map(|number| Operand::Register(Register(number)))
            .collect();
        Value::Leaves(self.keep(&registers))
    }

    /// A value on its way out of a function: it must not change when the caller writes a variable
    /// that it was read from.
    pub(super) fn returned(&mut self, frame: &mut Frame<'a>, value: Handle<Expression>) -> Value {
        let ty = self.ty(frame, value);
        match self.value(frame, value) {
            Value::Leaves(leaves) => Value::Leaves(self.settled(frame, leaves)),
            Value::Deferred(pointer) => self.returned_array(frame, ty, pointer),
            other => other,
        }
    }

    fn settled(&mut self, frame: &Frame<'a>, leaves: Leaves) -> Leaves {
        let foreign = |lowerer: &Self, operand: Operand| match operand {
            Operand::Register(Register(number)) => {
                number < frame.own_registers && lowerer.is_mutable(operand)
            }
            _ => false,
        };
        if !self
            .slice(leaves)
            .iter()
            .any(|&operand| foreign(self, operand))
        {
            return leaves;
        }
        let settled: Vec<_> = (0..leaves.len)
            .map(|index| {
                let operand = self.leaf(leaves, index);
                if foreign(self, operand) {
                    self.snapshot(operand)
                } else {
                    operand
                }
            })
            .collect();
        self.keep(&settled)
    }

    fn returned_array(&mut self, frame: &Frame<'a>, ty: Ty, pointer: Pointer) -> Value {
        if let Place::Memory { variable, .. } = pointer.place {
            let own = variable.0 >= frame.own_variables;
            if own || !self.variables[variable.0 as usize].writable {
                return Value::Deferred(pointer);
            }
        }
        if self.types.leaves(ty) <= EXPANSION_LIMIT {
            return Value::Leaves(self.load_all(pointer));
        }
        let copy = self.private("array copy", ty, None);
        self.store_bulk(copy, Some(pointer));
        Value::Deferred(copy)
    }

    /// Makes a function's local variables and initialises them.
    ///
    /// Registers and private memory start as zero, so a variable without an initialiser needs
    /// nothing, unless the call is in a loop and may find what the last iteration left.
    pub(super) fn declare_locals(&mut self, frame: &mut Frame<'a>, function: &'a Function) {
        for (handle, local) in function.local_variables.iter() {
            let ty = self.types.of(local.ty);
            let indexed = match &frame.scope {
                Scope::Function { facts, .. } => facts.indexed_locals[handle.index()],
                Scope::Module => false,
            };
            let large = self.types.leaves(ty) > REGISTER_LIMIT;
            let value = if ty == Ty::Opaque {
                Value::Opaque
            } else if self.types.holds_array(ty) && (indexed || large) {
                let name = local.name.as_deref().unwrap_or("local array");
                let declared = function.local_variables.get_span(handle).to_range();
                let declared = declared.map(|range| (range.start as u32, range.end as u32));
                Value::Pointer(self.private(name, ty, declared))
            } else {
                self.register_variable(ty)
            };
            frame.locals.push(value);
        }
        for (handle, local) in function.local_variables.iter() {
            let Value::Pointer(target) = frame.locals[handle.index()] else {
                continue;
            };
            let temporary = match &frame.scope {
                Scope::Function { facts, .. } => facts.fused[handle.index()].is_some(),
                Scope::Module => false,
            };
            self.at(function.local_variables.get_span(handle));
            match local.init {
                Some(init) => match self.value(frame, init) {
                    Value::Leaves(leaves) => self.store_leaves(target, leaves, false),
                    Value::Deferred(source) => self.store_bulk(target, Some(source)),
                    Value::Zero => self.store_bulk(target, None),
                    Value::Unset | Value::Pointer(_) | Value::Opaque => {}
                },
                None if self.loops > 0 && !temporary => self.store_bulk(target, None),
                None => {}
            }
        }
    }
}
