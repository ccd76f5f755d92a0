//! The walk over a function's statements that finds its [`Facts`].

use std::rc::Rc;

use naga::{
    AddressSpace, Block, Expression, Function, Handle, Statement, StorageAccess, TypeInner,
    valid::FunctionInfo,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects;
use super::error::LowerError;
use super::facts::{Facts, Root, Roots, is_constant};
use super::operands;
use super::returns::returns;
use super::short_circuit::{ShortCircuit, recognise};
use super::state::Lowerer;

/// Stands for “not inside of a loop”.
const NO_LOOP: u32 = u32::MAX;

/// A loop whose body is being walked.
struct OpenLoop {
    id: u32,
    /// Expressions from before the loop that it reads.
    outer: Vec<Handle<Expression>>,
}

/// When an expression is evaluated and last read.
#[derive(Clone, Copy)]
struct Lifetime {
    emitted: u32,
    inside: u32,
    last_use: u32,
}

/// The state of the walk.
struct Walk<'w, 'a> {
    lowerer: &'w mut Lowerer<'a>,
    function: &'a Function,
    info: &'a FunctionInfo,
    roots: Roots,
    facts: Facts,
    position: u32,
    loops: Vec<OpenLoop>,
    loop_count: u32,
    lifetimes: Vec<Lifetime>,
    /// Positions of stores, in order, by what they store to.
    stores: FxHashMap<Root, Vec<u32>>,
    /// Stores to locals other than results of `&&` and `||`.
    local_stores: u32,
}

/// Finds the facts of a function.
pub(super) fn find<'a>(
    lowerer: &mut Lowerer<'a>,
    function: &'a Function,
    info: &'a FunctionInfo,
) -> Result<Rc<Facts>, LowerError> {
    let expressions = function.expressions.len();
    let mut walk = Walk {
        roots: Roots::new(lowerer.module, function),
        lowerer,
        function,
        info,
        facts: Facts {
            indexed_locals: vec![false; function.local_variables.len()],
            indexed_arguments: vec![false; function.arguments.len()],
            written_arguments: vec![false; function.arguments.len()],
            indexed_private: FxHashSet::default(),
            written_private: FxHashSet::default(),
            writes_memory: false,
            pure: true,
            overwritten: vec![false; expressions],
            fused: vec![None; function.local_variables.len()],
            returns: returns(&function.body),
        },
        position: 1,
        loops: Vec::new(),
        loop_count: 0,
        lifetimes: vec![
            Lifetime {
                emitted: 0,
                inside: NO_LOOP,
                last_use: 0,
            };
            expressions
        ],
        stores: FxHashMap::default(),
        local_stores: 0,
    };
    walk.block(&function.body)?;
    walk.finish();
    Ok(Rc::new(walk.facts))
}

