//! Atomics and `workgroupUniformLoad`.

use cresta_ir::{AccessKind, AtomicFunction, BarrierScope, Kind, Operand, Scalar};
use naga::{Expression, Handle};

use super::frame::Frame;
use super::state::Lowerer;
use super::types::Unit;
use super::value::{Leaves, Value};

/// The IR's function, and the comparand of a compare-exchange.
pub(super) fn function(fun: &naga::AtomicFunction) -> (AtomicFunction, Option<Handle<Expression>>) {
    match *fun {
        naga::AtomicFunction::Add => (AtomicFunction::Add, None),
        naga::AtomicFunction::Subtract => (AtomicFunction::Subtract, None),
        naga::AtomicFunction::And => (AtomicFunction::And, None),
        naga::AtomicFunction::ExclusiveOr => (AtomicFunction::ExclusiveOr, None),
        naga::AtomicFunction::InclusiveOr => (AtomicFunction::InclusiveOr, None),
        naga::AtomicFunction::Min => (AtomicFunction::Min, None),
        naga::AtomicFunction::Max => (AtomicFunction::Max, None),
        naga::AtomicFunction::Exchange { compare: None } => (AtomicFunction::Exchange, None),
        naga::AtomicFunction::Exchange { compare } => (AtomicFunction::CompareExchange, compare),
    }
}

impl<'a> Lowerer<'a> {
    pub(super) fn atomic(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        fun: &naga::AtomicFunction,
        value: Handle<Expression>,
        result: Option<Handle<Expression>>,
    ) {
        let operand = self.operand(frame, value);
        let (function, compare) = function(fun);
        let compare = compare.map(|compare| self.operand(frame, compare));
        let scalar = self.scalar_of(operand);
        let target = result.map(|_| self.register(scalar));
        let exchanged = match compare {
            Some(_) => target.map(|_| self.register(Scalar::Bool)),
            None => None,
        };
        let unit = Unit {
            offset: 0,
            leaf: 0,
            scalar,
            components: 1,
        };
        let access = match self.value(frame, pointer) {
            Value::Pointer(pointer) => self.access(pointer, unit, AccessKind::Atomic, true),
            _ => None,
        };
        match access {
            Some(access) => self.emit(Kind::Atomic {
                function,
                target,
                exchanged,
                value: operand,
                compare,
                access,
            }),
            None => {
                self.unsupported("an atomic outside of memory", &[], &[operand]);
            }
        }
        if let Some(result) = result {
            let registers = target.into_iter().chain(exchanged);
            let operands: Vec<_> = registers.map(Operand::Register).collect();
            frame.values[result.index()] = Value::Leaves(self.keep(&operands));
        }
    }

    /// A barrier, the load, a barrier.
    pub(super) fn uniform_load(
        &mut self,
        frame: &mut Frame<'a>,
        pointer: Handle<Expression>,
        result: Handle<Expression>,
    ) {
        let atomic = self.is_atomic(frame, pointer);
        let target = self.value(frame, pointer);
        let scope = BarrierScope {
            workgroup: true,
            ..BarrierScope::default()
        };
        self.emit(Kind::Barrier(scope));
        let first = self.accesses.len();
        let leaves = match target {
            Value::Pointer(target) if !self.is_large(target.ty) => self.load_units(target, atomic),
            Value::Pointer(target) => self.unknown(target.ty),
            _ => Leaves::default(),
        };
        for access in &mut self.accesses[first..] {
            access.workgroup_uniform = true;
        }
        self.emit(Kind::Barrier(scope));
        frame.values[result.index()] = Value::Leaves(leaves);
    }
}
