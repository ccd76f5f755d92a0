//! What a launch does, as reports tell it.

use schemars::JsonSchema;
use serde::Serialize;

use super::Q;

/// Totals of one launch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Work {
    /// Invocations, those that a guard turns away included.
    pub invocations: Option<f64>,
    /// Floating-point operations; a fused multiply-add is two.
    pub flops: Q,
    /// Those of `flops` that are on f16.
    pub flops_f16: Q,
    /// Those of `flops` that are on f64.
    pub flops_f64: Q,
    /// Division, roots and transcendentals, `pow` as two.
    pub special_ops: Q,
    /// Integer arithmetic and compares that the source writes.
    pub integer_ops: Q,
    /// Negation, rounding, compares of floats, select, conversion, logic.
    pub other_ops: Q,
    /// Subgroup operations.
    pub subgroup_ops: Q,
    /// Atomic operations.
    pub atomics: Q,
    /// Barrier executions per workgroup, summed over the launch.
    pub barriers: Q,
    /// Active lanes over lanes, of executed instructions.
    pub simd_efficiency: Option<f64>,
    /// Traffic.
    pub bytes: Bytes,
    /// FLOP per byte.
    pub intensity: Intensity,
}

/// Bytes of storage buffers and textures, unless named otherwise.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Bytes {
    /// Bytes that the lanes ask for.
    pub requested: Q,
    /// The loads of `requested`.
    pub requested_read: Q,
    /// The stores of `requested`.
    pub requested_write: Q,
    /// Sectors times sector size: what coalescing makes of it.
    pub transferred: Q,
    /// Each distinct byte once: the floor.
    pub compulsory: Q,
    /// After the cache model, by level; null without a cache model.
    pub modelled: Modelled,
    /// Bytes of uniform buffers.
    pub uniform: Q,
    /// Bytes of workgroup memory.
    pub workgroup: Q,
    /// Bytes of private memory: arrays with run-time indices.
    pub private: Q,
    /// By buffer or texture.
    pub by_buffer: Vec<Buffer>,
}

/// Bytes at each level after the cache model.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Modelled {
    /// Between lanes and L1.
    pub l1: Option<f64>,
    /// Between L1 and L2.
    pub l2: Option<f64>,
    /// Between L2 and DRAM.
    pub dram: Option<f64>,
}

/// Bytes of one buffer or texture.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Buffer {
    /// Name in the source.
    pub name: String,
    /// `storage`, `uniform` or `texture`.
    pub space: String,
    /// `@group`.
    pub group: Option<u32>,
    /// `@binding`.
    pub binding: Option<u32>,
    /// Whether the kernel may write it.
    pub writable: bool,
    /// Size, when type and launch tell.
    pub size_bytes: Option<u64>,
    /// Bytes that the lanes ask for.
    pub requested: Q,
    /// Bytes after coalescing.
    pub transferred: Q,
    /// Each distinct byte once.
    pub compulsory: Q,
    /// Requested over compulsory bytes in the launch.
    pub reuse_launch: Option<f64>,
    /// Requested over compulsory bytes within one workgroup.
    pub reuse_workgroup: Option<f64>,
}

/// FLOP per byte at three byte counts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Intensity {
    /// At requested bytes.
    pub requested: Q,
    /// At transferred bytes.
    pub transferred: Q,
    /// At compulsory bytes.
    pub compulsory: Q,
}
