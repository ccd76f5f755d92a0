//! The report as data: keys that programs rely on, and values with a reason.

use crate::fixture;
use std::collections::BTreeSet;

use cresta_model::prediction::predict;
use cresta_report::{FileReport, Outcome, json};
use cresta_rules::Findings;
use cresta_wgsl::source::{SourceError, SourceFile};
use serde_json::Value;

fn report() -> Value {
    let document = fixture::document(fixture::facts(), fixture::findings());
    serde_json::from_str(&json::render(&document)).expect("valid JSON")
}

/// Asserts that `value` is an object with these keys at least.
fn has_keys(value: &Value, keys: &[&str]) {
    let found: BTreeSet<&str> = value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    for key in keys {
        assert!(found.contains(key), "no `{key}` among {found:?}");
    }
}

/// The keys of `cresta-report/1`, word for word as programs were promised them.
#[test]
fn the_promised_keys_are_there() {
    let report = report();
    assert_eq!(report["schema"], "cresta-report/1");
    has_keys(&report, &["schema", "machine", "kernels"]);
    let kernel = &report["kernels"][0];
    has_keys(
        kernel,
        &[
            "file",
            "entry",
            "workgroup_size",
            "workgroups",
            "engine",
            "work",
            "accesses",
            "workgroup_memory",
            "layout",
            "occupancy",
            "prediction",
            "measurement",
            "levers",
            "assumptions",
            "diagnostics",
        ],
    );
    let work = &kernel["work"];
    has_keys(
        work,
        &[
            "invocations",
            "flops",
            "special_ops",
            "integer_ops",
            "other_ops",
            "atomics",
            "barriers",
            "simd_efficiency",
            "bytes",
            "intensity",
        ],
    );
    has_keys(
        &work["bytes"],
        &[
            "requested",
            "transferred",
            "compulsory",
            "modelled",
            "uniform",
            "workgroup",
            "private",
            "by_buffer",
        ],
    );
    has_keys(&work["bytes"]["modelled"], &["l1", "l2", "dram"]);
    has_keys(&work["flops"], &["value", "per_invocation", "formula"]);
    has_keys(
        &work["intensity"],
        &["requested", "transferred", "compulsory"],
    );
    has_keys(
        &kernel["accesses"][0],
        &[
            "file",
            "line",
            "column",
            "space",
            "variable",
            "op",
            "bytes_per_lane",
            "pattern",
            "stride_bytes",
            "transactions",
            "ideal_transactions",
            "sectors",
            "ideal_sectors",
            "efficiency",
            "executions",
            "simd_executions",
            "call_chain",
            "transactions_total",
            "sectors_total",
        ],
    );
    has_keys(
        &kernel["workgroup_memory"],
        &["bytes", "limit_bytes", "conflicts"],
    );
    has_keys(
        &kernel["workgroup_memory"]["conflicts"][0],
        &["line", "degree"],
    );
    has_keys(
        &kernel["occupancy"],
        &[
            "registers",
            "limits",
            "groups",
            "invocations",
            "fraction",
            "limiter",
        ],
    );
    has_keys(
        &kernel["occupancy"]["limits"],
        &["registers", "workgroup_memory", "slots"],
    );
    has_keys(
        &kernel["prediction"],
        &[
            "bound",
            "seconds",
            "resources",
            "attainable_flops_per_second",
        ],
    );
    has_keys(
        &kernel["levers"][0],
        &[
            "code",
            "step",
            "gain",
            "gain_low",
            "gain_high",
            "resource",
            "pays",
            "why",
        ],
    );
    has_keys(
        &kernel["diagnostics"][0],
        &["code", "severity", "line", "column", "message"],
    );
}

