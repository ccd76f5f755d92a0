//! Textures: how texels share lines, what mips cost, and how rows are pitched in copies.
//!
//! Start at [`texels_per_line`].

/// Row pitch of buffer-texture copies: WebGPU, “GPUTexelCopyBufferLayout”, `bytesPerRow` must be a
/// multiple of 256.
pub const ROW_PITCH_BYTES: u64 = 256;

/// Texels that share a line; none where a texel is larger.
pub fn texels_per_line(line_bytes: u64, texel_bytes: u64) -> Option<u64> {
    line_bytes
        .checked_div(texel_bytes)
        .filter(|&texels| texels > 0)
}

/// Width and height of the block of texels that shares a line in Morton order, which alternates bits
/// of x and y from the lowest: the wider side is x. None where the count is not a power of two.
pub fn line_block(texels_per_line: u64) -> Option<(u64, u64)> {
    let bits = texels_per_line
        .is_power_of_two()
        .then(|| texels_per_line.trailing_zeros())?;
    Some((1 << bits.div_ceil(2), 1 << (bits / 2)))
}

/// Efficiency of fetching single texels far apart: one texel of each line, 0–1.
pub fn random_fetch_efficiency(line_bytes: u64, texel_bytes: u64) -> f64 {
    texel_bytes as f64 / line_bytes as f64
}

/// Texels of a full mip chain over those of its base level; near 4/3 for any large square.
///
/// Each level halves both sides, rounded down and at least 1. None for an empty texture.
pub fn mip_chain_factor(width: u32, height: u32) -> Option<f64> {
    let base = u64::from(width) * u64::from(height);
    let levels = width.max(height).checked_ilog2()?;
    let texels: u64 = (0..=levels)
        .map(|level| u64::from((width >> level).max(1)) * u64::from((height >> level).max(1)))
        .sum();
    (base > 0).then(|| texels as f64 / base as f64)
}

/// Bytes of one row in a buffer that a copy reads or writes.
pub fn bytes_per_row(width: u32, texel_bytes: u32) -> u64 {
    (u64::from(width) * u64::from(texel_bytes)).next_multiple_of(ROW_PITCH_BYTES)
}
