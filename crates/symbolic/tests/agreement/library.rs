//! The kernel library, every launch but the large ones, on several machines.

use std::collections::BTreeSet;

use cresta_ir::{Kernel, Space};
use cresta_kernels::{KernelCase, LaunchCase, Size};
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::program::Program;
use cresta_symbolic::ratio::Ratio;

use crate::brute::{self, Device, Launch};
use crate::compare::{
    Formulas, Known, READS, WRITES, accesses_of, compare, footprint_at, shape_at,
};
use crate::device;

/// Seed of all inputs.
const SEED: u64 = 7;

/// Widths of SIMD groups, lines and sectors: one value of each is in use somewhere.
static DEVICES: [Device; 5] = [
    Device::GENERIC,
    device(64, 128, 64),
    device(8, 32, 32),
    device(16, 64, 64),
    device(32, 128, 32),
];

/// The machines that a launch runs on: all of them only where that is cheap.
fn devices(size: Size) -> &'static [Device] {
    match size {
        Size::Tiny => &DEVICES,
        Size::Round => &DEVICES[..2],
        Size::Ragged | Size::Large => &DEVICES[2..],
    }
}

/// What the symbolic engine does not know of a kernel, and why.
fn expected_unknowns(name: &str) -> BTreeSet<String> {
    let unknown: &[&str] = match name {
        // Which lanes of a SIMD group store or load depends on quotients of their ids.
        "matmul_register_blocked" | "matmul_register_blocked_loops" => &[
            "simd_executions of load B",
            "simd_executions of load d 7",
            "simd_executions of store tile_b",
            "simd_executions of store tile_b 2",
        ],
        // The data are the addresses.
        "histogram_workgroup" => &["shape of atomic bins"],
        "histogram_storage" => &[
            "shape of atomic histogram",
            "bytes read of histogram",
            "bytes written of histogram",
            "bytes touched of histogram",
        ],
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
        let launches = case.launches().into_iter();
        for sizes in launches.filter(|launch| launch.size != Size::Large) {
            for device in devices(sizes.size) {
                let mut formulas = Formulas::new(&kernel, case.source, device.simd_width);
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
            wrong.push(format!(
                "{}: unknown {unknown:?}, expected {expected:?}",
                case.name
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sectors of storage in bytes on the generic machine; `None` where a shape is not known.
fn transferred(kernel: &Kernel, formulas: &mut Formulas, known: &Known) -> Option<f64> {
    let mut bytes = 0.0;
    for placed in formulas.program.accesses.clone() {
        let access = kernel.access(placed.access);
        if kernel.variable(access.variable).space != Space::Storage {
            continue;
        }
        let program = &mut formulas.program;
        let width = access.bytes();
        let shape = shape_at(program, known, &placed, width, false, &Device::GENERIC)?;
        bytes += shape.sectors * Device::GENERIC.sector_bytes as f64;
    }
    Some(bytes)
}

/// Distinct bytes read, plus distinct bytes written, of all storage buffers.
fn compulsory(
    case: &KernelCase,
    kernel: &Kernel,
    formulas: &mut Formulas,
    known: &Known,
) -> Option<u64> {
    let mut bytes = 0;
    for buffer in case.buffers {
        for kinds in [READS, WRITES] {
            let accesses = accesses_of(kernel, &formulas.program, buffer.name, kinds);
            bytes += footprint_at(&mut formulas.program, known, &accesses)?;
        }
    }
    Some(bytes)
}

#[test]
fn large_launches_move_the_bytes_derived_by_hand() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for case in cresta_kernels::all() {
        let Some(sizes) = case.launch(Size::Large) else {
            continue;
        };
        let kernel = brute::compile(case.source, case.entry);
        let mut formulas = Formulas::new(&kernel, case.source, Device::GENERIC.simd_width);
        let known = known(&formulas.program, &sizes);
        let moved = transferred(&kernel, &mut formulas, &known);
        let touched = compulsory(case, &kernel, &mut formulas, &known);
        let derived = &sizes.counts;
        for (what, found, derived) in [
            ("transferred", moved, derived.transferred_bytes),
            (
                "compulsory",
                touched.map(|bytes| bytes as f64),
                derived.compulsory_bytes,
            ),
        ] {
            let Some(derived) = derived else { continue };
            compared += 1;
            if found != Some(derived as f64) {
                wrong.push(format!(
                    "{}: {what} {found:?}, derived {derived}",
                    case.name
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 20, "only {compared} comparisons");
}
