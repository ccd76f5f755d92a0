//! Instructions and operands. Their semantics are in the crate's documentation.

use cresta_model::operation::{Operation, Scalar};

use crate::kernel::SpanId;

/// A scalar register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register(pub u32);

/// Index into [`Kernel::variables`](crate::Kernel::variables).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// Index into [`Kernel::overrides`](crate::Kernel::overrides).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OverrideId(pub u32);

/// Index into [`Kernel::accesses`](crate::Kernel::accesses).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessId(pub u32);

/// Names a construct that can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A constant: the bits of `scalar`, zero-extended (two's complement for signed types).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Type.
    pub scalar: Scalar,
    /// Bits in the low end.
    pub bits: u64,
}

impl Constant {
    /// The value as an integer, sign-extended by type; booleans are 0 and 1; `None` for floats.
    pub fn integer(self) -> Option<i128> {
        match self.scalar {
            Scalar::Bool => Some(i128::from(self.bits != 0)),
            Scalar::U32 | Scalar::U64 => Some(self.bits.into()),

            Scalar::I32 => Some((self.bits as u32).cast_signed().into()),
            Scalar::I64 => Some(self.bits.cast_signed().into()),
            Scalar::F16 | Scalar::F32 | Scalar::F64 => None,
        }
    }
}

/// Built-in values; an axis is 0, 1 or 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Builtin {
    /// `global_invocation_id`
    GlobalId(u8),
    /// `local_invocation_id`
    LocalId(u8),
    /// `local_invocation_index`
    LocalIndex,
    /// `workgroup_id`
    WorkgroupId(u8),
    /// `num_workgroups`
    NumWorkgroups(u8),
    /// `subgroup_size`
    SubgroupSize,
    /// `subgroup_invocation_id`
    SubgroupInvocationId,
    /// `subgroup_id`
    SubgroupId,
    /// `num_subgroups`
    NumSubgroups,
}

/// Something that can be read for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// A constant.
    Constant(Constant),
    /// A pipeline-overridable constant.
    Override(OverrideId),
    /// A built-in value.
    Builtin(Builtin),
}

/// One index of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The index (i32 or u32).
    pub index: Operand,
    /// Bytes that one step of the index moves.
    pub stride: u32,
    /// Number of elements that may be indexed, when the type fixes it.
    pub length: Option<u32>,
}

/// A byte offset into a root variable: `constant + Σ index × stride`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Constant part in bytes.
    pub constant: u64,
    /// Index terms, outermost first.
    pub terms: Vec<Term>,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes at once.
    Atomic,
}

/// One memory access in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Root variable.
    pub variable: VariableId,
    /// Index into a binding array.
    pub binding_index: Option<Operand>,
    /// Direction. `atomicLoad` is a load and `atomicStore` a store.
    pub kind: AccessKind,
    /// Whether the access is atomic (also for atomic loads and stores).
    pub atomic: bool,
    /// Component type.
    pub scalar: Scalar,
    /// Components moved together, 1 to 4.
    pub components: u8,
    /// Byte offset; empty for textures, whose coordinates are in the instruction.
    pub address: Address,
    /// Whether it is the load of a `workgroupUniformLoad`.
    pub workgroup_uniform: bool,
    /// Source.
    pub span: SpanId,
}

impl Access {
    /// Bytes that one lane asks for. For textures this is the value's size in the shader, not the
    /// texel's.
    pub fn bytes(&self) -> u32 {
        self.scalar.bytes() * u32::from(self.components)
    }
}

/// Which memory a barrier orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BarrierScope {
    /// Storage buffers.
    pub storage: bool,
    /// Workgroup memory.
    pub workgroup: bool,
    /// Textures.
    pub texture: bool,
    /// Only the lanes of a SIMD group take part.
    pub subgroup: bool,
}

/// Read-modify-write functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicFunction {
    /// `atomicAdd`
    Add,
    /// `atomicSub`
    Subtract,
    /// `atomicAnd`
    And,
    /// `atomicXor`
    ExclusiveOr,
    /// `atomicOr`
    InclusiveOr,
    /// `atomicMin`
    Min,
    /// `atomicMax`
    Max,
    /// `atomicExchange`
    Exchange,
    /// `atomicCompareExchangeWeak`
    CompareExchange,
}

/// Subgroup operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubgroupOperation {
    /// `subgroupBallot`; four targets
    Ballot,
    /// `subgroupAll`
    All,
    /// `subgroupAny`
    Any,
    /// Reduction by an operation (`subgroupAdd`, `subgroupMax`, …)
    Reduce(Operation),
    /// Inclusive scan
    InclusiveScan(Operation),
    /// Exclusive scan
    ExclusiveScan(Operation),
    /// `subgroupBroadcastFirst`
    BroadcastFirst,
    /// `subgroupBroadcast`: second argument is the lane
    Broadcast,
    /// `subgroupShuffle`: second argument is the lane
    Shuffle,
    /// `subgroupShuffleDown`: second argument is the distance
    ShuffleDown,
    /// `subgroupShuffleUp`: second argument is the distance
    ShuffleUp,
    /// `subgroupShuffleXor`: second argument is the mask
    ShuffleXor,
    /// `quadBroadcast`: second argument is the lane of the quad
    QuadBroadcast,
    /// `quadSwapX`, `quadSwapY`, `quadSwapDiagonal`: second argument is which, 0, 1 or 2
    QuadSwap,
}

