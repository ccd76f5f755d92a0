//! What the walk over a kernel leaves: regions with their costs, accesses with their addresses,
//! loops with their exits.
//!
//! A [`Region`] is a set of instructions that run under the same condition in the same loops; its
//! number of executions is one sum, shared by all of them.

use cresta_ir::{AccessId, SpanId};

use crate::arena::{Arena, Uniformity};
use crate::poly::{AtomId, Poly};

/// Index into [`Program::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub usize);

/// A loop around a region, and how many of the loop's exits lie before the region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Within {
    /// The loop.
    pub id: LoopId,
    /// Exits of one iteration that come before.
    pub passed: usize,
}

/// Counts of one execution by one lane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// All floating-point operations.
    pub flops: u64,
    /// Those on f16.
    pub flops_f16: u64,
    /// Those on f64.
    pub flops_f64: u64,
    /// Special operations.
    pub special: u64,
    /// Integer operations.
    pub integer: u64,
    /// Other operations.
    pub other: u64,
    /// Subgroup operations.
    pub subgroup: u64,
    /// Atomics.
    pub atomics: u64,
    /// Barriers.
    pub barriers: u64,
    /// Instructions that issue: operations, accesses, barriers.
    pub instructions: u64,
}

/// Instructions that run together.
#[derive(Clone, Debug)]
pub struct Region {
    /// 1 where the region runs, over lane, workgroup and iteration symbols.
    pub condition: Poly,
    /// Loops around it, outermost first.
    pub loops: Vec<Within>,
    /// Costs of one execution.
    pub costs: Costs,
}

/// An exit of a loop, in the order in which one iteration meets them.
#[derive(Clone, Debug)]
pub struct Exit {
    /// 1 while the loop goes on past this exit; never 1 again once it is 0.
    pub stay: Poly,
    /// Where.
    pub span: SpanId,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct LoopSummary {
    /// The loop keyword.
    pub span: SpanId,
    /// The iteration symbol.
    pub iteration: AtomId,
    /// Exits that bound it; none for a loop that never ends.
    pub exits: Vec<Exit>,
    /// Iterations that pass the first exit.
    pub trips: Poly,
    /// If the trips depend on data: the most that the other exits allow, where they allow any bound.
    pub most: Option<Poly>,
    /// How widely the trip count is the same.
    pub uniformity: Uniformity,
    /// Name of the unknown that stands for the trips, if they depend on data.
    pub unknown: Option<String>,
}

/// A branch.
#[derive(Clone, Debug)]
pub struct BranchSummary {
    /// The construct.
    pub span: SpanId,
    /// How widely the condition is the same.
    pub uniformity: Uniformity,
    /// Name of the unknown that stands for the fraction of lanes.
    pub unknown: Option<String>,
}

/// An access in its place.
#[derive(Clone, Debug)]
pub struct PlacedAccess {
    /// The access.
    pub access: AccessId,
    /// Byte offset from the start of the variable; `None` for textures.
    pub address: Option<Poly>,
    /// Coordinates of a texel; empty for buffers.
    pub coordinates: Vec<Poly>,
    /// Region.
    pub region: usize,
}

/// A barrier in its place.
#[derive(Clone, Copy, Debug)]
pub struct PlacedBarrier {
    /// Where.
    pub span: SpanId,
    /// Region.
    pub region: usize,
}

/// A named unknown: what the formulas call it and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Name in formulas.
    pub name: String,
    /// What it is, in words.
    pub meaning: String,
    /// Its symbol.
    pub symbol: AtomId,
}

/// Everything that the walk found.
#[derive(Clone, Debug)]
pub struct Program {
    /// Symbols and atoms.
    pub arena: Arena,
    /// Invocations of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Local ids along x, y, z; `None` along an axis of size one.
    pub local: [Option<AtomId>; 3],
    /// Workgroup ids along x, y, z.
    pub workgroup: [AtomId; 3],
    /// Workgroup counts along x, y, z.
    pub groups: [AtomId; 3],
    /// Regions.
    pub regions: Vec<Region>,
    /// Loops.
    pub loops: Vec<LoopSummary>,
    /// Branches.
    pub branches: Vec<BranchSummary>,
    /// Accesses.
    pub accesses: Vec<PlacedAccess>,
    /// Barriers.
    pub barriers: Vec<PlacedBarrier>,
    /// Parameters, overrides, lengths and data-dependent unknowns, in order of appearance.
    pub named: Vec<Named>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
}
