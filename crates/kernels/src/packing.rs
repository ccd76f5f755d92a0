//! Fewer bytes an element: colours in one word, pairs of halves in one word.
//!
//! Format conversions are no FLOP. Start at [`PACK_4X8`].

use half::f16;

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::{Counts, contiguous_transfer};
use crate::data::{Data, Fill};
use crate::elementwise::{LINEAR_64, launches, linear_invocations};

const GAIN: f32 = 1.5;

/// Four floats to one word of four unsigned bytes.
pub const PACK_4X8: KernelCase = KernelCase {
    name: "pack4x8",
    source: include_str!("../wgsl/pack4x8.wgsl"),
    file_name: "pack4x8.wgsl",
    summary: "packs a colour of 16 bytes into one word",
    buffers: &[
        BufferSpec::input("colors", 0, ScalarType::F32).of(4),
        BufferSpec::output("packed", 1, ScalarType::U32),
    ],
    tolerance: Tolerance::OneUnitPerByte,
    make_launches: || launches(&["colors", "packed"], |n| pack_counts(n, "colors", 16)),
    run_reference: |_, inputs| [("packed", Data::U32(pack4x8(inputs["colors"].f32s())))].into(),
    ..LINEAR_64
};

/// One word of four unsigned bytes to four floats, times a gain.
pub const UNPACK_4X8: KernelCase = KernelCase {
    name: "unpack4x8",
    source: include_str!("../wgsl/unpack4x8.wgsl"),
    file_name: "unpack4x8.wgsl",
    summary: "unpacks a colour from one word and applies a gain",
    uniform: UniformSpec::of(&[ParamSpec::f32("d.gain")]),
    buffers: &[
        BufferSpec::input("packed", 1, ScalarType::U32).filled(Fill::Words),
        BufferSpec::output("colors", 2, ScalarType::F32).of(4),
    ],
    tolerance: Tolerance::Relative(1e-6),
    make_launches: || {
        launches(&["packed", "colors"], unpack_counts)
            .into_iter()
            .map(|launch| launch.param("d.gain", GAIN))
            .collect()
    },
    run_reference: |launch, inputs| {
        let colors = unpack4x8(inputs["packed"].u32s(), launch.f32("d.gain"));
        [("colors", Data::F32(colors))].into()
    },
    ..LINEAR_64
};

/// Two floats to one word of two halves.
pub const PACK_2X16: KernelCase = KernelCase {
    name: "pack2x16",
    source: include_str!("../wgsl/pack2x16.wgsl"),
    file_name: "pack2x16.wgsl",
    summary: "packs a pair of floats into one word of two halves",
    buffers: &[
        BufferSpec::input("pairs", 0, ScalarType::F32).of(2),
        BufferSpec::output("packed", 1, ScalarType::U32),
    ],
    tolerance: Tolerance::OneUnitPerHalf,
    make_launches: || launches(&["pairs", "packed"], |n| pack_counts(n, "pairs", 8)),
    run_reference: |_, inputs| [("packed", Data::U32(pack2x16(inputs["pairs"].f32s())))].into(),
    ..LINEAR_64
};

/// Counts of [`PACK_4X8`] and [`PACK_2X16`] on `n` elements of `width` bytes in buffer `from`.
///
/// - Every lane evaluates the guard: one integer compare. `n` lanes pass it.
/// - A lane that passes loads one element whole, converts it (no FLOP) and stores one word.
/// - No byte is touched twice.
pub fn pack_counts(n: u32, from: &'static str, width: u128) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    Counts {
        integer_ops: Some(invocations),
        compulsory_bytes: Some((width + 4) * n),
        transferred_bytes: Some(contiguous_transfer(n, width) + contiguous_transfer(n, 4)),
        ..Counts::of(invocations)
    }
    .reads(from, width * n)
    .writes("packed", 4 * n)
}

/// Counts of [`UNPACK_4X8`] on `n` elements.
///
/// - Every lane evaluates the guard: one integer compare. `n` lanes pass it.
/// - A lane that passes loads a word, converts it (no FLOP), loads the gain from the uniform, does
///   four products and stores 16 bytes.
pub fn unpack_counts(n: u32) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    Counts {
        flops: 4 * n,
        integer_ops: Some(invocations),
        uniform_bytes: Some(4 * n),
        compulsory_bytes: Some(20 * n),
        transferred_bytes: Some(contiguous_transfer(n, 4) + contiguous_transfer(n, 16)),
        ..Counts::of(invocations)
    }
    .reads("packed", 4 * n)
    .writes("colors", 16 * n)
}

/// Each group of four floats as `pack4x8unorm` packs it: `floor(0.5 + 255 · clamp(v, 0, 1))`, the
/// first in the lowest byte.
pub fn pack4x8(colors: &[f32]) -> Vec<u32> {
    colors
        .as_chunks::<4>()
        .0
        .iter()
        .map(|color| u32::from_le_bytes(color.map(|v| (0.5 + 255.0 * v.clamp(0.0, 1.0)) as u8)))
        .collect()
}

/// Each word as `unpack4x8unorm` unpacks it, `byte / 255`, times the gain.
pub fn unpack4x8(packed: &[u32], gain: f32) -> Vec<f32> {
    packed
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .map(|byte| f32::from(byte) / 255.0 * gain)
        .collect()
}

/// Each pair of floats as `pack2x16float` packs it, the first in the lower half of the word.
pub fn pack2x16(pairs: &[f32]) -> Vec<u32> {
    pairs
        .as_chunks::<2>()
        .0
        .iter()
        .map(|pair| {
            let [low, high] = pair.map(|v| u32::from(f16::from_f32(v).to_bits()));
            low | high << 16
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_undoes_unpacking() {
        let words = [0x0000_0000, 0xffff_ffff, 0x8040_2010, 0x0102_fefd];
        assert_eq!(pack4x8(&unpack4x8(&words, 1.0)), words);
    }

    #[test]
    fn colors_are_clamped_and_rounded() {
        // 0.5 · 255 + 0.5 = 128; below 0 and above 1 saturate.
        assert_eq!(pack4x8(&[-1.0, 2.0, 0.5, 1.0]), [0xff80_ff00]);
    }

    #[test]
    fn halves_have_their_standard_bits() {
        // 1.0 is 0x3c00 and −2.0 is 0xc000 in IEEE 754 binary16.
        assert_eq!(pack2x16(&[1.0, -2.0]), [0xc000_3c00]);
    }
}
