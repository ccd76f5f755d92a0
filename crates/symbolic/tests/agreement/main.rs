//! The symbolic engine against the brute-force counter, to the unit: every total, every access, the
//! SIMD efficiency and the footprint of every buffer, on several machines.
//!
//! What the symbolic engine leaves unknown is listed beside each kernel, so that a count that becomes
//! unknown fails as a wrong one does. [`compare`] does the comparing; [`library`] runs the kernel
//! library through it, [`corpus`] the cases of `corpus/cases` (`CASE=part_of_a_name` picks), and [`random`]
//! kernels made up on the spot.

#[path = "../brute/mod.rs"]
mod brute;
mod compare;
mod corpus;
mod library;
mod random;

use brute::Device;

/// The generic machine with another SIMD width and other lines and sectors.
const fn device(simd_width: u32, line_bytes: u64, sector_bytes: u64) -> Device {
    Device {
        simd_width,
        line_bytes,
        sector_bytes,
        ..Device::GENERIC
    }
}
