//! The state of a lowering: the kernel's tables as they grow, and how instructions are added.

use std::rc::Rc;

use cresta_ir::{
    Access, AccessId, Block, Call, CallId, Instruction, Kind, Label, Operand, Operation, Override,
    OverrideId, Register, Scalar, SourceSpan, SpanId, Term, Variable, VariableId,
};
use naga::valid::ModuleInfo;
use naga::{Function, GlobalVariable, Handle, Module};
use rustc_hash::{FxHashMap, FxHashSet};

use super::error::{LowerError, UnsupportedNote};
use super::facts::Facts;
use super::overrides::Resolved;
use super::types::{Ty, Types};
use super::value::{Leaves, Value};
use super::walk;

/// How deep blocks and calls may nest, together.
const DEPTH_LIMIT: usize = 400;

/// Everything that a lowering carries along.
pub(super) struct Lowerer<'a> {
    pub(super) module: &'a Module,
    pub(super) info: &'a ModuleInfo,
    pub(super) types: Types<'a>,
    pub(super) resolved: Resolved,
    pub(super) workgroup_size: [u32; 3],
    facts: Vec<Option<Rc<Facts>>>,
    /// Private variables with an array that is indexed at run time.
    pub(super) indexed_private: FxHashSet<Handle<GlobalVariable>>,

    pub(super) variables: Vec<Variable>,
    pub(super) overrides: Vec<Override>,
    pub(super) registers: Vec<Scalar>,
    /// By register: whether it stands for a variable, so that it may be written again.
    mutable: Vec<bool>,
    pub(super) accesses: Vec<Access>,
    pub(super) spans: Vec<SourceSpan>,
    pub(super) calls: Vec<Call>,
    pub(super) prologue: Block,
    pub(super) notes: Vec<UnsupportedNote>,
    noted: FxHashSet<(String, u32)>,
    /// The block that instructions are added to.
    pub(super) block: Block,

    /// Operands of values.
    pub(super) leaves: Vec<Operand>,
    /// Index terms of pointers.
    pub(super) terms: Vec<Term>,
    pub(super) globals: Vec<Value>,
    pub(super) override_ids: Vec<Option<OverrideId>>,
    pub(super) global_values: Vec<Value>,
    /// Values of global expressions that the prologue has computed.
    pub(super) prologue_values: Vec<Value>,
    /// Constant arrays by type and contents.
    pub(super) tables: FxHashMap<(Ty, Vec<Operand>), VariableId>,

    /// Where the instructions that are added come from.
    pub(super) span: SpanId,
    /// The call that is being inlined.
    pub(super) call: Option<CallId>,
    /// Loops around the instructions that are added, calls included.
    pub(super) loops: u32,
    limit: usize,
    emitted: usize,
    depth: usize,
    labels: u32,
}

impl<'a> Lowerer<'a> {
    pub(super) fn new(
        module: &'a Module,
        info: &'a ModuleInfo,
        types: Types<'a>,
        resolved: Resolved,
        limit: usize,
    ) -> Self {
        let undefined = SourceSpan {
            start: 0,
            end: 0,
            call: None,
        };
        Lowerer {
            module,
            info,
            types,
            resolved,
            workgroup_size: [1; 3],
            facts: vec![None; module.functions.len()],
            indexed_private: FxHashSet::default(),
            variables: Vec::new(),
            overrides: Vec::new(),
            registers: Vec::new(),
            mutable: Vec::new(),
            accesses: Vec::new(),
            spans: vec![undefined],
            calls: Vec::new(),
            prologue: Vec::new(),
            notes: Vec::new(),
            noted: FxHashSet::default(),
            block: Vec::new(),
            leaves: Vec::new(),
            terms: Vec::new(),
            globals: vec![Value::Unset; module.global_variables.len()],
            override_ids: vec![None; module.overrides.len()],
            global_values: vec![Value::Unset; module.global_expressions.len()],
            prologue_values: Vec::new(),
            tables: FxHashMap::default(),
            span: SpanId(0),
            call: None,
            loops: 0,
            limit,
            emitted: 0,
            depth: 0,
            labels: 0,
        }
    }

    /// Facts of a function, found when it is first called.
    pub(super) fn facts_of(&mut self, handle: Handle<Function>) -> Result<Rc<Facts>, LowerError> {
        if let Some(facts) = &self.facts[handle.index()] {
            return Ok(Rc::clone(facts));
        }
        let module = self.module;
        let info = self.info;
        let facts = walk::find(self, &module.functions[handle], &info[handle])?;
        self.facts[handle.index()] = Some(Rc::clone(&facts));
        Ok(facts)
    }

