//! What is known of one kernel at one launch on one machine: plain data for rules and reports.
//!
//! Nothing here is rounded, clamped or defaulted: a fact that is not known is `None`, and
//! [`Facts::unknowns`] says what would settle it. Start at [`Facts`].

use cresta_ir::Space;
use cresta_model::machine::Machine;
use cresta_model::occupancy::Occupancy;
use cresta_model::prediction::{Demand, Prediction};
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_model::work::Work;

/// A place in the person's source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// 1-based line of the first byte; 0 when the source has no positions (SPIR-V).
    pub line: u32,
    /// 1-based column of the first byte, in characters.
    pub column: u32,
    /// The calls through which the place was inlined, innermost first.
    pub call_chain: Vec<CallSite>,
}

/// One inlined call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The function called.
    pub function: String,
    /// 1-based line of the call.
    pub line: u32,
    /// 1-based column of the call.
    pub column: u32,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reads.
    Load,
    /// Writes.
    Store,
    /// Reads and writes at once.
    Atomic,
}

impl Operation {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Load => "load",
            Operation::Store => "store",
            Operation::Atomic => "atomic",
        }
    }
}

/// How widely a value is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Uniformity {
    /// Differs between lanes.
    Lane,
    /// Same within a SIMD group.
    SimdGroup,
    /// Same within a workgroup.
    Workgroup,
    /// Same in the whole launch.
    Launch,
}

/// What the pattern and the traffic of an access rest on, or why they are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Counted from the addresses of the lanes that run.
    Counted,
    /// The addresses of a SIMD group's lanes depend on data.
    Data,
    /// No lane runs it at this launch.
    NeverRuns,
    /// No lane runs it at the values that stand in for what is not set.
    NotReached,
    /// Too many cases to count, or data decide in a way that is not told apart.
    TooManyCases,
    /// Textures, uniform buffers and private memory: lines are not counted.
    NotCounted,
}

impl Basis {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Basis::Counted => "counted",
            Basis::Data => "data",
            Basis::NeverRuns => "never_runs",
            Basis::NotReached => "not_reached",
            Basis::TooManyCases => "too_many_cases",
            Basis::NotCounted => "not_counted",
        }
    }
}

/// Lines and sectors that one execution by one SIMD group touches; means over its executions.
#[derive(Clone, Debug, PartialEq)]
pub struct Traffic {
    /// Distinct lines.
    pub transactions: f64,
    /// The fewest lines that could hold the distinct bytes.
    pub ideal_transactions: f64,
    /// Distinct sectors.
    pub sectors: f64,
    /// The fewest sectors that could hold the distinct bytes.
    pub ideal_sectors: f64,
    /// Σ ideal sectors / Σ sectors.
    pub efficiency: f64,
}

/// Totals of [`Traffic`] over the launch.
#[derive(Clone, Debug, PartialEq)]
pub struct TrafficTotal {
    /// Lines.
    pub transactions: f64,
    /// Sectors.
    pub sectors: f64,
    /// Bytes: sectors × sector size.
    pub bytes: f64,
}

/// Rows of an array that an access goes across: a pitch that the source can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Distance between rows in bytes.
    pub pitch_bytes: u32,
    /// Whether the type declares them (an array of arrays); else an index multiplies by the pitch.
    pub declared: bool,
}

