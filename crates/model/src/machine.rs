//! A description of one GPU: roofs, memory levels, SIMD width, registers, shared memory, slots.
//!
//! Every quantity is optional: absent means that nobody knows it, and whatever needs it says so.
//! Field names end in their SI unit. Where a value comes from is kept beside the values, by dotted
//! key (`dram.bytes_per_second`), so that arithmetic stays free of it. Start at [`Machine`].

use std::collections::BTreeMap;

/// Where the value of a machine's field comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// Measured on the device by a probe.
    Measured,
    /// Stated by the vendor or by a cited third party.
    Datasheet,
    /// Inferred; the source text says from what.
    Assumed,
}

impl Provenance {
    /// The word that machine files and reports use.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::Measured => "measured",
            Provenance::Datasheet => "datasheet",
            Provenance::Assumed => "assumed",
        }
    }
}

/// Provenance of one field, with the text of its source where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldOrigin {
    /// How the value is known.
    pub provenance: Provenance,
    /// The source in words: document, table, year; or what the value is inferred from.
    pub source: Option<String>,
}

/// One GPU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// Short name used on the command line.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Lanes of one SIMD group.
    pub simd_width: Option<u32>,
    /// Arithmetic roofs.
    pub compute: Compute,
    /// Device memory.
    pub dram: Dram,
    /// Cache shared by all units.
    pub l2: L2,
    /// Cache of one unit.
    pub l1: L1,
    /// Workgroup memory of one unit.
    pub shared: Shared,
    /// Register file of one unit.
    pub registers: Registers,
    /// Scheduling slots of one unit.
    pub slots: Slots,
    /// Same-address atomics.
    pub atomic: Atomic,
    /// Cost of a dispatch.
    pub launch: Launch,
    /// Host link.
    pub transfer: Transfer,
    /// Provenance by dotted key, for each field that has a value.
    pub origins: BTreeMap<String, FieldOrigin>,
}

/// Arithmetic roofs of the whole device unless named otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compute {
    /// Number of compute units (streaming multiprocessors, compute units, cores).
    pub units: Option<u32>,
    /// Sustained shader clock.
    pub clock_hz: Option<f64>,
    /// Peak f32 rate; a fused multiply-add counts as two.
    pub f32_flop_per_second: Option<f64>,
    /// Peak f16 rate outside matrix units; a fused multiply-add counts as two.
    pub f16_flop_per_second: Option<f64>,
    /// Peak f64 rate; a fused multiply-add counts as two.
    pub f64_flop_per_second: Option<f64>,
    /// Peak rate of special operations (reciprocal, square root, transcendentals), per lane.
    pub special_ops_per_second: Option<f64>,
    /// Peak rate of 32-bit integer operations, per lane.
    pub integer_ops_per_second: Option<f64>,
    /// SIMD-group instructions that one unit issues per cycle.
    pub issue_per_unit_per_cycle: Option<f64>,
}

/// Device memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dram {
    /// Peak bandwidth, reads and writes together.
    pub bytes_per_second: Option<f64>,
    /// Latency of a load that misses every cache.
    pub latency_seconds: Option<f64>,
    /// Capacity.
    pub size_bytes: Option<u64>,
}

/// Cache shared by all units.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct L2 {
    /// Capacity.
    pub size_bytes: Option<u64>,
    /// Peak bandwidth.
    pub bytes_per_second: Option<f64>,
    /// Latency of a hit.
    pub latency_seconds: Option<f64>,
    /// What DRAM and L2 move at a time.
    pub sector_bytes: Option<u32>,
}

/// Cache of one unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct L1 {
    /// Capacity, the most that can serve as cache.
    pub size_bytes_per_unit: Option<u64>,
    /// What one request is cut into.
    pub line_bytes: Option<u32>,
    /// Lines of one request that are served in one cycle of one unit.
    pub lines_per_wavefront: Option<f64>,
    /// Latency of a hit.
    pub latency_seconds: Option<f64>,
}

/// Workgroup memory of one unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shared {
    /// Capacity of one unit.
    pub bytes_per_unit: Option<u64>,
    /// Number of banks.
    pub banks: Option<u32>,
    /// Width of a bank.
    pub bank_bytes: Option<u32>,
    /// Allocation granularity of a workgroup's memory.
    pub granularity_bytes: Option<u32>,
}

/// Register file of one unit, in 32-bit registers of one lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Registers {
    /// 32-bit registers of one unit, all lanes together.
    pub per_unit: Option<u64>,
    /// Allocation granularity, in registers of one invocation.
    pub granularity: Option<u32>,
    /// The most that one invocation can have before it spills.
    pub max_per_invocation: Option<u32>,
}

/// Scheduling slots of one unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Slots {
    /// Resident invocations at most.
    pub invocations_per_unit: Option<u32>,
    /// Resident workgroups at most.
    pub groups_per_unit: Option<u32>,
    /// Resident SIMD groups at most.
    pub simd_groups_per_unit: Option<u32>,
}

/// Atomics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Atomic {
    /// Read-modify-writes of one address per second, whole device.
    pub same_address_per_second: Option<f64>,
}

/// Cost of a dispatch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Launch {
    /// Time of an empty dispatch.
    pub overhead_seconds: Option<f64>,
}

/// Host link.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfer {
    /// Host to device.
    pub upload_bytes_per_second: Option<f64>,
    /// Device to host.
    pub readback_bytes_per_second: Option<f64>,
}

impl Machine {
    /// The sector, or the line where the machine names no sector.
    pub fn sector_bytes(&self) -> Option<u32> {
        self.l2.sector_bytes.or(self.l1.line_bytes)
    }

    /// The fastest arithmetic rate that bandwidth can feed at `flop_per_byte`, unclamped by anything
    /// but the roof itself: `min(peak, intensity × bandwidth)` (Williams, Waterman and Patterson, 2009).
    pub fn attainable_flop_per_second(&self, flop_per_byte: f64) -> Option<f64> {
        let peak = self.compute.f32_flop_per_second?;
        Some(peak.min(flop_per_byte * self.dram.bytes_per_second?))
    }
}
