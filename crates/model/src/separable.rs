//! Separable filters: two passes of `k` samples in place of one of `k²`, at the price of an
//! intermediate image.
//!
//! That a filter is separable is its author's claim; nothing here infers it. Start at [`Separated`].

/// What splitting a `taps × taps` filter over a `width × height` image changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Separated {
    /// Samples along one side of the filter.
    pub taps: u32,
    /// Image width in texels.
    pub width: u32,
    /// Image height in texels.
    pub height: u32,
    /// Size of a texel of the intermediate image.
    pub texel_bytes: u32,
}

impl Separated {
    /// Samples of an output in one pass: `k²`.
    pub fn samples_before(&self) -> u64 {
        u64::from(self.taps) * u64::from(self.taps)
    }

    /// Samples of an output in two passes: `2k`.
    pub fn samples_after(&self) -> u64 {
        2 * u64::from(self.taps)
    }

    /// Size of the intermediate image.
    pub fn intermediate_bytes(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height) * u64::from(self.texel_bytes)
    }

    /// Time to write the intermediate image once and read it once.
    pub fn intermediate_seconds(&self, bytes_per_second: f64) -> f64 {
        2.0 * self.intermediate_bytes() as f64 / bytes_per_second
    }
}
