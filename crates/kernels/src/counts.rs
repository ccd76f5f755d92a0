//! The true counts of one launch, as plain numbers.
//!
//! They follow the workspace's counting conventions: the module after constant folding and the
//! removal of pure expressions that nothing uses, no other elimination or hoisting. Start at
//! [`Counts`].

use std::collections::BTreeMap;

/// Line and sector size, in bytes, for which [`Counts::transferred_bytes`] is given.
pub(crate) const LINE_BYTES: u128 = 128;

/// Lanes of a SIMD group for which [`Counts::transferred_bytes`] is given.
pub(crate) const SIMD_LANES: u128 = 32;

/// Transferred bytes when lane `i` of a one-dimensional launch, for `i < elements`, accesses element
/// `i` of `width` bytes.
///
/// A full SIMD group asks for 32 · `width` bytes from a multiple of that size: ceil(32 `width` / 128)
/// lines. The last group's `r` lanes ask for ceil(`r` · `width` / 128) lines.
pub(crate) fn contiguous_transfer(elements: u128, width: u128) -> u128 {
    let full = (elements / SIMD_LANES) * (SIMD_LANES * width).div_ceil(LINE_BYTES);
    let last = (elements % SIMD_LANES * width).div_ceil(LINE_BYTES);
    (full + last) * LINE_BYTES
}

/// What one launch does, all lanes and workgroups together.
///
/// Only `Option` fields may be unknown; a zero elsewhere means that the kernel does none of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Lanes launched: workgroups × workgroup size, those that a guard turns away included.
    pub invocations: u128,
    /// Floating-point operations of all widths: add, mul, min, max, exp, … are 1, fma is 2.
    pub flops: u128,
    /// The part of `flops` done in half precision.
    pub f16_flops: u128,
    /// Divisions, square roots, inverse square roots and transcendentals; also part of `flops`.
    pub special_ops: u128,
    /// Integer and bitwise arithmetic and integer compares that the source writes, loop counters
    /// included, index arithmetic implied by `a[i]` excluded.
    ///
    /// `None` where a short-circuit `&&` or `||` keeps some lanes from its right operand, which the
    /// conventions leave open.
    pub integer_ops: Option<u128>,
    /// Bytes that the lanes ask for in uniform space, each lane's load counted. `None` for the same
    /// reason as `integer_ops`.
    pub uniform_bytes: Option<u128>,
    /// Bytes that the lanes read and write in workgroup memory, each lane's access counted; an
    /// atomic read-modify-write counts its size twice.
    pub workgroup_bytes: u128,
    /// Bytes that the lanes read from each storage buffer, each lane's access counted.
    pub read_bytes: BTreeMap<&'static str, u128>,
    /// Bytes that the lanes write to each storage buffer, each lane's access counted.
    pub write_bytes: BTreeMap<&'static str, u128>,
    /// Barrier executions per workgroup, summed over the launch.
    pub barriers: u128,
    /// Atomic read-modify-writes by lanes, in storage and in workgroup memory. Atomic loads and
    /// stores are counted as the reads and writes that they are.
    pub atomics: u128,
    /// Distinct bytes of storage read, plus distinct bytes of storage written. `None` where the
    /// data decide.
    pub compulsory_bytes: Option<u128>,
    /// Storage bytes moved after coalescing on the generic machine: SIMD groups of 32 lanes in
    /// order of the local invocation index, lines and sectors of 128 bytes, every buffer starting
    /// on a line. `None` where no closed form was derived.
    pub transferred_bytes: Option<u128>,
}

impl Counts {
    /// Counts of a kernel that does nothing but launch `invocations` lanes.
    ///
    /// Integer operations, compulsory and transferred bytes start unknown; uniform bytes start at
    /// zero, which is true of a kernel without uniforms.
    pub(crate) fn of(invocations: u128) -> Counts {
        Counts {
            invocations,
            flops: 0,
            f16_flops: 0,
            special_ops: 0,
            integer_ops: None,
            uniform_bytes: Some(0),
            workgroup_bytes: 0,
            read_bytes: BTreeMap::new(),
            write_bytes: BTreeMap::new(),
            barriers: 0,
            atomics: 0,
            compulsory_bytes: None,
            transferred_bytes: None,
        }
    }

    /// Adds the bytes that the lanes read from `buffer`.
    pub(crate) fn reads(mut self, buffer: &'static str, bytes: u128) -> Counts {
        *self.read_bytes.entry(buffer).or_default() += bytes;
        self
    }

    /// Adds the bytes that the lanes write to `buffer`.
    pub(crate) fn writes(mut self, buffer: &'static str, bytes: u128) -> Counts {
        *self.write_bytes.entry(buffer).or_default() += bytes;
        self
    }

    /// Bytes that the lanes read from storage, all buffers together.
    pub fn requested_read_bytes(&self) -> u128 {
        self.read_bytes.values().sum()
    }

    /// Bytes that the lanes write to storage, all buffers together.
    pub fn requested_write_bytes(&self) -> u128 {
        self.write_bytes.values().sum()
    }

    /// Bytes that the lanes read from and write to storage.
    pub fn requested_bytes(&self) -> u128 {
        self.requested_read_bytes() + self.requested_write_bytes()
    }
}