/// What a texture query asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureQuery {
    /// `textureDimensions`
    Size,
    /// `textureNumLevels`
    Levels,
    /// `textureNumLayers`
    Layers,
    /// `textureNumSamples`
    Samples,
}

/// Texture instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextureOperation {
    /// `textureLoad`
    Load,
    /// `textureStore`
    Store,
    /// `textureSample…`
    Sample,
    /// `textureGather…`
    Gather,
    /// Image atomics
    Atomic(AtomicFunction),
    /// Sizes and counts; reads no texel
    Query(TextureQuery),
}

/// A sequence of instructions.
pub type Block = Vec<Instruction>;

/// One case of a switch. Several selector values may share a body; there is no fall-through.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Selector values.
    pub values: Vec<i64>,
    /// Whether this is (also) the default case.
    pub default: bool,
    /// Body.
    pub body: Block,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// What it does.
    pub kind: Kind,
    /// Where it comes from.
    pub span: SpanId,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `target = operation(arguments)`.
    Compute {
        /// Result.
        target: Register,
        /// Operation.
        operation: Operation,
        /// Type of the operands, by which the operation is counted (see [`Operation::cost`]).
        scalar: Scalar,
        /// Arguments in the order of the operation's documentation.
        arguments: Vec<Operand>,
    },
    /// `target = source`, counted as nothing.
    Copy {
        /// Result.
        target: Register,
        /// Source.
        source: Operand,
    },
    /// `target = arrayLength(&variable)`.
    ArrayLength {
        /// Result.
        target: Register,
        /// A storage variable that is or ends in a runtime-sized array.
        variable: VariableId,
        /// Index into a binding array.
        binding_index: Option<Operand>,
    },
    /// Reads memory; `None` for components that nothing uses.
    Load {
        /// One per component.
        targets: Vec<Option<Register>>,
        /// The access.
        access: AccessId,
    },
    /// Writes memory.
    Store {
        /// One per component.
        values: Vec<Operand>,
        /// The access.
        access: AccessId,
    },
    /// Atomic read-modify-write.
    Atomic {
        /// Function.
        function: AtomicFunction,
        /// The old value, if used.
        target: Option<Register>,
        /// Whether a compare-exchange exchanged, if used.
        exchanged: Option<Register>,
        /// The operand.
        value: Operand,
        /// The comparand of a compare-exchange.
        compare: Option<Operand>,
        /// The access.
        access: AccessId,
    },
    /// Waits for the workgroup (or SIMD group).
    Barrier(BarrierScope),
    /// Orders memory without waiting.
    MemoryBarrier(BarrierScope),
    /// Exchanges values within a SIMD group.
    Subgroup {
        /// Operation.
        operation: SubgroupOperation,
        /// Type of the values.
        scalar: Scalar,
        /// Results, one per component.
        targets: Vec<Register>,
        /// The values, one per component, then the second argument if the operation has one.
        arguments: Vec<Operand>,
    },
    /// Reads, writes or queries a texture.
    Texture {
        /// Operation.
        operation: TextureOperation,
        /// Coordinates (then, for sampling, nothing else).
        coordinates: Vec<Operand>,
        /// Array layer.
        layer: Option<Operand>,
        /// Mip level, when it is given explicitly.
        level: Option<Operand>,
        /// Everything else that is read: sample index, depth reference, gradients, bias.
        extra: Vec<Operand>,
        /// Sampler.
        sampler: Option<VariableId>,
        /// Stored or combined values.
        values: Vec<Operand>,
        /// Results.
        targets: Vec<Option<Register>>,
        /// The access: variable, kind, width.
        access: AccessId,
    },
    /// A branch.
    If {
        /// Condition, a boolean.
        condition: Operand,
        /// Taken when true.
        accept: Block,
        /// Taken when false.
        reject: Block,
        /// Whether it comes from `&&` or `||` with a right side that could not be evaluated
        /// unconditionally.
        short_circuit: bool,
    },
    /// A multi-way branch.
    Switch {
        /// Left by `Break`.
        label: Label,
        /// Selector (i32 or u32).
        selector: Operand,
        /// Cases.
        cases: Vec<Case>,
    },
    /// A loop.
    Loop {
        /// Left by `Break`, continued by `Continue`.
        label: Label,
        /// Body.
        body: Block,
        /// Runs after the body and after every `Continue`.
        continuing: Block,
        /// Leaves the loop after the continuing part when true.
        break_if: Option<Operand>,
    },
    /// A block that can be left.
    Block {
        /// Left by `Break`.
        label: Label,
        /// Body.
        body: Block,
    },
    /// Leaves the construct so labelled.
    Break(Label),
    /// Goes to the continuing part of the loop so labelled.
    Continue(Label),
    /// Ends the invocation.
    Return,
    /// Something that Cresta does not model.
    Unsupported {
        /// What it is, for the finding.
        what: String,
        /// Registers that hold unknown values afterwards.
        targets: Vec<Register>,
        /// What it reads.
        arguments: Vec<Operand>,
    },
}
