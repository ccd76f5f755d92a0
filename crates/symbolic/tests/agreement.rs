//! The symbolic engine against the brute-force counter, to the unit: every total, every access, the
//! SIMD efficiency and the footprint of every buffer, on several machines.
//!
//! What the symbolic engine leaves unknown is listed beside each kernel, so that a count that becomes
//! unknown fails as a wrong one does. [`compare`] does the comparing; [`library`] runs the kernel
//! library through it, [`corpus`] the cases of `corpus/cases`, and [`random`] kernels made up on the
//! spot.

mod brute;
#[path = "agreement/compare.rs"]
mod compare;
#[path = "agreement/library.rs"]
mod library;
