//! One kernel, three layouts: the cell of each particle from its position alone.
//!
//! Only the position, 16 bytes, is read; the layouts differ in what lies between two positions. Start
//! at [`PARTICLES_AOS`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, UniformSpec};
use crate::counts::{Counts, LINE_BYTES, SIMD_LANES, contiguous_transfer};
use crate::data::{Data, Fill};
use crate::elementwise::{LINEAR_64, linear_invocations};
use crate::launch::{LaunchCase, Size};

const CELLS_PER_UNIT: f32 = 8.0;
const SIDE: u32 = 16;

/// Coordinates whose cells along each axis are 0 … [`SIDE`] − 1.
const INSIDE: Fill = Fill::Uniform {
    low: 0.0,
    high: 1.99,
};

/// Array of structures of 64 bytes.
pub const PARTICLES_AOS: KernelCase = KernelCase {
    name: "particles_aos",
    source: include_str!("../wgsl/particles_aos.wgsl"),
    file_name: "particles_aos.wgsl",
    summary: "reads 16 bytes of every 64-byte particle",
    buffers: &[
        BufferSpec::input("particles", 1, ScalarType::F32)
            .of(16)
            .filled(INSIDE),
        BufferSpec::output("cells", 2, ScalarType::U32),
    ],
    make_launches: || launches("particles", 64),
    run_reference: |launch, inputs| reference(launch, &inputs["particles"], 16),
    ..PARTICLES
};

/// Structure of arrays: the positions alone.
pub const PARTICLES_SOA: KernelCase = KernelCase {
    name: "particles_soa",
    source: include_str!("../wgsl/particles_soa.wgsl"),
    file_name: "particles_soa.wgsl",
    summary: "reads an array of positions and nothing else",
    buffers: &[
        BufferSpec::input("positions", 1, ScalarType::F32)
            .of(4)
            .filled(INSIDE),
        BufferSpec::output("cells", 2, ScalarType::U32),
    ],
    make_launches: || launches("positions", 16),
    run_reference: |launch, inputs| reference(launch, &inputs["positions"], 4),
    ..PARTICLES
};

/// Array of hot structures of 32 bytes.
pub const PARTICLES_HOT_COLD: KernelCase = KernelCase {
    name: "particles_hot_cold",
    source: include_str!("../wgsl/particles_hot_cold.wgsl"),
    file_name: "particles_hot_cold.wgsl",
    summary: "reads 16 bytes of every 32-byte hot half of a particle",
    buffers: &[
        BufferSpec::input("hot", 1, ScalarType::F32)
            .of(8)
            .filled(INSIDE),
        BufferSpec::output("cells", 2, ScalarType::U32),
    ],
    make_launches: || launches("hot", 32),
    run_reference: |launch, inputs| reference(launch, &inputs["hot"], 8),
    ..PARTICLES
};

const PARTICLES: KernelCase = KernelCase {
    uniform: UniformSpec::of(&[ParamSpec::f32("d.cells_per_unit"), ParamSpec::u32("d.side")]),
    ..LINEAR_64
};

fn launches(buffer: &'static str, pitch_bytes: u128) -> Vec<LaunchCase> {
    [
        (Size::Tiny, 5),
        (Size::Round, 128),
        (Size::Ragged, 1000),
        (Size::Large, 1_000_000),
    ]
    .into_iter()
    .map(|(size, n): (Size, u32)| {
        LaunchCase::new(size, [n.div_ceil(64), 1, 1], counts(n, buffer, pitch_bytes))
            .param("d.cells_per_unit", CELLS_PER_UNIT)
            .param("d.side", SIDE)
            .len(buffer, u64::from(n))
            .len("cells", u64::from(n))
    })
    .collect()
}

fn reference(launch: &LaunchCase, particles: &Data, pitch: usize) -> crate::data::Buffers {
    let scale = launch.f32("d.cells_per_unit");
    let cells = cells(particles.f32s(), pitch, scale, launch.u32("d.side"));
    [("cells", Data::U32(cells))].into()
}

/// Counts of the three kernels on `n` particles whose positions lie `pitch_bytes` (16, 32 or 64) apart
/// in `buffer`.
///
/// - Every lane evaluates the guard: one integer compare. `n` lanes pass it.
/// - A lane that passes loads the position, 16 bytes, and both uniform scalars, 8 bytes; three products,
///   then two products and two sums of integers; it stores 4 bytes. The conversion is neither.
/// - Only the positions are in the read set: compulsory = requested = 20 n.
/// - Transfers of the load: the pitch divides a line, so `r` lanes touch ceil(`r` · pitch / 128) lines:
///   16 · 128 bytes for 32 lanes at a pitch of 64, a quarter of which is used.
pub fn counts(n: u32, buffer: &'static str, pitch_bytes: u128) -> Counts {
    let invocations = linear_invocations(n);
    let n = u128::from(n);
    let load_lines = n / SIMD_LANES * (SIMD_LANES * pitch_bytes).div_ceil(LINE_BYTES)
        + (n % SIMD_LANES * pitch_bytes).div_ceil(LINE_BYTES);
    Counts {
        flops: 3 * n,
        integer_ops: Some(invocations + 4 * n),
        uniform_bytes: Some(8 * n),
        compulsory_bytes: Some(20 * n),
        transferred_bytes: Some(load_lines * LINE_BYTES + contiguous_transfer(n, 4)),
        ..Counts::of(invocations)
    }
    .reads(buffer, 16 * n)
    .writes("cells", 4 * n)
}

/// Cell of each particle, x fastest, in a grid of `side`³ cells; `pitch` is the distance between two
/// positions in scalars.
pub fn cells(particles: &[f32], pitch: usize, cells_per_unit: f32, side: u32) -> Vec<u32> {
    particles
        .chunks_exact(pitch)
        .map(|particle| {
            let [x, y, z] = [0, 1, 2].map(|axis| (particle[axis] * cells_per_unit) as u32);
            x + side * (y + side * z)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_give_the_same_cells() {
        let positions: Vec<f32> = (0..20u8).map(|i| f32::from(i) / 10.0).collect();
        let mut particles = vec![9.0; 80];
        for (particle, position) in particles
            .chunks_exact_mut(16)
            .zip(positions.chunks_exact(4))
        {
            particle[..4].copy_from_slice(position);
        }
        assert_eq!(
            cells(&positions, 4, 8.0, 16),
            cells(&particles, 16, 8.0, 16)
        );
        // (0.0, 0.1, 0.2) · 8 lies in cell (0, 0, 1).
        assert_eq!(cells(&positions, 4, 8.0, 16)[0], 256);
    }

    #[test]
    fn a_million_particles_move_what_the_layout_says() {
        // With a u32 stored a particle: 68 MB, 36 MB and 20 MB.
        let moved = |pitch| counts(1_000_000, "p", pitch).transferred_bytes;
        assert_eq!(moved(64), Some(68_000_000));
        assert_eq!(moved(32), Some(36_000_000));
        assert_eq!(moved(16), Some(20_000_000));
    }
}