/// Row “tiled matmul, side T” of the figures: 541 MB requested and 3.97 FLOP/B with the store, twice
/// the bytes transferred, `dram`; 2·1024³ FLOP are 2048 an invocation.
#[test]
fn figures_of_the_tiled_product() {
    let report = report();
    let kernel = &report["kernels"][0];
    let work = &kernel["work"];
    assert_eq!(work["invocations"], 1_048_576.0);
    assert_eq!(work["flops"]["per_invocation"], 2048.0);
    assert_eq!(work["bytes"]["requested"]["value"], 541_065_216.0);
    assert_eq!(work["bytes"]["transferred"]["value"], 1_082_130_432.0);
    let intensity = work["intensity"]["requested"]["value"].as_f64();
    assert!((intensity.expect("known") - 3.969).abs() < 1e-3);
    assert_eq!(kernel["prediction"]["bound"], "dram");
    let seconds = kernel["prediction"]["seconds"].as_f64().expect("known");
    assert!((seconds - 2.705e-3).abs() < 1e-6);
    // 1.98 FLOP/B × 400 GB/s, far under the peak of 10 TFLOP/s.
    let attainable = kernel["prediction"]["attainable_flops_per_second"].as_f64();
    assert!((attainable.expect("known") - 793.8e9).abs() < 1e9);
    // The default limit of WebGPU.
    assert_eq!(kernel["workgroup_memory"]["limit_bytes"], 16_384);
    // The line of `tile_a[lid.y][k]`.
    assert_eq!(kernel["workgroup_memory"]["conflicts"][0]["line"], 18);
}

/// What nobody knows is null, never zero, and is listed with the flag that settles it.
#[test]
fn unknown_is_null() {
    let document = fixture::document(fixture::facts_at_unknown_launch(), Findings::default());
    let report: Value = serde_json::from_str(&json::render(&document)).expect("valid JSON");
    let kernel = &report["kernels"][0];
    assert_eq!(kernel["workgroups"], Value::Null);
    assert_eq!(kernel["work"]["flops"]["value"], Value::Null);
    assert_eq!(kernel["work"]["flops"]["formula"], "512·wg.x·wg.y·d.K");
    assert_eq!(kernel["prediction"]["seconds"], Value::Null);
    assert_eq!(kernel["accesses"][0]["transactions_total"], Value::Null);
    assert_eq!(kernel["unknowns"][1]["settle"], "--set d.K=…");
    assert_eq!(kernel["measurement"], Value::Null);
}

/// A file without a module is in the report, with its place.
#[test]
fn failures_are_reported() {
    let text = "fn main() {}\n#import util\n";
    let error = SourceError::Template {
        marker: "#import".to_owned(),
        span: 13..20,
        line: 2,
        column: 1,
        way_out: "expand it first",
    };
    let document = fixture::document_of(vec![FileReport {
        name: "template.wgsl".to_owned(),
        source: Some(SourceFile::new("template.wgsl", text)),
        outcome: Outcome::Invalid(error),
    }]);
    let report: Value = serde_json::from_str(&json::render(&document)).expect("valid JSON");
    let failure = &report["failures"][0];
    assert_eq!(failure["code"], "source-template");
    assert_eq!(
        (&failure["line"], &failure["column"]),
        (&2.into(), &1.into())
    );
    assert_eq!(failure["entry"], Value::Null);
}

/// Every key that a report has is in the generated schema, and the machine says where values come
/// from.
#[test]
fn the_machine_carries_provenance() {
    let report = report();
    let field = &report["machine"]["fields"]["dram.bytes_per_second"];
    assert_eq!(field["value"], 400e9);
    assert_eq!(field["provenance"], "assumed");
    assert_eq!(
        report["machine"]["fields"].get("dram.latency_seconds"),
        None
    );
}

/// A kernel whose arithmetic is known to be none, at an unknown launch: zero compute is no time.
#[test]
fn nothing_counted_is_no_time() {
    let mut facts = fixture::facts_at_unknown_launch();
    facts.demand.f32_flops = Some(0.0);
    facts.demand.f16_flops = Some(0.0);
    facts.demand.f64_flops = Some(0.0);
    facts.prediction = predict(&facts.demand, &facts.machine);
    assert_eq!(facts.prediction.seconds, Some(0.0));
    let document = fixture::document(facts, Findings::default());
    let report: Value = serde_json::from_str(&json::render(&document)).expect("valid JSON");
    let prediction = &report["kernels"][0]["prediction"];
    assert_eq!(prediction["bound"], Value::Null);
    assert_eq!(prediction["seconds"], Value::Null);
}
