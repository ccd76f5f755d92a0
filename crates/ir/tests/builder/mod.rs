//! Builds kernels by hand, for tests that must not depend on the front end.
//!
//! Every instruction gets its own span, numbered from zero in the order in which [`Builder::emit`]
//! is called; a nested block is therefore numbered before the construct that holds it.

use cresta_ir::{
    Access, AccessId, AccessKind, Address, Block, Constant, Instruction, Kernel, Kind, Label,
    Operand, Operation, Register, Scalar, SourceSpan, Space, SpanId, Term, Type, Variable,
    VariableId,
};

/// A kernel under construction.
pub(crate) struct Builder {
    /// What has been built.
    pub(crate) kernel: Kernel,
    blocks: Vec<Block>,
}

/// A `u32` constant.
pub(crate) fn constant(value: u32) -> Operand {
    Operand::Constant(Constant {
        scalar: Scalar::U32,
        bits: value.into(),
    })
}

impl Builder {
    /// An empty kernel with workgroups of 64.
    pub(crate) fn new() -> Self {
        Builder {
            kernel: Kernel {
                entry: "main".into(),
                declared: (0, 0),
                workgroup_size: [64, 1, 1],
                variables: Vec::new(),
                overrides: Vec::new(),
                registers: Vec::new(),
                accesses: Vec::new(),
                spans: Vec::new(),
                calls: Vec::new(),
                prologue: Block::new(),
                body: Block::new(),
            },
            blocks: vec![Block::new()],
        }
    }

    /// The finished kernel.
    pub(crate) fn finish(mut self) -> Kernel {
        self.kernel.body = self.blocks.remove(0);
        self.kernel
    }

    /// Adds an instruction to the current block.
    pub(crate) fn emit(&mut self, kind: Kind) -> SpanId {
        let span = self.span();
        self.push(kind, span)
    }

    fn push(&mut self, kind: Kind, span: SpanId) -> SpanId {
        let block = self.blocks.last_mut().expect("the body is a block");
        block.push(Instruction { kind, span });
        span
    }

    fn span(&mut self) -> SpanId {
        let start = self.kernel.spans.len() as u32;
        self.kernel.spans.push(SourceSpan {
            start,
            end: start + 1,
            call: None,
        });
        SpanId(start)
    }

    /// Builds a nested block.
    pub(crate) fn block(&mut self, fill: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Block::new());
        fill(self);
        self.blocks.pop().expect("pushed above")
    }

    /// A new register.
    pub(crate) fn register(&mut self, scalar: Scalar) -> Register {
        self.kernel.registers.push(scalar);
        Register(self.kernel.registers.len() as u32 - 1)
    }

    /// `target = operation(arguments)` into a new register of the given type.
    pub(crate) fn compute(
        &mut self,
        target: Scalar,
        operation: Operation,
        arguments: &[Operand],
    ) -> Operand {
        let register = self.register(target);
        let scalar = if target == Scalar::Bool {
            Scalar::U32
        } else {
            target
        };
        self.emit(Kind::Compute {
            target: register,
            operation,
            scalar,
            arguments: arguments.to_vec(),
        });
        Operand::Register(register)
    }

    /// A root variable that is a runtime-sized `array<u32>`.
    pub(crate) fn variable(&mut self, name: &str, space: Space, writable: bool) -> VariableId {
        self.kernel.variables.push(Variable {
            name: name.into(),
            space,
            binding: None,
            ty: Some(Type::Array {
                element: std::sync::Arc::new(Type::Scalar(Scalar::U32)),
                stride: 4,
                length: (space != Space::Storage).then_some(64),
            }),
            texture: None,
            writable,
            binding_count: None,
            declared: None,
        });
        VariableId(self.kernel.variables.len() as u32 - 1)
    }

    fn access(&mut self, variable: VariableId, kind: AccessKind, index: Operand) -> AccessId {
        let span = self.span();
        self.kernel.accesses.push(Access {
            variable,
            binding_index: None,
            kind,
            atomic: kind == AccessKind::Atomic,
            scalar: Scalar::U32,
            components: 1,
            address: Address {
                constant: 0,
                terms: vec![Term {
                    index,
                    stride: 4,
                    length: None,
                }],
            },
            workgroup_uniform: false,
            span,
        });
        AccessId(self.kernel.accesses.len() as u32 - 1)
    }

    /// Loads one `u32`.
    pub(crate) fn load(&mut self, variable: VariableId, index: Operand) -> Operand {
        let register = self.register(Scalar::U32);
        let access = self.access(variable, AccessKind::Load, index);
        self.emit(Kind::Load {
            targets: vec![Some(register)],
            access,
        });
        Operand::Register(register)
    }

    /// Stores one `u32`.
    pub(crate) fn store(&mut self, variable: VariableId, index: Operand, value: Operand) {
        let access = self.access(variable, AccessKind::Store, index);
        self.emit(Kind::Store {
            values: vec![value],
            access,
        });
    }

    /// A branch without an else part.
    pub(crate) fn branch(&mut self, condition: Operand, accept: impl FnOnce(&mut Self)) -> SpanId {
        let span = self.span();
        let accept = self.block(accept);
        self.push(
            Kind::If {
                condition,
                accept,
                reject: Block::new(),
                short_circuit: false,
            },
            span,
        )
    }

    /// A loop without a continuing part.
    pub(crate) fn repeat(&mut self, label: u32, body: impl FnOnce(&mut Self)) -> SpanId {
        let span = self.span();
        let body = self.block(body);
        self.push(
            Kind::Loop {
                label: Label(label),
                body,
                continuing: Block::new(),
                break_if: None,
            },
            span,
        )
    }
}
