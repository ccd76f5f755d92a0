//! The report as data: schema `cresta-report/1`.
//!
//! Other programs rely on these keys, so these structures are separate from
//! [`Facts`](cresta_analysis::Facts) and change only by adding. Spans are 1-based, fractions and
//! efficiencies are 0–1, totals are for the launch, and `null` means that nobody knows. The JSON
//! schema and the reference page are generated from here. Start at [`Report`].

mod access;
mod convert;
mod convert_parts;
mod findings;
mod occupancy;
mod quantity;
mod work;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use convert::{all_assumptions, attainable_flop_per_second, roofline_intensity};

pub use access::{Access, CallSite, Conflict, Totals, WorkgroupMemory};
pub use findings::{Diagnostic, Failure, Lever, Unknown};
pub use occupancy::{
    IdleAt, LatencyHiding, Limits, Occupancy, OccupancyReport, OccupancySteps, Registers, Steps,
};
pub use quantity::Q;
pub use work::{Buffer, Bytes, Intensity, Modelled, Work};

/// The value of [`Report::schema`].
pub const REPORT_SCHEMA: &str = "cresta-report/1";
/// The value of [`MachinesReport::schema`].
pub const MACHINES_SCHEMA: &str = "cresta-machines/1";
/// The value of [`OccupancyReport::schema`].
pub const OCCUPANCY_SCHEMA: &str = "cresta-occupancy/1";

/// What `cresta analyze --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Report {
    /// Always `cresta-report/1`.
    pub schema: String,
    /// The machine that times and occupancy are for.
    pub machine: Machine,
    /// One for each entry point that was analysed, files in the order shown, entry points in
    /// source order.
    pub kernels: Vec<Kernel>,
    /// Files and entry points that could not be analysed; each is an error finding.
    pub failures: Vec<Failure>,
    /// Files of several that hold no kernel, or not the one asked for; no failures.
    pub skipped: Vec<Skipped>,
}

/// A file that was passed over.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Skipped {
    /// The file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// What `cresta machines --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MachinesReport {
    /// Always `cresta-machines/1`.
    pub schema: String,
    /// The machines asked for, in that order.
    pub machines: Vec<Machine>,
}

/// A machine and where each of its values comes from.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Machine {
    /// Name for the command line.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Why this machine: the default, or named by the person.
    pub reason: Option<String>,
    /// Known fields by dotted key (`dram.bytes_per_second`); what is absent is unknown.
    pub fields: BTreeMap<String, MachineField>,
}

/// One value of a machine.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MachineField {
    /// The value, in the unit that the key ends in.
    pub value: f64,
    /// `measured`, `datasheet` or `assumed`.
    pub provenance: Option<String>,
    /// The source in words.
    pub source: Option<String>,
}

/// One entry point at one launch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Kernel {
    /// File as the person named it.
    pub file: String,
    /// Entry point.
    pub entry: String,
    /// Invocations of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Workgroups along x, y, z; null while the launch is unknown.
    pub workgroups: Option<[u32; 3]>,
    /// `symbolic` or `exact`: the engine that counted.
    pub engine: String,
    /// What the launch does.
    pub work: Work,
    /// Memory accesses in source order.
    pub accesses: Vec<Access>,
    /// Memory shared by a workgroup.
    pub workgroup_memory: WorkgroupMemory,
    /// Structures in memory.
    pub layout: Vec<Layout>,
    /// Residency on one compute unit.
    pub occupancy: Occupancy,
    /// Predicted time.
    pub prediction: Prediction,
    /// Measured time; null where nothing was run.
    pub measurement: Option<Measurement>,
    /// Optimisations, with what each would gain; those that do nothing too.
    pub levers: Vec<Lever>,
    /// What the numbers take for granted.
    pub assumptions: Vec<String>,
    /// What is unknown, with what would settle it.
    pub unknowns: Vec<Unknown>,
    /// What the rules found.
    pub diagnostics: Vec<Diagnostic>,
}

/// Layout of one structure.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Layout {
    /// Name of the structure.
    #[serde(rename = "struct")]
    pub name: String,
    /// Size with padding.
    pub size_bytes: u32,
    /// Bytes that hold nothing.
    pub padding_bytes: u32,
    /// `padding_bytes / size_bytes`.
    pub padding_fraction: f64,
}

/// Predicted time of the launch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Prediction {
    /// The resource that sets the time: `dram`, `l2`, `l1`, `shared`, `compute`, `special`,
    /// `integer`, `issue`, `latency`, `atomic`, `launch` or `transfer`; null where none is known, or
    /// where another may turn out slower than the slowest that is known.
    pub bound: Option<String>,
    /// The slowest resource of what is known; `bound` where nothing else can be slower.
    pub slowest_known: Option<String>,
    /// Launch overhead, where known, plus the slowest resource; null where `slowest_known` is.
    pub seconds: Option<f64>,
    /// Whether `seconds` is a lower bound: a part of what the launch asks is not known.
    pub at_least: bool,
    /// The most that the launch can take, where `at_least` is true and it is known.
    pub seconds_at_most: Option<f64>,
    /// Every resource that could be counted; what is absent is unknown, not zero.
    pub resources: Vec<ResourceTime>,
    /// `min(peak, intensity × bandwidth)` at modelled DRAM bytes, else at transferred bytes.
    pub attainable_flops_per_second: Option<f64>,
    /// Requested bytes over DRAM bandwidth: the sum that one does with a pencil.
    pub seconds_at_requested_bytes: Option<f64>,
}

/// The time that one resource alone would take.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResourceTime {
    /// Name as in `bound`.
    pub name: String,
    /// Its time.
    pub seconds: f64,
    /// Whether the time is a lower bound: a part of the demand is not known.
    pub at_least: bool,
    /// The most that it can be, where `at_least` is true and it is known.
    pub seconds_at_most: Option<f64>,
}

/// Measured time of the launch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Measurement {
    /// Best time.
    pub seconds: f64,
    /// Times by percentile (`p5`, `p50`, `p95`).
    pub percentiles: BTreeMap<String, f64>,
    /// FLOP over the best time.
    pub flops_per_second: Option<f64>,
    /// Modelled DRAM bytes, else transferred bytes, over the best time.
    pub bytes_per_second: Option<f64>,
    /// Measured rate over the roof by resource; above 1 the roof or the count is at fault.
    pub fraction_of_roof: BTreeMap<String, f64>,
    /// Predicted over measured time, less one.
    pub prediction_error: Option<f64>,
}