    /// Goes one block or call deeper.
    pub(super) fn enter(&mut self) -> Result<(), LowerError> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err(LowerError::TooDeep { limit: DEPTH_LIMIT });
        }
        Ok(())
    }

    /// Comes back from [`Lowerer::enter`].
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Fails once there are too many instructions.
    pub(super) fn check_size(&self) -> Result<(), LowerError> {
        if self.emitted > self.limit {
            return Err(LowerError::TooLarge { limit: self.limit });
        }
        Ok(())
    }

    /// Adds an instruction; past the limit, [`Lowerer::check_size`] will fail and nothing is added.
    pub(super) fn emit(&mut self, kind: Kind) {
        self.emitted += 1;
        if self.emitted <= self.limit {
            self.block.push(Instruction {
                kind,
                span: self.span,
            });
        }
    }

    /// Instructions so far.
    pub(super) fn emitted(&self) -> usize {
        self.emitted
    }

    /// Puts an empty block in place of the current one, which is returned.
    pub(super) fn open_block(&mut self) -> Block {
        std::mem::take(&mut self.block)
    }

    /// Puts the outer block back and returns the one that was open.
    pub(super) fn close_block(&mut self, outer: Block) -> Block {
        std::mem::replace(&mut self.block, outer)
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Makes `span` the source of what is added next, if it is known.
    pub(super) fn at(&mut self, span: naga::Span) {
        let Some(range) = span.to_range() else {
            return;
        };
        let span = SourceSpan {
            start: range.start as u32,
            end: range.end as u32,
            call: self.call,
        };
        if self.spans.last() != Some(&span) {
            self.spans.push(span);
        }
        self.span = SpanId(self.spans.len() as u32 - 1);
    }

    /// A register for a value that is written once.
    pub(super) fn register(&mut self, scalar: Scalar) -> Register {
        self.new_register(scalar, false)
    }

    fn new_register(&mut self, scalar: Scalar, mutable: bool) -> Register {
        self.registers.push(scalar);
        self.mutable.push(mutable);
        Register(self.registers.len() as u32 - 1)
    }

    /// Registers in a row for a variable; the number of the first.
    pub(super) fn variable_registers(&mut self, scalars: &[Scalar]) -> u32 {
        let first = self.registers.len() as u32;
        for &scalar in scalars {
            self.new_register(scalar, true);
        }
        first
    }

    /// Whether an operand is a register that stands for a variable.
    pub(super) fn is_mutable(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Register(register) if self.mutable[register.0 as usize])
    }

    /// The type of an operand.
    pub(super) fn scalar_of(&self, operand: Operand) -> Scalar {
        match operand {
            Operand::Register(register) => self.registers[register.0 as usize],
            Operand::Constant(constant) => constant.scalar,
            Operand::Override(id) => self.overrides[id.0 as usize].scalar,
            Operand::Builtin(_) => Scalar::U32,
        }
    }

    /// Adds a scalar operation and returns its result.
    pub(super) fn compute(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        arguments: &[Operand],
        result: Scalar,
    ) -> Operand {
        let target = self.register(result);
        self.emit(Kind::Compute {
            target,
            operation,
            scalar,
            arguments: arguments.to_vec(),
        });
        Operand::Register(target)
    }

    /// An operation whose result has the type of its operands.
    pub(super) fn arithmetic(
        &mut self,
        operation: Operation,
        scalar: Scalar,
        arguments: &[Operand],
    ) -> Operand {
        self.compute(operation, scalar, arguments, scalar)
    }

    pub(super) fn copy(&mut self, target: Register, source: Operand) {
        self.emit(Kind::Copy { target, source });
    }

    /// A fresh register with the present value of `source`.
    pub(super) fn snapshot(&mut self, source: Operand) -> Operand {
        let scalar = self.scalar_of(source);
        let target = self.register(scalar);
        self.copy(target, source);
        Operand::Register(target)
    }

    pub(super) fn add_access(&mut self, access: Access) -> AccessId {
        self.accesses.push(access);
        AccessId(self.accesses.len() as u32 - 1)
    }

    pub(super) fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(self.variables.len() as u32 - 1)
    }

    /// Puts operands into the arena.
    pub(super) fn keep(&mut self, operands: &[Operand]) -> Leaves {
        let start = self.leaves.len() as u32;
        self.leaves.extend_from_slice(operands);
        Leaves {
            start,
            len: operands.len() as u32,
        }
    }

    /// One of a value's operands.
    pub(super) fn leaf(&self, leaves: Leaves, index: u32) -> Operand {
        debug_assert!(index < leaves.len, "leaf {index} of {leaves:?}");
        self.leaves[(leaves.start + index) as usize]
    }

    /// A value's operands.
    pub(super) fn slice(&self, leaves: Leaves) -> &[Operand] {
        &self.leaves[leaves.start as usize..(leaves.start + leaves.len) as usize]
    }

    /// Notes that something is not modelled and adds the instruction that says so; its results are
    /// registers of the types `targets`.
    pub(super) fn unsupported(
        &mut self,
        what: impl Into<String>,
        targets: &[Scalar],
        arguments: &[Operand],
    ) -> Leaves {
        let what = what.into();
        let span = self.spans[self.span.0 as usize];
        // One note a place, however often it is inlined.
        if self.noted.insert((what.clone(), span.start)) {
            self.notes.push(UnsupportedNote {
                what: what.clone(),
                span,
            });
        }
        let targets: Vec<_> = targets
            .iter()
            .map(|&scalar| self.register(scalar))
            .collect();
        let results: Vec<_> = targets.iter().copied().map(Operand::Register).collect();
        self.emit(Kind::Unsupported {
            what,
            targets,
            arguments: arguments.to_vec(),
        });
        self.keep(&results)
    }
}
