//! A kernel: one entry point with everything it refers to.

use cresta_model::operation::Scalar;

use crate::instruction::{Access, AccessId, Block, Constant, Operand, Register, VariableId};
use crate::types::Variable;

/// Index into [`Kernel::spans`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanId(pub u32);

/// Index into [`Kernel::calls`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u32);

/// A range of the source, in bytes, and the call it was inlined through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The innermost call site, when the code comes from a function that was inlined.
    pub call: Option<CallId>,
}

/// An inlined call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the function called.
    pub function: String,
    /// Where it is called; its own `call` leads outwards.
    pub site: SourceSpan,
}

/// A pipeline-overridable constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    /// Name in the source.
    pub name: String,
    /// `@id`.
    pub id: Option<u16>,
    /// Type.
    pub scalar: Scalar,
    /// The value: what the caller gave, or a constant default. `None` when there is neither, or
    /// when the default is computed from other overrides by [`Kernel::prologue`].
    pub value: Option<Constant>,
    /// The operand that the prologue computes for a default that depends on other overrides.
    pub computed: Option<Operand>,
}

/// One compute entry point.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// Name of the entry point.
    pub entry: String,
    /// Where the entry point is declared, in bytes of the source.
    pub declared: (u32, u32),
    /// Invocations of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Root variables that the kernel uses.
    pub variables: Vec<Variable>,
    /// Overrides that the kernel uses.
    pub overrides: Vec<Override>,
    /// Type of each register.
    pub registers: Vec<Scalar>,
    /// Every memory and texture access.
    pub accesses: Vec<Access>,
    /// Source ranges.
    pub spans: Vec<SourceSpan>,
    /// Inlined calls.
    pub calls: Vec<Call>,
    /// Computes overrides from overrides and fills the private variables that stand for constant
    /// arrays, once per pipeline: never counted.
    pub prologue: Block,
    /// What each invocation runs.
    pub body: Block,
}

impl Kernel {
    /// The access with this index.
    pub fn access(&self, id: AccessId) -> &Access {
        &self.accesses[id.0 as usize]
    }

    /// The variable with this index.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// The type of a register.
    pub fn register_type(&self, register: Register) -> Scalar {
        self.registers[register.0 as usize]
    }

    /// The source range with this index.
    pub fn span(&self, id: SpanId) -> SourceSpan {
        self.spans[id.0 as usize]
    }

    /// The calls through which a span was inlined, innermost first.
    pub fn call_chain(&self, id: SpanId) -> impl Iterator<Item = &Call> {
        let first = self.span(id).call;
        std::iter::successors(first.map(|id| &self.calls[id.0 as usize]), |call| {
            call.site.call.map(|id| &self.calls[id.0 as usize])
        })
    }

    /// Invocations of a workgroup.
    pub fn workgroup_invocations(&self) -> u64 {
        self.workgroup_size.iter().map(|&n| u64::from(n)).product()
    }
}
