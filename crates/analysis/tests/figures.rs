//! The figures of the source material that come from kernels, on the generic machine: counts,
//! layouts, transactions and predicted times, through the whole analysis.

use cresta_analysis::{AccessFacts, Facts, Request, Traffic, analyze};
use cresta_machine::builtin;
use cresta_model::launch::{Grid, Launch};
use cresta_model::machine::Machine;
use cresta_model::prediction::Resource;
use cresta_model::transactions::Pattern;

/// Facts of a library kernel on a machine. Names with a dot are parameters, others array lengths; what
/// is not set is as in the library's large launch.
fn facts_on(machine: &Machine, kernel: &str, grid: [u32; 3], set: &[(&str, u64)]) -> Facts {
    let case = cresta_kernels::find(kernel).expect("the library has the kernel");
    let mut launch = Launch {
        grid: Some(Grid::Workgroups(grid)),
        ..Launch::default()
    };
    if let Some(large) = case.launch(cresta_kernels::Size::Large) {
        let params = large.params.iter();
        launch.values = params
            .map(|(&name, value)| (name.to_owned(), value.to_f64()))
            .collect();
        launch.lengths = large
            .lengths
            .iter()
            .map(|(&name, &n)| (name.to_owned(), n))
            .collect();
    }
    for &(name, value) in set {
        if name.contains('.') {
            launch.values.insert(name.to_owned(), value as f64);
        } else {
            launch.lengths.insert(name.to_owned(), value);
        }
    }
    let request = Request {
        entry: Some(case.entry),
        machine,
        launch: &launch,
        registers: None,
        simd_width: None,
    };
    let analysis = analyze(case.file_name, case.source.as_bytes().to_vec(), &request);
    let mut kernels = analysis.expect("the kernel is valid").kernels;
    kernels.remove(0).expect("the kernel is analysed")
}

fn facts(kernel: &str, grid: [u32; 3], set: &[(&str, u64)]) -> Facts {
    facts_on(builtin("generic-mid").expect("built in"), kernel, grid, set)
}

/// The machine with other sectors.
fn with_sectors(bytes: u32) -> Machine {
    let mut machine = builtin("generic-mid").expect("built in").clone();
    machine.l2.sector_bytes = Some(bytes);
    machine
}

fn matmul(kernel: &str, tile: [u32; 2], n: u32) -> Facts {
    let grid = [n.div_ceil(tile[0]), n.div_ceil(tile[1]), 1];
    facts(
        kernel,
        grid,
        &[("d.M", n.into()), ("d.N", n.into()), ("d.K", n.into())],
    )
}

fn access<'f>(facts: &'f Facts, variable: &str) -> &'f AccessFacts {
    let found = facts
        .accesses
        .iter()
        .find(|access| access.variable == variable);
    found.expect("the kernel reads or writes the variable")
}

fn traffic<'f>(facts: &'f Facts, variable: &str) -> &'f Traffic {
    access(facts, variable)
        .traffic
        .as_ref()
        .expect("the addresses are known")
}

fn milliseconds(facts: &Facts, resource: Resource) -> f64 {
    facts
        .prediction
        .time(resource)
        .expect("the machine knows the resource")
        * 1e3
}

#[track_caller]
fn close(value: f64, expected: f64, tolerance: f64) {
    assert!(
        (value - expected).abs() <= tolerance,
        "{value} is not {expected} ± {tolerance}"
    );
}

/// Bytes that accesses to buffers ask for, and bytes that they move.
fn bytes(facts: &Facts, buffers: &[&str]) -> (f64, f64) {
    let chosen = facts
        .buffers
        .iter()
        .filter(|buffer| buffers.contains(&buffer.name.as_str()));
    chosen.fold((0.0, 0.0), |(requested, moved), buffer| {
        let known = |value: Option<f64>| value.expect("the launch is known");
        (
            requested + known(buffer.requested.value),
            moved + known(buffer.transferred.value),
        )
    })
}

#[test]
fn vector_add_is_one_flop_and_twelve_bytes_an_element() {
    let n = 1 << 20;
    let set = [("a", n.into()), ("b", n.into()), ("c", n.into())];
    let facts = facts("vector_add", [n / 64, 1, 1], &set);
    assert_eq!(facts.work.flops.total.value, Some(f64::from(n)));
    assert_eq!(facts.requested.value, Some(12.0 * f64::from(n)));
    assert_eq!(facts.compulsory.value, Some(12.0 * f64::from(n)));
    close(facts.intensity.requested.unwrap(), 1.0 / 12.0, 1e-12);
    assert_eq!(facts.prediction.bound, Some(Resource::Dram));
}

