//! Sources whose types or calls double with every line: lowered, or refused, at once.

mod lower;

use std::fmt::Write;

use lower::lowered;

/// `S24`: 24 levels of structures of two of the one before, 2²⁴ scalars.
fn nested() -> String {
    let mut source = "struct S0 { x: u32, y: f32 }\n".to_owned();
    for level in 1..24 {
        let below = level - 1;
        writeln!(source, "struct S{level} {{ a: S{below}, b: S{below} }}").expect("it is a string");
    }
    source.push_str("@group(0) @binding(0) var<storage, read_write> s: array<S23>;\n");
    source.push_str("@group(0) @binding(1) var<storage, read_write> t: array<S23>;\n");
    source
}

fn with(body: &str) -> String {
    let entry = "@compute @workgroup_size(1) fn main()";
    format!("{}{entry} {{ {body} }}", nested())
}

/// The member `.b.b.… .x`, of the last of the 2²³ parts.
fn last() -> String {
    format!("{}.x", ".b".repeat(23))
}

#[test]
fn a_leaf_of_a_nested_structure_is_one_access() {
    let last = last();
    for body in [
        format!("t[0]{last} = s[0]{last};"),
        format!("let whole = s[0]; t[0]{last} = whole{last};"),
    ] {
        let lowered = lowered(&with(&body));
        let accesses = &lowered.kernel.accesses;
        assert_eq!(accesses.len(), 2, "{body}");
        // 2²³ parts of 8 bytes, of which the last begins 8 bytes before the end
        let end = (1 << 26) - 8;
        assert!(accesses.iter().all(|access| access.address.constant == end));
        assert_eq!(lowered.unsupported, []);
    }
}

#[test]
fn a_copy_of_millions_of_scalars_is_unsupported() {
    let lowered = lowered(&with("t[0] = s[0];"));
    assert!(!lowered.unsupported.is_empty());
}
