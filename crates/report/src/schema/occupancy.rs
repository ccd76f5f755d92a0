//! Residency on one compute unit, in reports and from the calculator.

use cresta_model::occupancy as model;
use schemars::JsonSchema;
use serde::Serialize;

use super::Machine;

/// Residency of one kernel on one compute unit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Occupancy {
    /// 32-bit registers of one invocation; null where nobody knows.
    pub registers: Option<Registers>,
    /// Groups that each resource allows.
    pub limits: Limits,
    /// Resident groups: the least of the known limits.
    pub groups: Option<u32>,
    /// Resident invocations.
    pub invocations: Option<u64>,
    /// Resident invocations over the most that the unit holds.
    pub fraction: Option<f64>,
    /// Resident SIMD groups over the most that the unit holds; above `fraction` where lanes of a
    /// SIMD group stay empty.
    pub simd_group_fraction: Option<f64>,
    /// `registers`, `workgroup_memory` or `slots`: what binds, ties in this order.
    pub limiter: Option<String>,
}

/// A register count and who says so.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Registers {
    /// How many.
    pub value: u32,
    /// `driver`, `estimate` or `given`.
    pub source: String,
}

/// Groups that each resource allows; null where the resource is unknown or unused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Limits {
    /// By the register file.
    pub registers: Option<u32>,
    /// By workgroup memory.
    pub workgroup_memory: Option<u32>,
    /// By slots for groups, SIMD groups and invocations.
    pub slots: Option<u32>,
}

/// What `cresta occupancy --format json` prints.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OccupancyReport {
    /// Always `cresta-occupancy/1`.
    pub schema: String,
    /// The machine.
    pub machine: Machine,
    /// Invocations of a workgroup.
    pub workgroup_invocations: u32,
    /// Workgroup memory of a group, before allocation granularity.
    pub workgroup_memory_bytes: u64,
    /// The result, with the keys of a report's `occupancy`.
    pub occupancy: Occupancy,
    /// Where the number of groups changes.
    pub steps: OccupancySteps,
    /// Whether the resident SIMD groups hide a latency; null where none was given.
    pub latency_hiding: Option<LatencyHiding>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
}

/// Amounts at which the number of resident groups changes, all else kept.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OccupancySteps {
    /// Registers of one invocation.
    pub registers: Option<Steps>,
    /// Bytes of workgroup memory.
    pub workgroup_memory_bytes: Option<Steps>,
}

/// Amounts around the current one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Steps {
    /// The largest amount that keeps the current number of groups; null where none fits.
    pub last_keeping: Option<u64>,
    /// The smallest amount that loses a group.
    pub lost_at: Option<u64>,
    /// The largest amount that wins a group; null where another resource forbids it.
    pub won_at: Option<u64>,
}

/// Little's law at one latency: SIMD groups that keep a unit busy while loads take their time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LatencyHiding {
    /// Latency of a load.
    pub latency_cycles: f64,
    /// SIMD groups that hide the latency entirely.
    pub simd_groups_needed: f64,
    /// SIMD groups that are resident.
    pub simd_groups_resident: Option<u64>,
    /// Needed over the most that the unit holds; above 1 no occupancy is enough.
    pub needed_fraction: Option<f64>,
    /// Fraction of time that the unit waits, with the resident SIMD groups.
    pub idle_fraction: Option<f64>,
    /// The same at a quarter, a half, three quarters and all of what the unit holds.
    pub by_occupancy: Vec<IdleAt>,
}

/// Waiting at one occupancy.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IdleAt {
    /// Resident SIMD groups over the most that the unit holds.
    pub fraction: f64,
    /// Fraction of time that the unit waits.
    pub idle_fraction: f64,
}

impl Occupancy {
    /// The model's result with the registers that it was computed for.
    pub fn new(of: &model::Occupancy, registers: Option<Registers>) -> Self {
        Occupancy {
            registers,
            limits: Limits {
                registers: of.limits.registers,
                workgroup_memory: of.limits.workgroup_memory,
                slots: of.limits.slots,
            },
            groups: of.groups,
            invocations: of.invocations,
            fraction: of.fraction,
            simd_group_fraction: of.simd_group_fraction,
            limiter: of.limiter.map(|limiter| limiter.name().to_owned()),
        }
    }
}

impl OccupancySteps {
    /// The steps of the model's result.
    pub fn new(of: &model::Occupancy) -> Self {
        OccupancySteps {
            registers: of.register_steps.map(Steps::from),
            workgroup_memory_bytes: of.workgroup_memory_steps.map(Steps::from),
        }
    }
}

impl From<model::Steps> for Steps {
    fn from(steps: model::Steps) -> Self {
        Steps {
            last_keeping: steps.last_keeping,
            lost_at: steps.lost_at,
            won_at: steps.won_at,
        }
    }
}
