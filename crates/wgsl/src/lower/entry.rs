//! Entry points: which there are, and what their arguments stand for.

use cresta_ir::{Block, Builtin, Kernel, Kind, Operand};
use naga::{AddressSpace, Binding, BuiltIn, EntryPoint, Module, ShaderStage, TypeInner};

use super::error::LowerError;
use super::frame::{Frame, Scope};
use super::literal;
use super::state::Lowerer;
use super::value::Value;
use super::{Entry, walk};

/// A compute entry point of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPointInfo {
    /// Index among all entry points of the module.
    pub index: usize,
    /// Name.
    pub name: String,
    /// From its first argument or statement to its last statement, in bytes of the source; `None`
    /// when naga knows no place (a body without statements).
    pub extent: Option<(u32, u32)>,
}

/// The compute entry points of a module, in the order of the source.
pub fn entry_points(module: &Module) -> Vec<EntryPointInfo> {
    compute(module)
        .map(|(index, entry)| EntryPointInfo {
            index,
            name: entry.name.clone(),
            extent: extent(entry),
        })
        .collect()
}

fn compute(module: &Module) -> impl Iterator<Item = (usize, &EntryPoint)> {
    let entries = module.entry_points.iter().enumerate();
    entries.filter(|(_, entry)| entry.stage == ShaderStage::Compute)
}

/// Finds the entry point that a caller names.
pub(super) fn find<'a>(
    module: &'a Module,
    wanted: Entry<'_>,
) -> Result<(usize, &'a EntryPoint), LowerError> {
    let found = compute(module).find(|(index, entry)| match wanted {
        Entry::Name(name) => entry.name == name,
        Entry::Index(wanted) => *index == wanted,
    });
    found.ok_or_else(|| LowerError::UnknownEntryPoint {
        wanted: match wanted {
            Entry::Name(name) => format!("`{name}`"),
            Entry::Index(index) => format!("with index {index}"),
        },
        known: compute(module)
            .map(|(_, entry)| entry.name.clone())
            .collect(),
    })
}

/// naga keeps no place for entry points: what is known is that of arguments and statements.
fn extent(entry: &EntryPoint) -> Option<(u32, u32)> {
    let function = &entry.function;
    let arguments = function.expressions.iter();
    let arguments = arguments
        .take(function.arguments.len())
        .map(|(handle, _)| function.expressions.get_span(handle));
    let statements = function.body.span_iter().map(|(_, &span)| span);
    let range = naga::Span::total_span(arguments.chain(statements)).to_range()?;
    Some((range.start as u32, range.end as u32))
}

/// Drops the returns after which nothing would have been run.
fn drop_last_returns(block: &mut Block) {
    block.pop_if(|last| last.kind == Kind::Return);
    match block.last_mut().map(|last| &mut last.kind) {
        Some(Kind::If { accept, reject, .. }) => {
            drop_last_returns(accept);
            drop_last_returns(reject);
        }
        Some(Kind::Switch { cases, .. }) => {
            for case in cases {
                drop_last_returns(&mut case.body);
            }
        }
        _ => {}
    }
}

impl<'a> Lowerer<'a> {
    /// Lowers an entry point.
    pub(super) fn entry(mut self, index: usize, entry: &'a EntryPoint) -> Result<Self, LowerError> {
        let function = &entry.function;
        let info = self.info.get_entry_point(index);
        let facts = walk::find(&mut self, function, info)?;
        self.indexed_private.clone_from(&facts.indexed_private);
        let scope = Scope::Function {
            function,
            info,
            facts,
        };
        let mut frame = Frame::new(&function.expressions, scope);
        for argument in &function.arguments {
            let value = self.argument(argument);
            frame.arguments.push(value);
        }
        for (handle, global) in self.module.global_variables.iter() {
            if global.space == AddressSpace::Private && !info[handle].is_empty() {
                self.initialise(handle, global.init);
            }
        }
        self.declare_locals(&mut frame, function);
        self.statements(&mut frame, &function.body)?;
        self.check_size()?;
        drop_last_returns(&mut self.block);
        Ok(self)
    }

