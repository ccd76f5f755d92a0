//! The brute-force counter against the kernel library: what it counts equals the closed forms that
//! were derived by hand, and what it calculates equals the references.

mod brute;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use brute::{Counts, Device, Launch};
use cresta_ir::{AccessKind, Kernel, Space};
use cresta_kernels::{Buffers, Data, KernelCase, LaunchCase, ScalarType, Size};

/// Seed of all inputs.
const SEED: u64 = 7;

fn compile(case: &KernelCase) -> Kernel {
    brute::compile(case.source, case.entry)
}

fn launch(case: &KernelCase, sizes: &LaunchCase, inputs: &Buffers) -> Launch {
    let mut launch = Launch::new(sizes.workgroups);
    for (path, value) in &sizes.params {
        launch = launch.set(path, u32::from_le_bytes(value.to_le_bytes()).into());
    }
    for buffer in case.buffers {
        launch = launch.contents(buffer.name, &inputs[buffer.name].to_bytes());
    }
    launch
}

/// Bytes that lanes ask for by storage variable, reads and writes.
fn by_buffer(kernel: &Kernel, counts: &Counts) -> [BTreeMap<String, u128>; 2] {
    let mut bytes = [BTreeMap::new(), BTreeMap::new()];
    for (access, counted) in kernel.accesses.iter().zip(&counts.accesses) {
        let variable = kernel.variable(access.variable);
        if variable.space != Space::Storage {
            continue;
        }
        let directions: &[usize] = match access.kind {
            AccessKind::Load => &[0],
            AccessKind::Store => &[1],
            AccessKind::Atomic => &[0, 1],
        };
        for &direction in directions {
            let total = u128::from(counted.executions) * u128::from(access.bytes());
            *bytes[direction].entry(variable.name.clone()).or_default() += total;
        }
    }
    bytes
}

/// Sectors of storage in bytes.
fn transferred(kernel: &Kernel, counts: &Counts) -> u128 {
    let accesses = kernel.accesses.iter().zip(&counts.accesses);
    let storage =
        accesses.filter(|(access, _)| kernel.variable(access.variable).space == Space::Storage);
    let sectors: u64 = storage.map(|(_, counted)| counted.sectors).sum();
    u128::from(sectors * Device::GENERIC.sector_bytes)
}

/// One launch of one kernel, run.
struct Run {
    case: &'static KernelCase,
    kernel: Kernel,
    sizes: LaunchCase,
    inputs: Buffers,
    counts: Counts,
}

/// Every launch but the large ones, which take too long lane by lane.
static RUNS: LazyLock<Vec<Run>> = LazyLock::new(|| {
    let cases = cresta_kernels::all().iter();
    cases
        .flat_map(|case| {
            let launches = case.launches().into_iter();
            launches
                .filter(|launch| launch.size != Size::Large)
                .map(|sizes| {
                    let kernel = compile(case);
                    let inputs = case.inputs(&sizes, SEED);
                    let launch = launch(case, &sizes, &inputs);
                    let counts = brute::count(&kernel, &launch, &Device::GENERIC);
                    Run {
                        case,
                        kernel,
                        sizes,
                        inputs,
                        counts,
                    }
                })
        })
        .collect()
});

/// Collects what differs from the closed forms.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn check(&mut self, run: &Run, what: &str, counted: u128, derived: Option<u128>) {
        if derived.is_some_and(|derived| derived != counted) {
            let (name, size) = (run.case.name, run.sizes.size);
            let line = format!("{name} {size:?}: {what} {counted}, derived {derived:?}");
            self.0.push(line);
        }
    }
}

#[test]
fn counts_equal_the_closed_forms() {
    let mut wrong = Differences::default();
    for run in RUNS.iter() {
        let mut check = |what, counted, derived| wrong.check(run, what, counted, derived);
        let (counts, derived) = (&run.counts, &run.sizes.counts);
        let accesses = || counts.accesses.iter();
        let outside: u64 = accesses().map(|access| access.out_of_bounds).sum();
        check("outside", outside.into(), Some(0));
        check(
            "invocations",
            counts.invocations.into(),
            Some(derived.invocations),
        );
        check("flops", counts.flops.into(), Some(derived.flops));
        check(
            "f16 flops",
            counts.flops_f16.into(),
            Some(derived.f16_flops),
        );
        check("f64 flops", counts.flops_f64.into(), Some(0));
        check("special", counts.special.into(), Some(derived.special_ops));
        check("integer", counts.integer.into(), derived.integer_ops);
        let uniform = counts.requested(Space::Uniform).read;
        check("uniform bytes", uniform.into(), derived.uniform_bytes);
        let workgroup = counts.requested(Space::Workgroup);
        let workgroup = workgroup.read + workgroup.written;
        check(
            "workgroup bytes",
            workgroup.into(),
            Some(derived.workgroup_bytes),
        );
        check("barriers", counts.barriers.into(), Some(derived.barriers));
        check("atomics", counts.atomics.into(), Some(derived.atomics));
        let compulsory: u64 = counts.footprint.values().map(|f| f.read + f.written).sum();
        check(
            "compulsory bytes",
            compulsory.into(),
            derived.compulsory_bytes,
        );
        let transferred = transferred(&run.kernel, counts);
        check("transferred bytes", transferred, derived.transferred_bytes);
        // The other sizes need not have a SIMD group full enough to show the worst conflict.
        if let (Some(degree), Size::Round) = (run.case.bank_conflict_degree, run.sizes.size) {
            let worst = accesses()
                .map(|access| access.worst_degree)
                .fold(0.0, f64::max);
            let thousandths = (worst * 1000.0) as u128;
            check(
                "conflict degree × 1000",
                thousandths,
                Some(1000 * u128::from(degree)),
            );
        }
    }
    assert!(wrong.0.is_empty(), "{}", wrong.0.join("\n"));
}

#[test]
fn bytes_of_each_buffer_equal_the_closed_forms() {
    let mut wrong = Differences::default();
    for run in RUNS.iter() {
        let [read, written] = by_buffer(&run.kernel, &run.counts);
        let derived = &run.sizes.counts;
        for (counted, derived) in [(read, &derived.read_bytes), (written, &derived.write_bytes)] {
            for buffer in run.case.buffers {
                let counted = counted.get(buffer.name).copied().unwrap_or(0);
                let derived = derived.get(buffer.name).copied().unwrap_or(0);
                wrong.check(run, buffer.name, counted, Some(derived));
            }
        }
    }
    assert!(wrong.0.is_empty(), "{}", wrong.0.join("\n"));
}

#[test]
fn results_equal_the_references() {
    for run in RUNS.iter() {
        for (name, expected) in run.case.expected(&run.sizes, &run.inputs) {
            let buffer = run.case.buffers.iter().find(|buffer| buffer.name == name);
            let scalar = buffer.map_or(ScalarType::F32, |buffer| buffer.scalar);
            let result = Data::from_bytes(scalar, &run.counts.buffers[name]);
            let near = run.case.tolerance.accepts(&result, &expected);
            assert!(near, "{} {:?}: {name}", run.case.name, run.sizes.size);
        }
    }
}