#[test]
fn relu_is_an_eighth_of_a_flop_a_byte() {
    let n = 1 << 20;
    let facts = facts("relu", [n / 64, 1, 1], &[("x", n.into()), ("y", n.into())]);
    close(facts.intensity.compulsory.unwrap(), 0.125, 1e-12);
}

#[test]
fn square_matmul_does_a_sixth_of_its_side_in_flop_a_compulsory_byte() {
    // 2 n³ FLOP over 3 n² elements of 4 bytes
    for n in [256, 1024, 4096] {
        let facts = matmul("matmul_naive", [16, 16], n);
        close(
            facts.intensity.compulsory.unwrap(),
            f64::from(n) / 6.0,
            1e-9,
        );
    }
}

#[test]
fn naive_matmul_of_1024() {
    let facts = matmul("matmul_naive", [16, 16], 1024);
    // 2 N³ loads of 4 bytes
    let (requested, _) = bytes(&facts, &["A", "B"]);
    assert_eq!(requested, 2.0 * 1024f64.powi(3) * 4.0);
    // FLOP a requested byte, loads alone
    close(
        facts.work.flops.total.value.unwrap() / requested,
        0.25,
        1e-12,
    );
    // with N² stores: 8.594 GB at 400 GB/s
    close(
        facts.prediction.seconds_at_requested_bytes.unwrap() * 1e3,
        21.485,
        0.001,
    );
    // a SIMD group covers two rows of 16: two lines of A and one of B where one each would do
    close(traffic(&facts, "A").transactions, 2.0, 0.0);
    close(traffic(&facts, "B").transactions, 1.0, 0.0);
    close(facts.transferred.value.unwrap() / 1e9, 12.89, 0.01);
    close(milliseconds(&facts, Resource::Dram), 32.2, 0.05);
    close(milliseconds(&facts, Resource::Compute), 0.215, 0.001);
}

#[test]
fn naive_matmul_with_groups_of_32_by_8() {
    let facts = matmul("matmul_naive_32x8", [32, 8], 1024);
    close(milliseconds(&facts, Resource::Dram), 21.5, 0.05);
}

#[test]
fn tiled_matmul_of_1024() {
    let facts = matmul("matmul_tiled", [16, 16], 1024);
    let (requested, moved) = bytes(&facts, &["A", "B"]);
    // 2 N³ / T loads of 4 bytes
    assert_eq!(requested, 2.0 * 1024f64.powi(3) / 16.0 * 4.0);
    close(
        facts.work.flops.total.value.unwrap() / requested,
        4.0,
        1e-12,
    );
    close(requested / 400e9 * 1e3, 1.342, 0.001);
    close(facts.intensity.requested.unwrap(), 3.97, 0.005);
    close(facts.requested.value.unwrap() / 1e6, 541.1, 0.05);
    close(
        facts.prediction.seconds_at_requested_bytes.unwrap() * 1e3,
        1.353,
        0.001,
    );
    // runs of 64 bytes: half of every 128-byte sector
    assert_eq!(access(&facts, "A").pattern, Pattern::Segmented);
    close(traffic(&facts, "A").efficiency, 0.5, 0.0);
    close(moved / 1e9, 1.0737, 0.0001);
    close(moved / 400e9 * 1e3, 2.684, 0.001);
    close(facts.transferred.value.unwrap() / 1e9, 1.082, 0.001);
    close(milliseconds(&facts, Resource::Dram), 2.705, 0.001);
    assert_eq!(facts.workgroup_bytes, 2048);
}

#[test]
fn tiles_of_16_fill_sectors_of_64_and_32_bytes() {
    for bytes in [64, 32] {
        let set = [("d.M", 1024), ("d.N", 1024), ("d.K", 1024)];
        let facts = facts_on(&with_sectors(bytes), "matmul_tiled", [64, 64, 1], &set);
        for variable in ["A", "B"] {
            close(traffic(&facts, variable).efficiency, 1.0, 0.0);
        }
    }
}

#[test]
fn tile_of_8_takes_512_bytes() {
    assert_eq!(matmul("matmul_tiled_8", [8, 8], 64).workgroup_bytes, 512);
}

