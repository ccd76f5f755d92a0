//! Sources whose types or calls double with every line: lowered, or refused, at once.

mod lower;

use std::fmt::Write;

use lower::lowered;

/// Levels of structures: 2¹⁸ scalars, above the limit of a value. (More are as quick, but naga's debug
/// assertions visit every scalar.)
const LEVELS: usize = 18;

/// Structures of two of the one before.
fn nested() -> String {
    let mut source = "struct S0 { x: u32, y: f32 }\n".to_owned();
    for level in 1..LEVELS {
        let below = level - 1;
        writeln!(source, "struct S{level} {{ a: S{below}, b: S{below} }}").expect("it is a string");
    }
    for (binding, name) in ["s", "t"].iter().enumerate() {
        let (of, last) = ("var<storage, read_write>", LEVELS - 1);
        writeln!(
            source,
            "@group(0) @binding({binding}) {of} {name}: array<S{last}>;"
        )
        .expect("it is a string");
    }
    source
}

fn with(body: &str) -> String {
    let entry = "@compute @workgroup_size(1) fn main()";
    format!("{}{entry} {{ {body} }}", nested())
}

/// The member `.b.b.… .x`, of the last of the 2¹⁷ parts.
fn last() -> String {
    format!("{}.x", ".b".repeat(LEVELS - 1))
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
        // 2¹⁷ parts of 8 bytes, of which the last begins 8 bytes before the end
        let end = (1 << 20) - 8;
        assert!(accesses.iter().all(|access| access.address.constant == end));
        assert_eq!(lowered.unsupported, []);
    }
}

#[test]
fn a_copy_of_very_many_scalars_is_unsupported() {
    let lowered = lowered(&with("t[0] = s[0];"));
    assert!(!lowered.unsupported.is_empty());
}

#[test]
fn a_kernel_prints_each_structure_once() {
    let last = last();
    let printed = lowered(&with(&format!("t[0]{last} = s[0]{last};")))
        .kernel
        .to_string();
    // in full once for each of the two variables, and by name for the second member of its kind
    assert_eq!(printed.matches("S0 {").count(), 2, "{printed}");
    assert_eq!(printed.matches("S0").count(), 4, "{printed}");
}
