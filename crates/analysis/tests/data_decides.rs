//! What stays known of a kernel in which data decide a part, and what is said of that part: bounds,
//! and never that something depends on data which does not.

mod common;

use cresta_analysis::{AccessFacts, Basis, Facts};
use cresta_model::launch::{Grid, Launch};
use cresta_model::prediction::Resource;
use cresta_model::transactions::Pattern;

const BUFFERS: &str = "
@group(0) @binding(0) var<storage> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@group(0) @binding(2) var<storage> n: array<u32>;
";

/// Facts of a body of `main` with `g` and `w`, with 1,024 workgroups (or none told) on `generic-mid`.
fn facts(size: u32, body: &str, groups: Option<u32>, set: &[(&str, f64)]) -> Facts {
    let source = format!(
        "{BUFFERS}@compute @workgroup_size({size})
fn main(@builtin(global_invocation_id) g: vec3u, @builtin(workgroup_id) w: vec3u) {{
{body}
}}
"
    );
    let launch = Launch {
        grid: groups.map(|groups| Grid::Workgroups([groups, 1, 1])),
        values: set.iter().map(|&(name, v)| (name.to_owned(), v)).collect(),
        ..Launch::default()
    };
    common::facts_at(&source, &launch)
}

/// Accesses of a variable in source order.
fn of<'f>(facts: &'f Facts, variable: &str) -> Vec<&'f AccessFacts> {
    let accesses = facts.accesses.iter();
    accesses.filter(|a| a.variable == variable).collect()
}

/// 65,536 invocations in workgroups of 64; the branch is at line 8 of the source.
const BRANCH: &str = "  let x = a[g.x];
  b[g.x] = x;
  if (x > 0.5) { b[g.x + 65536u] = 2.0 * x; }";
const TAKEN: &str = "taken@9:3";

/// Two accesses do not mention the branch: 4 B × 65,536 each. The third moves between nothing and as
/// much again.
#[test]
fn an_unset_branch_leaves_other_accesses_known() {
    let facts = facts(64, BRANCH, Some(1024), &[]);
    assert!(facts.unknowns.iter().any(|u| u.name == TAKEN && u.of_data));
    let bytes = |access: &AccessFacts| access.total.as_ref().map(|total| total.bytes);
    let b = of(&facts, "b");
    assert_eq!(bytes(of(&facts, "a")[0]), Some(262_144.0));
    assert_eq!(bytes(b[0]), Some(262_144.0));
    assert_eq!(b[0].simd_executions.value, Some(2048.0));
    assert_eq!(bytes(b[1]), None);
    let bounds = |access: &AccessFacts| {
        let of = |total: &Option<cresta_analysis::TrafficTotal>| total.as_ref().map(|t| t.bytes);
        (of(&access.at_least), of(&access.at_most))
    };
    assert_eq!(bounds(b[1]), (Some(0.0), Some(262_144.0)));
    let executions = &b[1].executions;
    assert_eq!(
        (executions.value, executions.lower, executions.upper),
        (None, Some(0.0), Some(65_536.0))
    );
    assert_eq!(b[1].pattern, Pattern::Contiguous);
}

/// At least 524,288 B at 400 GB/s, at most 786,432; at most 65,536 FLOP do not come near.
#[test]
fn a_lower_bound_is_marked_and_decided_where_it_can_be() {
    let facts = facts(64, BRANCH, Some(1024), &[]);
    let prediction = &facts.prediction;
    assert_eq!(facts.transferred.lower, Some(524_288.0));
    assert_eq!(facts.transferred.upper, Some(786_432.0));
    assert!(prediction.is_at_least(Resource::Dram));
    assert_eq!(prediction.bound, Some(Resource::Dram));
    assert!(prediction.is_decided());
    assert_eq!(prediction.time(Resource::Dram), Some(524_288.0 / 400e9));
    assert_eq!(prediction.greatest(Resource::Dram), Some(786_432.0 / 400e9));
    assert!(
        facts.assumptions.iter().any(|text| text
            == "transferred bytes are a lower bound: data decide how often it runs (`b` at line 9)"),
        "{:#?}",
        facts.assumptions
    );
}

/// A quarter of the lanes: 16,384 stores of 4 B fill 512 sectors of 128 B at least, if the lanes are
/// neighbours, and lie in all 2,048 at most.
#[test]
fn a_set_fraction_bounds_what_its_lanes_move() {
    let facts = facts(64, BRANCH, Some(1024), &[(TAKEN, 0.25)]);
    let store = of(&facts, "b")[1];
    assert_eq!(store.executions.value, Some(16_384.0));
    let sectors = |total: &Option<cresta_analysis::TrafficTotal>| total.as_ref().map(|t| t.sectors);
    assert_eq!(sectors(&store.at_least), Some(512.0));
    assert_eq!(sectors(&store.at_most), Some(2048.0));
}