    /// Gives a private variable of the module its first value.
    fn initialise(
        &mut self,
        handle: naga::Handle<naga::GlobalVariable>,
        init: Option<naga::Handle<naga::Expression>>,
    ) {
        let Some(init) = init else {
            return;
        };
        self.at(self.module.global_variables.get_span(handle));
        let Value::Pointer(target) = self.global(handle) else {
            return;
        };
        // What is not spelled out is zero, as private variables are to begin with.
        if let Value::Leaves(leaves) = self.global_value(init) {
            self.store_leaves(target, leaves, false);
        }
    }

    fn argument(&mut self, argument: &naga::FunctionArgument) -> Value {
        let mut operands = Vec::new();
        match (&argument.binding, &self.module.types[argument.ty].inner) {
            (Some(binding), _) => self.builtin(binding, argument.ty, &mut operands),
            (None, TypeInner::Struct { members, .. }) => {
                for member in members {
                    match &member.binding {
                        Some(binding) => self.builtin(binding, member.ty, &mut operands),
                        None => self.unknown_argument(member.ty, &mut operands),
                    }
                }
            }
            (None, _) => self.unknown_argument(argument.ty, &mut operands),
        }
        Value::Leaves(self.keep(&operands))
    }

    fn builtin(
        &mut self,
        binding: &Binding,
        ty: naga::Handle<naga::Type>,
        operands: &mut Vec<Operand>,
    ) {
        let vector = |axes: fn(u8) -> Builtin| (0..3).map(axes).map(Operand::Builtin);
        let Binding::BuiltIn(builtin) = *binding else {
            return self.unknown_argument(ty, operands);
        };
        match builtin {
            BuiltIn::GlobalInvocationId => operands.extend(vector(Builtin::GlobalId)),
            BuiltIn::LocalInvocationId => operands.extend(vector(Builtin::LocalId)),
            BuiltIn::LocalInvocationIndex => operands.push(Operand::Builtin(Builtin::LocalIndex)),
            BuiltIn::WorkGroupId => operands.extend(vector(Builtin::WorkgroupId)),
            BuiltIn::NumWorkGroups => operands.extend(vector(Builtin::NumWorkgroups)),
            BuiltIn::WorkGroupSize => operands.extend(self.workgroup_size.map(literal::unsigned)),
            BuiltIn::SubgroupSize => operands.push(Operand::Builtin(Builtin::SubgroupSize)),
            BuiltIn::SubgroupInvocationId => {
                operands.push(Operand::Builtin(Builtin::SubgroupInvocationId));
            }
            BuiltIn::SubgroupId => operands.push(Operand::Builtin(Builtin::SubgroupId)),
            BuiltIn::NumSubgroups => operands.push(Operand::Builtin(Builtin::NumSubgroups)),
            // Those of other stages.
            _ => self.unknown_argument(ty, operands),
        }
    }

    fn unknown_argument(&mut self, ty: naga::Handle<naga::Type>, operands: &mut Vec<Operand>) {
        let ty = self.types.of(ty);
        let leaves = self.unknown(ty);
        operands.extend_from_slice(self.slice(leaves));
    }

    /// The kernel, as far as it was lowered.
    pub(super) fn into_kernel(self, entry: &EntryPoint) -> (Kernel, Vec<super::UnsupportedNote>) {
        let kernel = Kernel {
            entry: entry.name.clone(),
            declared: extent(entry).unwrap_or((0, 0)),
            workgroup_size: self.workgroup_size,
            variables: self.variables,
            overrides: self.overrides,
            registers: self.registers,
            accesses: self.accesses,
            spans: self.spans,
            calls: self.calls,
            prologue: self.prologue,
            body: self.block,
        };
        (kernel, self.notes)
    }
}
