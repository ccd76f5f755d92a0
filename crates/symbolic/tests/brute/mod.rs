//! A brute-force counter: runs a kernel on the CPU, every invocation of it, and counts by hand.
//!
//! It is the referee for the engines, so it shares no counting code with them: sets are naive, every
//! lane is looked at, and the only thing taken from the library is the table of what an operation
//! costs. Clarity goes before speed; 64 workgroups of 256 lanes and 100 turns of a small loop take
//! less than a second in a development build.
//!
//! ```text
//! let launch = Launch::new([4, 1, 1]).set("d.n", 1000).length("a", 1000);
//! let counts = brute::count(&kernel, &launch, &Device::GENERIC);
//! assert_eq!(counts.accesses[0].sectors, 32);
//! assert_eq!(counts.f32s("a"), expected);
//! ```
//!
//! # How it runs
//!
//! - Workgroups run one after another, in order of their linear index. All lanes of a workgroup run
//!   in lockstep, instruction by instruction, under a mask; barriers therefore have nothing to wait
//!   for, and are only counted. A kernel without races cannot tell.
//! - SIMD groups are runs of [`Device::simd_width`] consecutive local indices. A SIMD group executes
//!   an instruction when at least one of its lanes does. Lanes meet again at the end of the
//!   construct in which they parted.
//! - Memory is real: buffers start with the given contents or zeros, workgroup and private memory
//!   with zeros for every workgroup. Reads outside give zero, writes outside are dropped, both are
//!   counted as [`AccessCounts::out_of_bounds`] and touch no line. Leaving an array inside of a
//!   variable is outside, too. Each call of [`count`] starts afresh.
//! - Floats are calculated in `f64` and rounded to their type after each operation. Textures read
//!   as zeros and have the size that the launch gives.
//!
//! # What it counts
//!
//! [`Counts`] and [`AccessCounts`] say it field by field. Every buffer starts at a multiple of every
//! line size.
//!
//! It panics on anything that a test should not ask for: a runtime-sized array without a length, an
//! override without a value, an unsupported instruction, a kernel that does not end. Include it in a
//! test with `mod brute;`; its own tests come along, which is also what keeps all of it in use.

mod access;
mod counts;
mod device;
mod evaluate;
mod interpreter;
mod launch;
mod mask;
mod memory;
mod self_test;
mod subgroup;
mod texture;
mod traffic;

pub(crate) use counts::Counts;
pub(crate) use device::Device;
pub(crate) use launch::Launch;

use std::collections::BTreeMap;

use cresta_ir::Kernel;
use cresta_wgsl::lower::{Limits, lower};
use cresta_wgsl::source::{SourceFile, parse};

/// Lowers one entry point of a WGSL text, all of which the IR must be able to say.
pub(crate) fn compile(source: &str, entry: &str) -> Kernel {
    compile_with(source, entry, [])
}

/// [`compile`] with values of overrides.
pub(crate) fn compile_with<'a>(
    source: &str,
    entry: &str,
    overrides: impl IntoIterator<Item = (&'a str, f64)>,
) -> Kernel {
    let parsed = parse(&SourceFile::new("test.wgsl", source));
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}\n{source}"));
    let overrides = overrides.into_iter();
    let overrides: BTreeMap<String, f64> = overrides
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    let lowered = lower(
        &parsed.module,
        &parsed.info,
        entry,
        &overrides,
        Limits::default(),
    );
    let lowered = lowered.unwrap_or_else(|error| panic!("{error}\n{source}"));
    assert!(
        lowered.unsupported.is_empty(),
        "{:?}\n{source}",
        lowered.unsupported
    );
    lowered.kernel
}

/// Runs a launch of a kernel and counts what it does.
pub(crate) fn count(kernel: &Kernel, launch: &Launch, device: &Device) -> Counts {
    interpreter::Interpreter::new(kernel, launch, device).run(launch.workgroups)
}
