//! Kernels made up on the spot: nested loops, guards, exits and addresses of all sorts, as WGSL text,
//! through both engines.
//!
//! The kernels of a run are always the same ones. To look further, set `AGREEMENT_SEED` to a number and
//! `AGREEMENT_KERNELS` to how many; a disagreement is shrunk, printed as WGSL, and belongs in
//! `corpus/cases` once it is understood. Start at [`Statement`].

mod odd;
mod statement;
mod wgsl;

use std::cell::Cell;
use std::collections::BTreeMap;

use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::ratio::Ratio;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::brute::{self, Device, Launch};
use crate::compare::{Formulas, Known, Outcome, compare};
use crate::device;

use statement::{Statement, statements};
use wgsl::Writer;

/// Kernels of a run.
const KERNELS: u32 = 200;
/// Elements of each buffer: more than any address.
const ELEMENTS: u64 = 1 << 18;
/// Words of workgroup memory.
const TILE: u32 = 256;

/// A kernel with its launch.
#[derive(Clone, Debug)]
struct Sample {
    workgroup_size: [u32; 3],
    workgroups: [u32; 3],
    parameters: [u32; 3],
    body: Vec<Statement>,
    device: Device,
}

fn sample() -> impl Strategy<Value = Sample> {
    let size = prop::sample::select(vec![
        [32, 1, 1],
        [64, 1, 1],
        [48, 1, 1],
        [8, 8, 1],
        [12, 5, 1],
        [16, 4, 1],
        [4, 3, 3],
    ]);
    let machine = prop::sample::select(vec![
        Device::GENERIC,
        device(8, 32, 32),
        device(16, 64, 32),
        device(64, 128, 64),
    ]);
    let launch = ([1u32..4, 1..3, 1..2], [0u32..8, 0..20, 0..70]);
    (size, launch, statements(2, 2), machine).prop_map(
        |(workgroup_size, (workgroups, parameters), body, device)| Sample {
            workgroup_size,
            workgroups,
            parameters,
            body,
            device,
        },
    )
}

impl Sample {
    fn source(&self) -> String {
        let mut writer = Writer::default();
        let [x, y, z] = self.workgroup_size;
        writer.line("struct Parameters { p0: u32, p1: u32, p2: u32 }");
        writer.line("@group(0) @binding(0) var<uniform> d: Parameters;");
        writer.line("@group(0) @binding(1) var<storage, read> a: array<f32>;");
        writer.line("@group(0) @binding(2) var<storage, read_write> b: array<f32>;");
        writer.line(&format!("var<workgroup> tile: array<f32, {TILE}>;"));
        writer.line(&format!("@compute @workgroup_size({x}, {y}, {z})"));
        writer.line(
            "fn main(@builtin(global_invocation_id) id: vec3u,
            @builtin(local_invocation_id) local: vec3u,
            @builtin(local_invocation_index) lane: u32,
            @builtin(workgroup_id) group: vec3u,
            @builtin(num_workgroups) groups: vec3u) {
            var sum = 0.0;
            var carried = local.x;",
        );
        writer.block(&self.body);
        writer.line("b[0] = sum; }");
        writer.text
    }

    /// What differs; `None` where an address is outside of its buffer.
    fn outcome(&self) -> Option<Outcome> {
        let source = self.source();
        let kernel = brute::compile(&source, "main");
        let mut formulas = Formulas::new(&kernel, &source, self.device.simd_width);
        let names = ["d.p0", "d.p1", "d.p2"];
        let parameters: BTreeMap<&str, u32> = names.into_iter().zip(self.parameters).collect();
        let mut launch = Launch::new(self.workgroups);
        for (&name, &value) in &parameters {
            let bound = kernel.variables.iter().any(|variable| variable.name == "d");
            if bound {
                launch = launch.set(name, value.into());
            }
        }
        for buffer in ["a", "b"] {
            launch = launch.length(buffer, ELEMENTS);
        }
        let counts = brute::count(&kernel, &launch, &self.device);
        let outside = counts
            .accesses
            .iter()
            .any(|access| access.out_of_bounds > 0);
        if outside {
            return None;
        }
        let known = Known::new(&formulas.program, self.workgroups, |kind, name| {
            let parameter = parameters
                .get(name)
                .filter(|_| *kind == SymbolKind::Parameter);
            parameter.map(|&value| Ratio::integer(value.into()))
        });
        let outcome = compare(&kernel, &mut formulas, &known, &counts, &self.device);
        Some(outcome)
    }
}

fn from_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn made_up_kernels_count_alike() {
    let config = Config {
        cases: from_environment("AGREEMENT_KERNELS").unwrap_or(KERNELS),
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..Config::default()
    };
    let seed: u64 = from_environment("AGREEMENT_SEED").unwrap_or(0);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let (all, known) = (Cell::new(0), Cell::new([0; 2]));
    let result = runner.run(&sample(), |sample| {
        let Some(outcome) = sample.outcome() else {
            return Err(TestCaseError::reject("an address is outside"));
        };
        if outcome.differences.is_empty() {
            let totals = ["flops", "integer", "read", "written"];
            let [of_totals, of_all] = known.get();
            let knows_totals = !totals.iter().any(|total| outcome.unknown.contains(*total));
            let knows_all = outcome.unknown.is_empty();
            known.set([
                of_totals + u32::from(knows_totals),
                of_all + u32::from(knows_all),
            ]);
            all.set(all.get() + 1);
            return Ok(());
        }
        Err(TestCaseError::fail(outcome.differences.join("\n")))
    });
    if let Err(error) = result {
        let TestError::Fail(reason, sample) = error else {
            panic!("{error}");
        };
        let Sample {
            workgroups,
            parameters,
            device,
            ..
        } = &sample;
        let launch = format!("{workgroups:?} workgroups, parameters {parameters:?}, {device:?}");
        panic!("{reason}\n{launch}\n{}", sample.source());
    }
    let ([of_totals, of_all], all) = (known.get(), all.get());
    let enough = 4 * of_totals >= 3 * all && 2 * of_all >= all;
    assert!(
        enough,
        "of {all} kernels {of_totals} have all totals known, {of_all} all there is"
    );
}
