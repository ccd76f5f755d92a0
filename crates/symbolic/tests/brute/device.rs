//! The few facts about hardware that counting needs.

/// Widths of one device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Device {
    /// Lanes of a SIMD group.
    pub(crate) simd_width: u32,
    /// Bytes of a cache line.
    pub(crate) line_bytes: u64,
    /// Bytes of a sector.
    pub(crate) sector_bytes: u64,
    /// Banks of workgroup memory.
    pub(crate) banks: u64,
    /// Bytes of a word of a bank.
    pub(crate) bank_bytes: u64,
}

impl Device {
    /// The generic machines.
    pub(crate) const GENERIC: Device = Device {
        simd_width: 32,
        line_bytes: 128,
        sector_bytes: 128,
        banks: 32,
        bank_bytes: 4,
    };
}
