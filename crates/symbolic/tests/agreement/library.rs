//! The kernel library, every launch but the large ones, on several machines.

use std::collections::BTreeSet;

use cresta_kernels::{KernelCase, LaunchCase, Size};
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::program::Program;
use cresta_symbolic::ratio::Ratio;

use crate::brute::{self, Device, Launch};
use crate::compare::{Formulas, Known, compare};

/// Seed of all inputs.
const SEED: u64 = 7;

/// Widths of SIMD groups, lines and sectors: one value of each is in use somewhere.
const DEVICES: [Device; 5] = [
    Device::GENERIC,
    device(8, 32, 32),
    device(16, 64, 64),
    device(32, 128, 32),
    device(64, 128, 64),
];

const fn device(simd_width: u32, line_bytes: u64, sector_bytes: u64) -> Device {
    Device {
        simd_width,
        line_bytes,
        sector_bytes,
        ..Device::GENERIC
    }
}

/// What the symbolic engine does not know of a kernel, and why.
fn expected_unknowns(name: &str) -> BTreeSet<String> {
    let unknown: &[&str] = match name {
        _ => &[],
    };
    unknown.iter().map(|&what| what.to_owned()).collect()
}

fn launch(case: &KernelCase, sizes: &LaunchCase) -> Launch {
    let mut launch = Launch::new(sizes.workgroups);
    for (path, value) in &sizes.params {
        launch = launch.set(path, u32::from_le_bytes(value.to_le_bytes()).into());
    }
    let inputs = case.inputs(sizes, SEED);
    for buffer in case.buffers {
        launch = launch.contents(buffer.name, &inputs[buffer.name].to_bytes());
    }
    launch
}

fn known(program: &Program, sizes: &LaunchCase) -> Known {
    Known::new(program, sizes.workgroups, |kind, name| match kind {
        SymbolKind::Length => {
            let variable = name.strip_prefix("len(")?.strip_suffix(')')?;
            Some(Ratio::integer((*sizes.lengths.get(variable)?).into()))
        }
        _ => match sizes.params.get(name)? {
            cresta_kernels::Scalar::U32(value) => Some(Ratio::integer((*value).into())),
            cresta_kernels::Scalar::F32(_) => None,
        },
    })
}

#[test]
fn the_library_counts_alike() {
    let mut wrong = Vec::new();
    for case in cresta_kernels::all() {
        let kernel = brute::compile(case.source, case.entry);
        let mut unknown = BTreeSet::new();
        for device in &DEVICES {
            let mut formulas = Formulas::new(&kernel, case.source, device.simd_width);
            let launches = case.launches().into_iter();
            for sizes in launches.filter(|launch| launch.size != Size::Large) {
                let known = known(&formulas.program, &sizes);
                let counts = brute::count(&kernel, &launch(case, &sizes), device);
                let outcome = compare(&kernel, &mut formulas, &known, &counts, device);
                for difference in outcome.differences {
                    let (size, simd) = (sizes.size, device.simd_width);
                    wrong.push(format!("{} {size:?} SIMD {simd}: {difference}", case.name));
                }
                unknown.extend(outcome.unknown);
            }
        }
        let expected = expected_unknowns(case.name);
        if unknown != expected {
            wrong.push(format!("{}: unknown {unknown:?}, expected {expected:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