/// The other side of a branch has its shape as well.
#[test]
fn both_sides_of_a_data_dependent_branch_are_seen() {
    let body = "  if (a[g.x] > 0.5) { b[g.x] = 1.0; } else { b[g.x * 2u] = 2.0; }";
    let facts = facts(64, body, Some(1024), &[]);
    let b = of(&facts, "b");
    assert_eq!(b[0].pattern, Pattern::Contiguous);
    assert_eq!(
        (b[1].pattern, b[1].stride_bytes),
        (Pattern::Strided, Some(8))
    );
}

/// Trips that data decide have no upper bound; what does not lie in the loop is known.
#[test]
fn unset_trips_have_no_upper_bound() {
    let body = "  var s = 0.0;
  for (var i = 0u; i < n[g.x]; i++) { s += a[i * 64u + g.x]; }
  b[g.x] = s;";
    let facts = facts(64, body, Some(1024), &[]);
    let store = of(&facts, "b")[0];
    assert_eq!(store.total.as_ref().map(|t| t.bytes), Some(262_144.0));
    let load = &of(&facts, "a")[0].executions;
    assert_eq!(
        (load.value, load.lower, load.upper),
        (None, Some(0.0), None)
    );
    assert!(facts.prediction.is_at_least(Resource::Dram));
    assert_eq!(facts.prediction.seconds_at_most(), None);
}

/// Of an unknown number of workgroups, one within the guard stands for all.
#[test]
fn a_guard_against_a_constant_leaves_a_representative() {
    let facts = facts(
        256,
        "  if (g.x < 256u) { b[g.x] = a[g.x * 2u]; }",
        None,
        &[],
    );
    let load = of(&facts, "a")[0];
    assert_eq!(load.basis, Basis::Counted);
    assert_eq!(
        (load.pattern, load.stride_bytes),
        (Pattern::Strided, Some(8))
    );
    // 32 lanes, 8 B apart, over 256 B.
    assert_eq!(load.traffic.as_ref().map(|t| t.transactions), Some(2.0));
}

/// A branch on a small mode, which no address mentions, runs at some mode.
#[test]
fn a_mode_is_tried_at_small_values() {
    let source = "  if (n[0] == 2u) { b[g.x] = 1.0; }";
    let facts = facts(64, source, Some(4), &[]);
    assert_eq!(of(&facts, "b")[0].pattern, Pattern::Contiguous);
}

/// No representative lies beyond the hundredth workgroup: that is no dependence on data.
#[test]
fn what_no_representative_reaches_is_told_apart_from_data() {
    let beyond = facts(64, "  if (w.x >= 100u) { b[g.x] = 1.0; }", None, &[]);
    assert_eq!(of(&beyond, "b")[0].basis, Basis::NotReached);
    let data = facts(64, "  b[n[g.x]] = 1.0;", None, &[]);
    assert_eq!(of(&data, "b")[0].basis, Basis::Data);
    let never = facts(64, "  if (w.x >= 100u) { b[g.x] = 1.0; }", Some(8), &[]);
    assert_eq!(of(&never, "b")[0].basis, Basis::NeverRuns);
}

/// Of eight iterations the first starts on a line and seven do not: 1 + 7 × 2 lines over 8.
#[test]
fn the_pattern_is_that_of_most_executions() {
    let body = "  var s = 0.0;
  for (var k = 0u; k < 8u; k++) { s += a[g.x + k]; }
  b[g.x] = s;";
    let facts = facts(64, body, Some(1024), &[]);
    let load = of(&facts, "a")[0];
    assert_eq!(load.pattern, Pattern::Misaligned);
    assert_eq!(load.pattern_share, Some(7.0 / 8.0));
    assert_eq!(
        load.traffic.as_ref().map(|t| t.transactions),
        Some(15.0 / 8.0)
    );
}

/// An array at the end of a structure is no array of structures; a member of an element is one.
#[test]
fn members_are_those_of_elements() {
    let source = "
struct Head { n: u32, items: array<f32> }
struct Item { at: vec4f, weights: array<f32, 4> }
@group(0) @binding(0) var<storage, read_write> head: Head;
@group(0) @binding(1) var<storage> items: array<Item>;
@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3u) {
  head.items[g.x * 16u] = items[g.x].weights[1];
}";
    let facts = common::facts_at(source, &Launch::default());
    assert_eq!(of(&facts, "head")[0].member, None);
    assert_eq!(of(&facts, "items")[0].member.as_deref(), Some("weights"));
}