/// One memory access of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessFacts {
    /// Where.
    pub location: Location,
    /// Address space.
    pub space: Space,
    /// Variable.
    pub variable: String,
    /// Member path within an element when the access is to part of a structure (`pos`).
    pub member: Option<String>,
    /// Direction.
    pub operation: Operation,
    /// Whether it is an atomic operation (loads and stores included).
    pub atomic: bool,
    /// Bytes that each lane asks for; `None` for a texture of unknown format.
    pub bytes_per_lane: Option<u32>,
    /// Shape of the addresses of most SIMD executions.
    pub pattern: Pattern,
    /// Share of the SIMD executions that have this pattern, 0–1; the means are over all of them.
    pub pattern_share: Option<f64>,
    /// Distance between neighbouring lanes' distinct addresses, where it is constant.
    pub stride_bytes: Option<i64>,
    /// The byte address as a formula over lane, workgroup and loop variables.
    pub address: String,
    /// The part of the address that is not constant: accesses that share it are a constant apart.
    pub address_base: String,
    /// The constant part of the address.
    pub address_offset: i64,
    /// What pattern and traffic rest on, or why there are none.
    pub basis: Basis,
    /// Means per SIMD execution; `None` unless the basis is [`Basis::Counted`], or it is one place of a
    /// uniform buffer.
    pub traffic: Option<Traffic>,
    /// Totals over the launch; `None` when the launch or the addresses are not known.
    pub total: Option<TrafficTotal>,
    /// The least that the totals can be, where data decide them at a known launch.
    pub at_least: Option<TrafficTotal>,
    /// The most, likewise.
    pub at_most: Option<TrafficTotal>,
    /// What `traffic` takes for granted while parameters are unset.
    pub assumes: Option<String>,
    /// Mean bank-conflict degree; workgroup memory only.
    pub bank_degree: Option<f64>,
    /// The rows that lanes go across; workgroup memory only.
    pub rows: Option<Rows>,
    /// Whether the distance between lanes changes from one iteration of a loop to the next.
    pub stride_varies: bool,
    /// Workgroup-memory wavefronts (conflict degree × ideal passes) over the launch.
    pub bank_wavefronts: Option<f64>,
    /// Lane executions.
    pub executions: Quantity,
    /// SIMD groups with at least one active lane, summed over executions.
    pub simd_executions: Quantity,
    /// How widely the address is the same.
    pub uniformity: Uniformity,
    /// Number of loops around the access.
    pub loop_depth: u32,
    /// Same-address degree of an atomic: lanes of a SIMD group per distinct address.
    pub same_address: Option<f64>,
}

/// Bytes of one buffer or texture.
#[derive(Clone, Debug, PartialEq)]
pub struct BufferFacts {
    /// Name.
    pub name: String,
    /// Address space.
    pub space: Space,
    /// `@group` and `@binding`.
    pub binding: Option<(u32, u32)>,
    /// Whether the kernel may write it.
    pub writable: bool,
    /// Size in bytes, when type and launch tell.
    pub size_bytes: Option<u64>,
    /// Bytes that lanes ask for.
    pub requested: Quantity,
    /// Bytes after coalescing.
    pub transferred: Quantity,
    /// Each distinct byte once.
    pub compulsory: Quantity,
    /// requested / compulsory in the launch.
    pub reuse_launch: Option<f64>,
    /// requested / compulsory within one workgroup.
    pub reuse_workgroup: Option<f64>,
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberFacts {
    /// Name.
    pub name: String,
    /// Offset in bytes.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
}

/// Layout of a structure that lies in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutFacts {
    /// Name.
    pub name: String,
    /// Size with padding.
    pub size_bytes: u32,
    /// Bytes that hold nothing.
    pub padding_bytes: u32,
    /// padding / size.
    pub padding_fraction: f64,
    /// Members in order.
    pub members: Vec<MemberFacts>,
    /// Declaration, when the source has positions.
    pub location: Option<Location>,
    /// Buffers of the kernel that hold it.
    pub buffers: Vec<String>,
}

/// A variable in workgroup memory.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkgroupVariable {
    /// Name.
    pub name: String,
    /// Size.
    pub bytes: u64,
    /// Declaration.
    pub location: Option<Location>,
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopFacts {
    /// The loop keyword.
    pub location: Location,
    /// Trips of one lane (mean), as a formula over what surrounds the loop.
    pub trips: Quantity,
    /// How widely the trip count is the same.
    pub uniformity: Uniformity,
    /// Whether nothing in it can leave it.
    pub never_ends: bool,
}

/// A branch.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchFacts {
    /// The condition's construct.
    pub location: Location,
    /// How widely the condition is the same.
    pub uniformity: Uniformity,
    /// Name of the unknown that stands for the fraction of lanes, for data-dependent conditions.
    pub unknown: Option<String>,
}

/// A barrier.
#[derive(Clone, Debug, PartialEq)]
pub struct BarrierFacts {
    /// Where.
    pub location: Location,
    /// Executions per workgroup, summed over the launch.
    pub executions: Quantity,
    /// The branch, loop or exit that makes control flow non-uniform by WGSL's rules; then the
    /// program is invalid.
    pub non_uniform_cause: Option<Location>,
}

