//! Memory accesses, as reports tell them.

use schemars::JsonSchema;
use serde::Serialize;

use super::Q;

/// One memory access of the source.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Access {
    /// File of the span.
    pub file: String,
    /// 1-based line; 0 when the source has no positions (SPIR-V).
    pub line: u32,
    /// 1-based column, in characters.
    pub column: u32,
    /// `storage`, `uniform`, `workgroup`, `private` or `texture`.
    pub space: String,
    /// Variable.
    pub variable: String,
    /// Member within an element, where only a part of a structure is accessed.
    pub member: Option<String>,
    /// `load`, `store` or `atomic`.
    pub op: String,
    /// Bytes that each lane asks for; null for a texture of unknown format.
    pub bytes_per_lane: Option<u32>,
    /// `contiguous`, `misaligned`, `segmented`, `reversed`, `strided`, `broadcast`, `scatter` or
    /// `unknown`: how the distinct addresses of a SIMD group lie.
    pub pattern: String,
    /// Share of the SIMD executions that have this pattern.
    pub pattern_share: Option<f64>,
    /// What pattern and transactions rest on: `counted`; or why they are null: `data` (the addresses
    /// depend on data), `never_runs`, `not_reached` (at the values that stand in for what is not set),
    /// `too_many_cases`, `not_counted` (textures, uniform buffers, private memory).
    pub basis: String,
    /// Distance between neighbouring lanes' distinct addresses, where constant.
    pub stride_bytes: Option<i64>,
    /// The byte address over lane, workgroup and loop variables.
    pub address: String,
    /// Distinct lines of one SIMD group's access, mean over executions.
    pub transactions: Option<f64>,
    /// The fewest lines that could hold the bytes.
    pub ideal_transactions: Option<f64>,
    /// Distinct sectors, mean.
    pub sectors: Option<f64>,
    /// The fewest sectors that could hold the bytes.
    pub ideal_sectors: Option<f64>,
    /// Σ ideal sectors / Σ sectors.
    pub efficiency: Option<f64>,
    /// Lines of the launch.
    pub transactions_total: Option<f64>,
    /// Sectors of the launch.
    pub sectors_total: Option<f64>,
    /// Bytes that the lanes' sectors move in the launch.
    pub bytes_total: Option<f64>,
    /// The least that the three totals can be, where data decide them.
    pub totals_lower: Option<Totals>,
    /// The most, likewise.
    pub totals_upper: Option<Totals>,
    /// Mean degree of bank conflicts; workgroup memory only, 1 is free of conflicts.
    pub bank_degree: Option<f64>,
    /// Lane executions.
    pub executions: Q,
    /// SIMD groups with an active lane, summed over executions.
    pub simd_executions: Q,
    /// What `transactions` and `sectors` take for granted while parameters are unset.
    pub assumes: Option<String>,
    /// The calls through which the access was inlined, innermost first.
    pub call_chain: Vec<CallSite>,
}

/// Bounds of an access's totals over the launch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Totals {
    /// Lines.
    pub transactions: f64,
    /// Sectors.
    pub sectors: f64,
    /// Bytes that the sectors move.
    pub bytes: f64,
}

/// One inlined call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CallSite {
    /// The function called.
    pub function: String,
    /// File of the call.
    pub file: String,
    /// 1-based line of the call.
    pub line: u32,
    /// 1-based column of the call.
    pub column: u32,
}

/// Memory shared by a workgroup.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkgroupMemory {
    /// Bytes of the entry point's variables.
    pub bytes: u64,
    /// The most that WebGPU allows by default.
    pub limit_bytes: u64,
    /// Accesses whose lanes fall on the same bank.
    pub conflicts: Vec<Conflict>,
}

/// One access with bank conflicts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Conflict {
    /// File of the span.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// 1-based column.
    pub column: u32,
    /// Variable.
    pub variable: String,
    /// Times that the access takes longer than without conflicts.
    pub degree: f64,
}
