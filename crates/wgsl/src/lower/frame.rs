//! What one inlined call, or the module, keeps while its expressions are evaluated.

use std::rc::Rc;

use cresta_ir::Label;
use naga::{Expression, Function, Handle};

use super::facts::Facts;
use super::state::Lowerer;
use super::types::Ty;
use super::value::Value;

/// The expressions of one inlined call, or of the module, and their values.
pub(super) struct Frame<'a> {
    pub(super) expressions: &'a naga::Arena<Expression>,
    pub(super) scope: Scope<'a>,
    pub(super) values: Vec<Value>,
    pub(super) locals: Vec<Value>,
    pub(super) arguments: Vec<Value>,
    /// Loops and switches around the current statement, within the function.
    pub(super) exits: Vec<Exit>,
    pub(super) returns: ReturnTo,
    /// The last expression that added instructions for a value of its own, and how many there
    /// were after it.
    pub(super) fresh: Option<(Handle<Expression>, usize)>,
    /// Registers and variables from these on belong to the inlined call.
    pub(super) own_registers: u32,
    pub(super) own_variables: u32,
}

/// What the expressions of a frame belong to.
pub(super) enum Scope<'a> {
    /// A function.
    Function {
        function: &'a Function,
        info: &'a naga::valid::FunctionInfo,
        facts: Rc<Facts>,
    },
    /// The module.
    Module,
}

/// A loop or switch that can be left.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) label: Label,
    pub(super) is_loop: bool,
}

/// Where a return statement leads.
#[derive(Clone, Copy)]
pub(super) enum ReturnTo {
    /// Out of the kernel.
    Kernel,
    /// On with what follows; the value is handed over as it is.
    Forward(Value),
    /// Out of the block with this label, if any, with the value in registers from `first` on.
    Registers { label: Option<Label>, first: u32 },
}

impl<'a> Frame<'a> {
    pub(super) fn new(expressions: &'a naga::Arena<Expression>, scope: Scope<'a>) -> Self {
        Frame {
            values: vec![Value::Unset; expressions.len()],
            ..Frame::empty(expressions, scope)
        }
    }

    /// A frame without room for values.
    pub(super) fn empty(expressions: &'a naga::Arena<Expression>, scope: Scope<'a>) -> Self {
        Frame {
            values: Vec::new(),
            expressions,
            scope,
            locals: Vec::new(),
            arguments: Vec::new(),
            exits: Vec::new(),
            returns: ReturnTo::Kernel,
            fresh: None,
            own_registers: 0,
            own_variables: 0,
        }
    }
}

impl<'a> Lowerer<'a> {
    /// naga's type of an expression.
    pub(super) fn inner<'f>(
        &'f self,
        frame: &'f Frame<'a>,
        handle: Handle<Expression>,
    ) -> &'f naga::TypeInner {
        let resolution = match &frame.scope {
            Scope::Function { info, .. } => &info[handle].ty,
            Scope::Module => &self.info[handle],
        };
        resolution.inner_with(&self.module.types)
    }

    /// The type of an expression.
    pub(super) fn ty(&self, frame: &Frame<'a>, handle: Handle<Expression>) -> Ty {
        let resolution = match &frame.scope {
            Scope::Function { info, .. } => &info[handle].ty,
            Scope::Module => &self.info[handle],
        };
        self.types.of_resolution(resolution)
    }
}