#[test]
fn register_blocking_of_64_does_16_flop_a_byte() {
    let facts = matmul("matmul_register_blocked", [64, 64], 1024);
    let (requested, _) = bytes(&facts, &["A", "B"]);
    close(
        facts.work.flops.total.value.unwrap() / requested,
        16.0,
        1e-9,
    );
}

#[test]
fn row_sum_with_one_thread_a_row() {
    let facts = facts("row_sum_thread_per_row", [64, 1, 1], &[("d.N", 4096)]);
    close(traffic(&facts, "m").transactions, 32.0, 0.0);
    close(traffic(&facts, "m").efficiency, 1.0 / 32.0, 1e-12);
}

#[test]
fn row_sum_with_one_workgroup_a_row() {
    let facts = facts("row_sum_workgroup_per_row", [4096, 1, 1], &[("d.N", 4096)]);
    close(traffic(&facts, "m").transactions, 1.0, 0.0);
    close(traffic(&facts, "m").efficiency, 1.0, 0.0);
}

#[test]
fn a_run_that_starts_mid_line_takes_two_transactions() {
    let n = 1 << 16;
    let set = [("d.offset", 16), ("src", n + 16), ("dst", n)];
    let facts = facts("copy_misaligned", [(n / 64) as u32, 1, 1], &set);
    assert_eq!(access(&facts, "src").pattern, Pattern::Misaligned);
    close(traffic(&facts, "src").transactions, 2.0, 0.0);
    close(traffic(&facts, "src").efficiency, 0.5, 0.0);
}

#[test]
fn particles_as_structures_and_as_arrays() {
    let n = 1_000_000;
    let aos = facts(
        "particles_aos",
        [15_625, 1, 1],
        &[("particles", n), ("cells", n)],
    );
    let moved = |facts: &Facts, variable| access(facts, variable).total.clone().unwrap().bytes;
    close(traffic(&aos, "particles").efficiency, 0.25, 0.0);
    close(moved(&aos, "particles"), 64e6, 0.0);
    close(moved(&aos, "particles") / 400e9 * 1e6, 160.0, 1e-9);
    close(milliseconds(&aos, Resource::Dram) * 1e3, 170.0, 0.05);
    let soa = facts(
        "particles_soa",
        [15_625, 1, 1],
        &[("positions", n), ("cells", n)],
    );
    close(traffic(&soa, "positions").efficiency, 1.0, 0.0);
    close(moved(&soa, "positions") / 400e9 * 1e6, 40.0, 1e-9);
    close(milliseconds(&soa, Resource::Dram) * 1e3, 50.0, 0.05);
}

#[test]
fn transposing_a_tile_conflicts_32_ways_until_its_pitch_is_padded() {
    let worst = |kernel: &str| {
        let case = cresta_kernels::find(kernel).expect("the library has the kernel");
        let launch = case
            .launch(cresta_kernels::Size::Round)
            .expect("a round launch");
        let set: Vec<(&str, u64)> = launch
            .params
            .iter()
            .map(|(&name, &value)| (name, value.to_f64() as u64))
            .collect();
        let facts = facts(kernel, launch.workgroups, &set);
        let degrees = facts
            .accesses
            .iter()
            .filter_map(|access| access.bank_degree);
        degrees.fold(0.0, f64::max)
    };
    close(worst("transpose_tiled"), 32.0, 0.0);
    close(worst("transpose_tiled_padded"), 1.0, 0.0);
}

#[test]
fn a_halo_of_4_around_16_by_16_loads_576_for_256() {
    let set = [("d.width", 1024), ("d.height", 1024)];
    let facts = facts("blur_shared_halo", [64, 64, 1], &set);
    let (requested, _) = bytes(&facts, &["src"]);
    close(requested / 4.0 / (1024.0 * 1024.0), 576.0 / 256.0, 0.0);
}

#[test]
fn half_precision_halves_and_packing_quarters_the_bytes() {
    let n = 1u64 << 20;
    let grid = [(n / 64) as u32, 1, 1];
    let requested = |kernel| {
        facts(kernel, grid, &[("x", n), ("y", n)])
            .requested
            .value
            .unwrap()
    };
    close(requested("f32_scale") / requested("f16_scale"), 2.0, 0.0);
    let packed = facts("unpack4x8", grid, &[("packed", n), ("colors", n)]);
    close(
        bytes(&packed, &["colors"]).0 / bytes(&packed, &["packed"]).0,
        4.0,
        0.0,
    );
}
