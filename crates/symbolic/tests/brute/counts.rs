//! What is counted.

use std::collections::BTreeMap;

use cresta_ir::Space;
use half::f16;

/// Bytes that lanes ask for. An atomic read-modify-write counts as both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Requested {
    pub(crate) read: u64,
    pub(crate) written: u64,
}

/// Distinct bytes of one storage variable that a launch touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Footprint {
    pub(crate) read: u64,
    pub(crate) written: u64,
    /// Read, written or both, each once.
    pub(crate) touched: u64,
}

/// One access of the kernel, over the whole launch. Sums over SIMD executions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AccessCounts {
    /// Executions by lanes.
    pub(crate) executions: u64,
    /// Executions by SIMD groups with at least one active lane.
    pub(crate) simd_executions: u64,
    /// Of the lane executions, those whose address is not inside of the variable.
    pub(crate) out_of_bounds: u64,
    /// Distinct lines (storage and uniform buffers only, as are the next three).
    pub(crate) lines: u64,
    /// Fewest lines that could hold the distinct bytes.
    pub(crate) ideal_lines: u64,
    /// Distinct sectors.
    pub(crate) sectors: u64,
    /// Fewest sectors that could hold the distinct bytes.
    pub(crate) ideal_sectors: u64,
    /// Most distinct words in one bank (workgroup memory only, as are the next two).
    pub(crate) wavefronts: u64,
    /// Distinct words over banks, rounded up.
    pub(crate) ideal_wavefronts: u64,
    /// Largest ratio of the two of any SIMD execution; 0 without workgroup memory.
    pub(crate) worst_degree: f64,
    /// Distinct addresses inside of the variable (not of private memory).
    pub(crate) addresses: u64,
    /// Most lanes at one address (atomics only).
    pub(crate) same_address: u64,
}

/// What one launch did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    /// Invocations, those that a guard turns away included.
    pub(crate) invocations: u64,
    /// Floating-point operations by lanes, of all types.
    pub(crate) flops: u64,
    /// Of these, those on `f16`.
    pub(crate) flops_f16: u64,
    /// Of these, those on `f64`.
    pub(crate) flops_f64: u64,
    /// Special-function operations.
    pub(crate) special: u64,
    /// Integer operations.
    pub(crate) integer: u64,
    /// Other operations.
    pub(crate) other: u64,
    /// Barriers executed, once per workgroup and execution.
    pub(crate) barriers: u64,
    /// Barriers of SIMD groups executed, once per SIMD group and execution.
    pub(crate) simd_barriers: u64,
    /// Read-modify-writes by lanes. Atomic loads and stores are not among them.
    pub(crate) atomics: u64,
    /// Subgroup instructions executed by lanes; one on a vector counts once.
    pub(crate) subgroup_operations: u64,
    /// Active lanes, summed over executed instructions. Copies and control flow are not counted.
    pub(crate) active_lanes: u64,
    /// Lanes of the SIMD groups with an active lane, over the same instructions.
    pub(crate) lanes: u64,
    /// Bytes asked for by address space; texels whose size the format does not tell count nothing.
    pub(crate) requested: BTreeMap<Space, Requested>,
    /// By access of the kernel.
    pub(crate) accesses: Vec<AccessCounts>,
    /// By name of the storage variable; arrays of bindings together.
    pub(crate) footprint: BTreeMap<String, Footprint>,
    /// Buffers after the launch by name; arrays of bindings one after another.
    pub(crate) buffers: BTreeMap<String, Vec<u8>>,
}

impl Counts {
    /// Bytes asked for of one space.
    pub(crate) fn requested(&self, space: Space) -> Requested {
        self.requested.get(&space).copied().unwrap_or_default()
    }

    /// Active lanes over lanes.
    pub(crate) fn simd_efficiency(&self) -> f64 {
        self.active_lanes as f64 / self.lanes as f64
    }

    /// A buffer after the launch, as `u32`.
    pub(crate) fn u32s(&self, name: &str) -> Vec<u32> {
        let chunks = self.buffers[name].as_chunks().0;
        chunks
            .iter()
            .map(|&word| u32::from_le_bytes(word))
            .collect()
    }

    /// A buffer after the launch, as `f32`.
    pub(crate) fn f32s(&self, name: &str) -> Vec<f32> {
        self.u32s(name).into_iter().map(f32::from_bits).collect()
    }

    /// A buffer after the launch, as `f16`.
    pub(crate) fn f16s(&self, name: &str) -> Vec<f16> {
        let chunks = self.buffers[name].as_chunks().0;
        chunks
            .iter()
            .map(|&bits| f16::from_le_bytes(bits))
            .collect()
    }
}
