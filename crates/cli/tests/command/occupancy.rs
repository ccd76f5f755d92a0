//! The occupancy calculator against the figures of the design, on the machine `generic-mid`.

use crate::support::cresta;
use serde_json::{Value, json};

fn report(arguments: &str) -> Value {
    let run = cresta(
        ["occupancy", "--format", "json"]
            .into_iter()
            .chain(arguments.split_whitespace()),
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()
}

/// 65,536 registers over 256 · 40 = 6.4, 65,536 B over 1,296 = 50.6, 2,048 invocations over 256 = 8:
/// registers bind at 6 groups, 1,536 of 2,048 invocations. Six groups leave 65,536 / 1,536 = 42.7
/// registers, seven would need 65,536 / 1,792 = 36.6.
#[test]
fn registers_bind() {
    let report = report("--workgroup-size 16,16 --workgroup-memory 1296 --registers 40");
    assert_eq!(
        report["occupancy"],
        json!({
            "registers": { "value": 40, "source": "given" },
            "limits": { "registers": 6, "workgroup_memory": 50, "slots": 8 },
            "groups": 6,
            "invocations": 1536,
            "fraction": 0.75,
            "simd_group_fraction": 0.75,
            "limiter": "registers"
        })
    );
    assert_eq!(
        report["steps"]["registers"],
        json!({ "last_keeping": 42, "lost_at": 43, "won_at": 36 })
    );
}

/// 256 · 72 registers fit 3.56 times: 768 of 2,048 invocations.
#[test]
fn more_registers_fewer_groups() {
    let report = report("--workgroup-size 256 --registers 72");
    assert_eq!(report["occupancy"]["groups"], 3);
    assert_eq!(report["occupancy"]["fraction"], 0.375);
}

/// 8 KiB of 32 KiB: 4 groups; 16 KiB: 2.
#[test]
fn workgroup_memory_binds_in_a_smaller_unit() {
    for (bytes, groups) in [(8192, 4), (16_384, 2)] {
        let report = report(&format!(
            "--workgroup-size 256 --unit-memory 32768 --workgroup-memory {bytes}"
        ));
        assert_eq!(report["occupancy"]["groups"], groups);
        assert_eq!(report["occupancy"]["limiter"], "workgroup_memory");
    }
}

/// Sixteen groups of 16 are 256 of 2,048 invocations, in 16 of 64 SIMD groups.
#[test]
fn half_empty_simd_groups_are_told_apart() {
    let report = report("--workgroup-size 16 --unit-groups 16");
    assert_eq!(report["occupancy"]["invocations"], 256);
    assert_eq!(report["occupancy"]["fraction"], 0.125);
    assert_eq!(report["occupancy"]["simd_group_fraction"], 0.25);
    assert_eq!(report["occupancy"]["limiter"], "slots");
}

/// While one group waits 400 cycles, each other one issues ten instructions: 40 hide it.
#[test]
fn one_load_in_ten_instructions() {
    let report = report("--workgroup-size 256 --latency-cycles 400 --instructions-per-load 10");
    assert_eq!(report["latency_hiding"]["simd_groups_needed"], 40.0);
}

/// 300 cycles at one request a cycle need 300 in flight: 469 % of 64 SIMD groups. At a quarter of
/// them 16 are in flight, so the unit waits 1 − 16/300 of the time; four loads each need a quarter.
#[test]
fn littles_law_is_not_clamped() {
    let one = report("--workgroup-size 256 --latency-cycles 300");
    let hiding = &one["latency_hiding"];
    assert_eq!(hiding["needed_fraction"], 4.6875);
    let idle: Vec<i64> = hiding["by_occupancy"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (row["idle_fraction"].as_f64().expect("a number") * 100.0).round() as i64)
        .collect();
    assert_eq!(idle, [95, 89, 84, 79]);
    let four = report("--workgroup-size 256 --latency-cycles 300 --loads 4");
    assert_eq!(four["latency_hiding"]["simd_groups_needed"], 75.0);
}

/// What is unknown is null, and said to be left out.
#[test]
fn unknown_registers() {
    let report = report("--workgroup-size 256");
    assert_eq!(report["occupancy"]["registers"], Value::Null);
    assert_eq!(report["occupancy"]["limits"]["registers"], Value::Null);
    let assumptions = report["assumptions"].to_string();
    assert!(
        assumptions.contains("leaves out registers"),
        "{assumptions}"
    );
}

/// Two tiles of 16 × 16 floats are 2,048 B, and 16 × 16 invocations fill 8 slots of 256.
#[test]
fn from_a_kernel() {
    let report = report("matmul_tiled.wgsl");
    assert_eq!(report["workgroup_invocations"], 256);
    assert_eq!(report["workgroup_memory_bytes"], 2048);
    assert_eq!(report["occupancy"]["limits"]["workgroup_memory"], 32);
    assert_eq!(report["occupancy"]["limits"]["slots"], 8);
}

#[test]
fn as_text() {
    let run = cresta([
        "occupancy",
        "--workgroup-size",
        "256",
        "--registers",
        "40",
        "--workgroup-memory",
        "1296",
        "--latency-cycles",
        "300",
    ]);
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_group_is_needed() {
    let run = cresta(["occupancy"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("a shader file, or --workgroup-size X,Y,Z"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_group_that_overflows_is_refused() {
    let run = cresta(["occupancy", "--workgroup-size", "4294967295,2"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("too many invocations"),
        "{}",
        run.stderr
    );
}
