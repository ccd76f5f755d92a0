//! `cresta analyze` from source to report.

use std::io::Read as _;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{cresta, kernels};

/// 64 × 64 groups of 16 × 16 make 1024 × 1024 results.
const TILED: [&str; 6] = [
    "analyze",
    "matmul_tiled.wgsl",
    "--workgroups=64,64",
    "--set=d.M=1024",
    "--set=d.N=1024",
    "--set=d.K=1024",
];

fn kernel(arguments: &[&str]) -> Value {
    let run = cresta(arguments.iter().chain(&["--format", "json"]));
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()["kernels"][0].clone()
}

fn number(value: &Value) -> f64 {
    value
        .as_f64()
        .unwrap_or_else(|| panic!("no number: {value}"))
}

/// 2·1024³/16 loads and 1024² stores of 4 B are 541 MB; runs of 64 B in lines of 128 B move twice
/// that, at 400 GB/s in 2.705 ms. Arithmetic needs 2·1024³ FLOP at 10 TFLOP/s: 0.215 ms.
#[test]
fn the_tiled_product_is_bound_by_dram() {
    let kernel = kernel(&TILED);
    let bytes = &kernel["work"]["bytes"];
    assert_eq!(number(&bytes["requested"]["value"]), 541_065_216.0);
    assert_eq!(number(&bytes["transferred"]["value"]), 1_082_130_432.0);
    assert_eq!(kernel["workgroup_memory"]["bytes"], 2048);
    assert_eq!(kernel["prediction"]["bound"], "dram");
    assert!((number(&kernel["prediction"]["seconds"]) - 2.705_326e-3).abs() < 1e-9);
    let compute = kernel["prediction"]["resources"]
        .as_array()
        .and_then(|all| all.iter().find(|time| time["name"] == "compute"))
        .cloned()
        .unwrap_or_default();
    assert!((number(&compute["seconds"]) - 0.214_748e-3).abs() < 1e-9);
}

/// Whole lines halve the traffic: 2.00×. Less arithmetic on a kernel bound by memory: 1.00×.
#[test]
fn levers_are_ranked_by_what_they_gain() {
    let kernel = kernel(&TILED);
    let lever = |pays: bool| {
        let levers = kernel["levers"].as_array().cloned().unwrap_or_default();
        let found = levers.into_iter().find(|lever| lever["pays"] == pays);
        found.unwrap_or_default()
    };
    assert!(
        (number(&lever(true)["gain"]) - 2.0).abs() < 1e-9,
        "{kernel:#}"
    );
    assert_eq!(number(&lever(false)["gain"]), 1.0);
    assert_eq!(lever(false)["resource"], "compute");
}

/// One FLOP for twelve bytes, whatever the size; while lengths and launch are unset the counts are
/// null and the formulas stand.
#[test]
fn an_unknown_launch_keeps_formulas() {
    let kernel = kernel(&["analyze", "vector_add.wgsl"]);
    assert_eq!(kernel["workgroups"], Value::Null);
    assert_eq!(kernel["work"]["flops"]["value"], Value::Null);
    let formula = kernel["work"]["flops"]["formula"]
        .as_str()
        .unwrap_or_default();
    assert!(!formula.is_empty());
    let intensity = number(&kernel["work"]["intensity"]["requested"]["value"]);
    assert!((intensity - 1.0 / 12.0).abs() < 1e-12);
    assert_eq!(kernel["prediction"]["seconds"], Value::Null);
    let unknowns = kernel["unknowns"].to_string();
    assert!(unknowns.contains("--len"), "{unknowns}");
}

#[test]
fn what_a_person_reads() {
    let run = cresta(TILED);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.lines().count() <= 50, "{}", run.stdout);
    insta::assert_snapshot!(run.stdout);
}

/// The first screen of the README is what its first command prints.
#[test]
fn the_readme_shows_what_the_demo_prints() {
    let root = kernels().join("../../..");
    let mut arguments = TILED.to_vec();
    arguments[1] = "crates/kernels/wgsl/matmul_tiled.wgsl";
    let output = Command::new(env!("CARGO_BIN_EXE_cresta"))
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .current_dir(&root)
        .output()
        .expect("the command runs");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    assert!(
        readme.contains(printed.trim_end()),
        "the README does not show:\n{printed}"
    );
}

