//! Which pitch a source can change: rows that a type declares, rows that an index multiplies out, and
//! trees that have none.

mod common;

use cresta_analysis::{AccessFacts, Facts, Rows};
use cresta_model::launch::Launch;

/// Facts of a body over a table of 32 by 32 words and a flat array of 1,024.
fn facts(body: &str) -> Facts {
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
var<workgroup> table: array<array<u32, 32>, 32>;
var<workgroup> flat: array<u32, 1024>;
@compute @workgroup_size(32)
fn main(@builtin(local_invocation_id) l: vec3u) {{
  var s = 0u;
{body}
  out[l.x] = s;
}}
"
    );
    common::facts_at(&source, &Launch::default())
}

fn first(body: &str) -> AccessFacts {
    let facts = facts(body);
    let mut accesses = facts.accesses.into_iter();
    accesses.find(|a| a.variable != "out").expect("an access")
}

#[test]
fn rows_of_a_type_and_of_an_index() {
    let declared = first("  for (var k = 0u; k < 32u; k++) { s += table[l.x][k]; }");
    let expected = Rows {
        pitch_bytes: 128,
        declared: true,
    };
    assert_eq!(declared.rows, Some(expected));
    let indexed = first("  for (var k = 0u; k < 16u; k++) { s += flat[l.x * 16u + k]; }");
    let expected = Rows {
        pitch_bytes: 64,
        declared: false,
    };
    assert_eq!(indexed.rows, Some(expected));
    assert!(!indexed.stride_varies);
}

/// `2 lid + 1` words: neighbours are two words apart, and no row is there.
#[test]
fn a_tree_has_no_rows() {
    assert_eq!(first("  s = flat[2u * l.x + 1u];").rows, None);
    let tree =
        first("  for (var d = 1u; d < 32u; d *= 2u) { s += flat[(2u * l.x + 1u) * d - 1u]; }");
    assert_eq!(tree.rows, None);
    assert!(tree.stride_varies);
}

/// One word for all lanes: neither rows nor a conflict.
#[test]
fn a_broadcast_has_neither_rows_nor_a_conflict() {
    let broadcast = first("  for (var k = 0u; k < 32u; k++) { s += flat[32u * k]; }");
    assert_eq!(broadcast.rows, None);
    assert_eq!(broadcast.bank_degree, Some(1.0));
}