/// Where the register count comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterSource {
    /// The driver's compiler.
    Driver,
    /// Liveness over the IR.
    Estimate,
    /// The person said so.
    Given,
}

impl RegisterSource {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            RegisterSource::Driver => "driver",
            RegisterSource::Estimate => "estimate",
            RegisterSource::Given => "given",
        }
    }
}

/// 32-bit registers of one invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registers {
    /// How many.
    pub value: u32,
    /// Who says so.
    pub source: RegisterSource,
}

/// Something that is not known, and what would settle it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The symbol as it stands in formulas (`d.K`, `len(A)`, `wg.x`, `trips@42:7`), or a phrase.
    pub name: String,
    /// What it is.
    pub meaning: String,
    /// The flag, or the other action, that settles it (`--set d.K=…`); empty where there is none.
    pub settle: String,
    /// Whether data decide it: a fraction of lanes, or trips.
    pub of_data: bool,
}

/// Something of the source that is not modelled.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// What.
    pub what: String,
    /// Where.
    pub location: Option<Location>,
}

/// Something that naga 30 refuses and browsers accept, or the other way round.
#[derive(Clone, Debug, PartialEq)]
pub struct PortabilityFact {
    /// The code of the finding (`portability/enable-subgroups`).
    pub code: &'static str,
    /// What, and what to do.
    pub message: String,
    /// Where.
    pub location: Location,
}

/// One step of the pencil-and-paper derivation that `--verbose` shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// What is derived (`dram`, `requested bytes`, `occupancy`).
    pub subject: String,
    /// The sum, with numbers and units.
    pub text: String,
}

/// FLOP per byte at each byte count; `None` where the bytes are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Intensity {
    /// At requested bytes.
    pub requested: Option<f64>,
    /// At transferred bytes.
    pub transferred: Option<f64>,
    /// At compulsory bytes.
    pub compulsory: Option<f64>,
}

/// Everything known of one kernel.
#[derive(Clone, Debug)]
pub struct Facts {
    /// File name as the person gave it.
    pub file: String,
    /// Entry point.
    pub entry: String,
    /// Where the entry point is declared.
    pub location: Location,
    /// Invocations of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Workgroups along x, y, z, when the launch is known.
    pub workgroups: Option<[u32; 3]>,
    /// The machine.
    pub machine: Machine,
    /// SIMD width that shapes were counted with, and whether the machine says so.
    pub simd_width: u32,
    /// Totals of the launch.
    pub work: Work<Quantity>,
    /// requested (read + write) bytes of storage and textures.
    pub requested: Quantity,
    /// Bytes after coalescing.
    pub transferred: Quantity,
    /// Each distinct byte once.
    pub compulsory: Quantity,
    /// FLOP per byte.
    pub intensity: Intensity,
    /// Active lanes / lanes over executed instructions.
    pub simd_efficiency: Option<f64>,
    /// Accesses in source order.
    pub accesses: Vec<AccessFacts>,
    /// Buffers and textures.
    pub buffers: Vec<BufferFacts>,
    /// Structures.
    pub layouts: Vec<LayoutFacts>,
    /// Workgroup memory of this entry point.
    pub workgroup_variables: Vec<WorkgroupVariable>,
    /// Its sum.
    pub workgroup_bytes: u64,
    /// Loops.
    pub loops: Vec<LoopFacts>,
    /// Branches.
    pub branches: Vec<BranchFacts>,
    /// Barriers.
    pub barriers: Vec<BarrierFacts>,
    /// Registers of one invocation.
    pub registers: Option<Registers>,
    /// Occupancy.
    pub occupancy: Occupancy,
    /// What the launch asks of the machine.
    pub demand: Demand,
    /// Predicted times.
    pub prediction: Prediction,
    /// What numbers take for granted.
    pub assumptions: Vec<String>,
    /// What is not known.
    pub unknowns: Vec<Unknown>,
    /// What is not modelled.
    pub unsupported: Vec<Unsupported>,
    /// Portability.
    pub portability: Vec<PortabilityFact>,
    /// Pencil-and-paper sums.
    pub derivations: Vec<Derivation>,
}
