//! Accesses under conditions on parameters that nobody has set: an access that can run is looked at
//! where it does, and one that cannot is told apart.

mod common;

use cresta_analysis::{AccessFacts, Basis, Facts};
use cresta_model::launch::Launch;
use cresta_model::transactions::Pattern;

const HEAD: &str = "
struct Params { mode: u32, kind: u32, pairs: u32, degree: u32 }
override LEVEL: u32 = 2u;
@group(0) @binding(0) var<uniform> p: Params;
@group(0) @binding(1) var<storage> a: array<f32>;
@group(0) @binding(2) var<storage, read_write> b: array<f32>;
";

/// Facts of a body of `main` with `g`, of which neither workgroups nor parameters are told.
fn facts(body: &str) -> Facts {
    let source = format!(
        "{HEAD}@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) g: vec3u) {{
{body}
}}
"
    );
    common::facts_at(&source, &Launch::default())
}

fn store(facts: &Facts) -> &AccessFacts {
    let mut accesses = facts.accesses.iter();
    accesses.find(|a| a.variable == "b").expect("a store to b")
}

/// 32 lanes store neighbouring words: one line.
fn assert_reached(body: &str) {
    let facts = facts(body);
    let store = store(&facts);
    assert_eq!(store.basis, Basis::Counted, "{body}");
    assert_eq!(store.pattern, Pattern::Contiguous, "{body}");
    let lines = store.traffic.as_ref().map(|traffic| traffic.transactions);
    assert_eq!(lines, Some(1.0), "{body}");
}

/// At a large stand-in no mode of a switch would run.
#[test]
fn modes_and_degrees_are_met() {
    assert_reached("  if (p.mode == 2u) { b[g.x] = 1.0; }");
    assert_reached("  switch (p.mode) { case 0u: { b[g.x] = 1.0; } default: {} }");
    assert_reached("  if (p.degree <= 1u) { b[g.x] = 1.0; }");
    assert_reached("  if (p.degree >= 3u) { b[g.x] = 1.0; }");
}

/// No small value meets `mode == 9`: it is found in the condition.
#[test]
fn a_mode_beyond_the_small_values_is_found_in_the_condition() {
    assert_reached("  if (p.mode == 9u) { b[g.x] = 1.0; }");
    assert_reached("  if (2u * p.mode == 18u) { b[g.x] = 1.0; }");
    assert_reached("  if (p.mode > 5u && p.mode < 8u) { b[g.x] = 1.0; }");
}

/// The mode must be zero while the number of pairs must not; two switches need different values.
#[test]
fn several_conditions_are_met_together() {
    assert_reached("  if (g.x < p.pairs && p.mode == 0u) { b[g.x] = 1.0; }");
    assert_reached("  if (p.mode == 2u && p.kind == 3u) { b[g.x] = 1.0; }");
    assert_reached("  if (p.mode == 2u && p.kind == p.mode + 4u) { b[g.x] = 1.0; }");
    assert_reached(
        "  if (g.x >= p.pairs) { return; }
  if (a[g.x] > 0.5) { return; }
  if (p.mode == 1u) { b[g.x] = 1.0; }",
    );
}

/// Where the address mentions the parameter, the value is told: rows of 8 words, 32 B apart.
#[test]
fn a_chosen_value_in_the_address_is_told() {
    let facts = facts("  if (p.pairs == 8u) { b[g.x * p.pairs] = 1.0; }");
    let store = store(&facts);
    assert_eq!(store.stride_bytes, Some(32));
    assert_eq!(store.assumes.as_deref(), Some("p.pairs is 8"));
}

/// The override has a value, so the branch cannot run however many workgroups there are.
#[test]
fn what_an_override_forbids_never_runs() {
    let facts = facts("  if (LEVEL >= 3u) { b[g.x] = 1.0; }");
    assert_eq!(store(&facts).basis, Basis::NeverRuns);
    assert_eq!(store(&facts).executions.value, Some(0.0));
    assert_reached("  if (LEVEL >= 2u) { b[g.x] = 1.0; }");
}

/// No whole number squares to 2.
#[test]
fn conditions_that_no_value_meets_are_not_reached() {
    let facts = facts("  if (p.mode * p.mode == 2u) { b[g.x] = 1.0; }");
    assert_eq!(store(&facts).basis, Basis::NotReached);
}