/// A machine with units, a clock and an integer rate lets more resources be counted.
#[test]
fn a_machine_with_units_counts_by_unit() {
    let mut arguments = TILED.to_vec();
    arguments.push("--machine=h100");
    let kernel = kernel(&arguments);
    let names: Vec<&str> = kernel["prediction"]["resources"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|time| time["name"].as_str())
        .collect();
    assert!(
        names.contains(&"l1") && names.contains(&"integer"),
        "{names:?}"
    );
}

/// A row a lane: 32 lines for the 32 lanes, 3.1 % of each used. That is a warning, which fails the
/// run only when asked to.
#[test]
fn fail_on_sets_the_exit_code() {
    let base = [
        "analyze",
        "row_sum.wgsl",
        "--entry=thread_per_row",
        "--workgroups=64",
        "--set=d.rows=4096",
        "--set=d.N=4096",
    ];
    let run = cresta(base);
    assert_eq!(run.code, 0, "{}", run.flat());
    assert!(
        run.stdout.contains("warning[memory/strided-access]"),
        "{}",
        run.stdout
    );
    assert_eq!(cresta(base.iter().chain(&["--fail-on=warning"])).code, 1);
}

/// Files are analysed in parallel and reported by path, the same every time.
#[test]
fn a_folder_is_reported_in_order() {
    let first = cresta(["analyze", "."]);
    let second = cresta(["analyze", "."]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!(first.stdout, second.stdout);
    let place = |name: &str| {
        first
            .stdout
            .find(name)
            .unwrap_or_else(|| panic!("no {name}"))
    };
    assert!(place("blur_direct.wgsl") < place("matmul_naive.wgsl"));
    assert!(place("matmul_naive.wgsl") < place("vector_add.wgsl"));
    let closing = first.stdout.lines().last().unwrap_or_default();
    assert!(
        closing.contains("entry points in") && closing.contains("analysed"),
        "{closing}"
    );
}

/// A pipe gets no escapes; a person may ask for them, and `NO_COLOR` outranks a terminal.
#[test]
fn styles_are_for_terminals() {
    let styled = |variable: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_cresta"))
            .args(["analyze", "vector_add.wgsl"])
            .current_dir(kernels())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env(variable, "1")
            .output()
            .expect("the command runs");
        output.stdout.contains(&0x1b)
    };
    assert!(styled("CLICOLOR_FORCE"));
    assert!(!styled("NO_COLOR"));
}

/// `cresta … | head` closes the pipe early; that is no fault and no panic.
#[test]
fn a_closed_pipe_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cresta"))
        .args(["analyze", ".", "--format", "json"])
        .current_dir(kernels())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    stderr.read_to_string(&mut said).expect("UTF-8");
    let status = child.wait().expect("the command ends");
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.is_empty(), "{said}");
}

/// 4096 stores of 4 B at 400 GB/s take 41 ns; arithmetic grows with a trip count that nobody gave, so it
/// may well take more.
#[test]
fn arithmetic_of_unknown_amount_leaves_the_bound_open() {
    let source = "struct P { iterations: u32 }
        @group(0) @binding(0) var<uniform> p: P;
        @group(0) @binding(1) var<storage, read_write> b: array<f32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) g: vec3u) {
            var s = f32(g.x);
            for (var i = 0u; i < p.iterations; i++) { s = fma(s, s, 1.0); }
            b[g.x] = s;
        }";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("series.wgsl");
    std::fs::write(&file, source).expect("a file can be written");
    let file = file.to_str().expect("the path is text");
    let arguments = ["analyze", file, "--workgroups=64"];

    let text = cresta(arguments).stdout;
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence = "What binds is not decided: at least 41 ns, with DRAM bandwidth the slowest \
        that is known; compute is not known yet; --set p.iterations=VALUE settles it.";
    assert!(flat.contains(sentence), "{text}");
    assert_eq!(kernel(&arguments)["prediction"]["bound"], Value::Null);

    let settled = [&arguments[..], &["--set=p.iterations=100000"]].concat();
    assert_eq!(kernel(&settled)["prediction"]["bound"], "compute");
}