impl<'a> Walk<'_, 'a> {
    fn block(&mut self, block: &'a Block) -> Result<(), LowerError> {
        self.lowerer.enter()?;
        for statement in block {
            self.position += 1;
            self.statement(statement)?;
        }
        self.lowerer.leave();
        Ok(())
    }

    fn statement(&mut self, statement: &'a Statement) -> Result<(), LowerError> {
        match *statement {
            Statement::Emit(ref range) => range.clone().for_each(|handle| self.emit(handle)),
            Statement::Block(ref block) => self.block(block)?,
            Statement::If {
                condition,
                ref accept,
                ref reject,
            } => self.branch(condition, accept, reject)?,
            Statement::Switch {
                selector,
                ref cases,
            } => {
                self.read(selector);
                self.facts.pure = false;
                for case in cases {
                    self.block(&case.body)?;
                }
            }
            Statement::Loop {
                ref body,
                ref continuing,
                break_if,
            } => self.repeat(body, continuing, break_if)?,
            Statement::Break | Statement::Continue => {}
            Statement::Return { value } => value.into_iter().for_each(|value| self.read(value)),
            Statement::Store { pointer, value } => {
                self.read(pointer);
                self.read(value);
                self.write(self.roots.of(pointer));
            }
            Statement::Call {
                function,
                ref arguments,
                result,
            } => self.call(function, arguments, result)?,
            ref other => self.effect(other),
        }
        Ok(())
    }

    fn emit(&mut self, handle: Handle<Expression>) {
        let expression = &self.function.expressions[handle];
        self.define(handle);
        operands::for_each(expression, |operand| self.read(operand));
        if !self.is_pure(expression) {
            self.facts.pure = false;
        }
        if let Expression::Access { base, index } = *expression
            && !is_constant(self.function, index)
            && self.is_array(base)
        {
            self.index(self.roots.of(base));
        }
    }

    fn define(&mut self, handle: Handle<Expression>) {
        self.lifetimes[handle.index()] = Lifetime {
            emitted: self.position,
            inside: self.loops.last().map_or(NO_LOOP, |open| open.id),
            last_use: self.position,
        };
    }

    fn read(&mut self, handle: Handle<Expression>) {
        let lifetime = &mut self.lifetimes[handle.index()];
        lifetime.last_use = lifetime.last_use.max(self.position);
        if let Some(open) = self.loops.last_mut()
            && lifetime.emitted != 0
            && lifetime.inside != open.id
        {
            open.outer.push(handle);
        }
    }

    fn write(&mut self, root: Root) {
        match root {
            Root::None => return,
            Root::Local(local) => {
                if self.facts.fused[local.index()].is_none() {
                    self.local_stores += 1;
                }
            }
            Root::Argument(index) => {
                self.facts.written_arguments[index as usize] = true;
                self.facts.pure = false;
            }
            Root::Private(global) => {
                self.facts.written_private.insert(global);
                self.facts.pure = false;
            }
            Root::Memory => {
                self.facts.writes_memory = true;
                self.facts.pure = false;
            }
        }
        self.stores.entry(root).or_default().push(self.position);
    }

    /// Notes that an array in the root variable is indexed at run time.
    fn index(&mut self, root: Root) {
        match root {
            Root::Local(local) => self.facts.indexed_locals[local.index()] = true,
            Root::Argument(index) => self.facts.indexed_arguments[index as usize] = true,
            Root::Private(global) => {
                self.facts.indexed_private.insert(global);
            }
            Root::None | Root::Memory => {}
        }
    }

    fn inner(&self, handle: Handle<Expression>) -> &TypeInner {
        self.info[handle].ty.inner_with(&self.lowerer.module.types)
    }

    fn is_array(&self, handle: Handle<Expression>) -> bool {
        match *self.inner(handle) {
            TypeInner::Array { .. } => true,
            TypeInner::Pointer { base, .. } => {
                matches!(
                    self.lowerer.module.types[base].inner,
                    TypeInner::Array { .. }
                )
            }
            _ => false,
        }
    }

    /// Whether evaluating the expression where the source does not is harmless and reads nothing
    /// but parameters.
    fn is_pure(&self, expression: &Expression) -> bool {
        match *expression {
            Expression::Load { pointer } => {
                let space = match *self.inner(pointer) {
                    TypeInner::Pointer { space, .. } | TypeInner::ValuePointer { space, .. } => {
                        space
                    }
                    _ => return false,
                };
                let fixed = match space {
                    AddressSpace::Function
                    | AddressSpace::Private
                    | AddressSpace::Uniform
                    | AddressSpace::Immediate => true,
                    AddressSpace::Storage { access } => !access.contains(StorageAccess::STORE),
                    _ => false,
                };
                fixed && self.roots.is_constant(pointer)
            }
            Expression::ImageSample { .. }
            | Expression::ImageLoad { .. }
            | Expression::Derivative { .. }
            | Expression::RayQueryVertexPositions { .. }
            | Expression::RayQueryGetIntersection { .. }
            | Expression::CooperativeLoad { .. }
            | Expression::CooperativeMultiplyAdd { .. } => false,
            _ => true,
        }
    }

    fn branch(
        &mut self,
        condition: Handle<Expression>,
        accept: &'a Block,
        reject: &'a Block,
    ) -> Result<(), LowerError> {
        self.read(condition);
        let Some(operator) = recognise(self.function, condition, accept, reject) else {
            self.facts.pure = false;
            self.block(accept)?;
            return self.block(reject);
        };
        let ShortCircuit { local, left, .. } = operator;
        self.read(left);
        let straight = std::mem::replace(&mut self.facts.pure, true);
        let local_stores = self.local_stores;
        // Until the right side is judged, the result counts as one of the temporaries.
        self.facts.fused[local.index()] = Some(false);
        self.block(accept)?;
        self.block(reject)?;
        let pure = self.facts.pure && self.local_stores == local_stores;
        self.facts.fused[local.index()] = Some(pure);
        // The left side is read after the right one when both are evaluated.
        self.position += 1;
        self.read(left);
        self.facts.pure = straight && pure;
        Ok(())
    }

    fn repeat(
        &mut self,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        self.facts.pure = false;
        let id = self.loop_count;
        self.loop_count += 1;
        self.loops.push(OpenLoop {
            id,
            outer: Vec::new(),
        });
        self.block(body)?;
        self.block(continuing)?;
        self.position += 1;
        break_if
            .into_iter()
            .for_each(|condition| self.read(condition));
        let closed = self.loops.pop();
        for handle in closed.into_iter().flat_map(|closed| closed.outer) {
            self.read(handle);
        }
        Ok(())
    }

    fn call(
        &mut self,
        function: Handle<Function>,
        arguments: &'a [Handle<Expression>],
        result: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        let callee = self.lowerer.facts_of(function)?;
        for (index, &argument) in arguments.iter().enumerate() {
            let root = self.roots.of(argument);
            if callee.indexed_arguments[index] {
                self.index(root);
            }
            if callee.written_arguments[index] {
                self.write(root);
            }
        }
        self.facts.indexed_private.extend(&callee.indexed_private);
        for &global in &callee.written_private {
            self.write(Root::Private(global));
        }
        if callee.writes_memory {
            self.write(Root::Memory);
        }
        self.facts.pure &= callee.pure;
        // Arguments are read after the callee has written.
        self.position += 1;
        arguments.iter().for_each(|&argument| self.read(argument));
        result.into_iter().for_each(|result| self.define(result));
        Ok(())
    }

    /// Statements that affect something outside of the invocation.
    fn effect(&mut self, statement: &Statement) {
        effects::for_each_operand(statement, |operand| self.read(operand));
        if let Some(result) = effects::result(statement) {
            self.define(result);
        }
        self.write(Root::Memory);
    }

    /// Decides which loads see a later store.
    fn finish(&mut self) {
        for (handle, expression) in self.function.expressions.iter().rev() {
            if self.lifetimes[handle.index()].emitted == 0 {
                continue;
            }
            let loaded = match *expression {
                Expression::Load { pointer } => Some(pointer),
                _ => None,
            };
            let deferred = loaded.is_some() && {
                let ty = self.lowerer.types.of_resolution(&self.info[handle].ty);
                self.lowerer.types.holds_array(ty)
            };
            let last_use = self.lifetimes[handle.index()].last_use;
            if deferred || operands::forwards(expression) {
                operands::for_each(expression, |operand| {
                    let lifetime = &mut self.lifetimes[operand.index()];
                    lifetime.last_use = lifetime.last_use.max(last_use);
                });
            }
            if let Some(pointer) = loaded {
                let root = self.roots.of(pointer);
                // What an argument points to may be shared memory.
                let shared = deferred && matches!(root, Root::Argument(_));
                self.facts.overwritten[handle.index()] = self.is_written(root, handle)
                    || shared && self.is_written(Root::Memory, handle);
            }
        }
    }

    /// Whether something is stored to `root` while the value of `handle` is in use.
    fn is_written(&self, root: Root, handle: Handle<Expression>) -> bool {
        let Lifetime {
            emitted, last_use, ..
        } = self.lifetimes[handle.index()];
        self.stores.get(&root).is_some_and(|stores| {
            let next = stores.partition_point(|&store| store <= emitted);
            stores.get(next).is_some_and(|&store| store < last_use)
        })
    }
}
