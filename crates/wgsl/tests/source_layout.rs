//! Struct layouts, and uniform layouts that only some implementations take.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use cresta_wgsl::source::{PortabilitySeverity, SourceFile, StructLayout, layout, parse};

fn layouts(text: &str) -> Vec<StructLayout> {
    let text = format!("{text}\n@compute @workgroup_size(1) fn main() {{}}");
    layout(&parse(&SourceFile::new("f", text)).unwrap().module)
}

fn one(text: &str) -> StructLayout {
    let mut all = layouts(text);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

#[test]
fn padding_between_and_after_members() {
    // vec3f takes 12 bytes aligned to 16: 4 bytes after each.
    let both = one("struct P { position: vec3f, velocity: vec3f }");
    assert_eq!((both.size_bytes, both.padding_bytes), (32, 8));
    assert_eq!(both.padding_fraction, 0.25);
    let places: Vec<_> = both
        .members
        .iter()
        .map(|member| (member.name.as_str(), member.offset, member.size))
        .collect();
    assert_eq!(places, [("position", 0, 12), ("velocity", 16, 12)]);
    // The scalars fit into the gaps.
    let filled = one("struct P { p: vec3f, m: f32, v: vec3f, a: f32 }");
    assert_eq!((filled.size_bytes, filled.padding_bytes), (32, 0));
    assert_eq!(filled.padding_fraction, 0.0);
    // f32 at 0, vec2f at 8 (aligned to 8), f32 at 16, tail to 24: 16 bytes of data.
    let mixed = one("struct P { a: f32, b: vec2f, c: f32 }");
    assert_eq!((mixed.size_bytes, mixed.padding_bytes), (24, 8));
    // Attributes: 4 bytes of data in 32, of which the member takes 32.
    let sized = one("struct P { @align(16) @size(32) a: f32 }");
    assert_eq!((sized.size_bytes, sized.padding_bytes), (32, 28));
}

#[test]
fn padding_inside_arrays_matrices_and_structs() {
    // Stride 16 for 12 bytes, four times.
    let array = one("struct P { a: array<vec3f, 4> }");
    assert_eq!((array.size_bytes, array.padding_bytes), (64, 16));
    // Three columns of 12 bytes in 16.
    let matrix = one("struct P { m: mat3x3f }");
    assert_eq!((matrix.size_bytes, matrix.padding_bytes), (48, 12));
    // Inner: 16 bytes, 4 of padding; the array repeats it, and b's tail is 12.
    let all = layouts("struct Inner { v: vec3f } struct Outer { a: array<Inner, 2>, b: f32 }");
    assert_eq!((all[0].size_bytes, all[0].padding_bytes), (16, 4));
    assert_eq!((all[1].size_bytes, all[1].padding_bytes), (48, 4 + 4 + 12));
    // A runtime-sized array counts as one element: 4 + 12 of padding + 16 of which 4 are padding.
    let runtime = one("struct P { count: u32, items: array<vec3f> }");
    assert_eq!((runtime.size_bytes, runtime.padding_bytes), (32, 16));
    assert!(runtime.runtime_sized && !array.runtime_sized);
}

#[test]
fn spaces_reach_through_arrays_and_members() {
    let text = "enable f16;
        struct Leaf { v: vec2h } struct Node { leaves: array<Leaf, 4> } struct Io { @builtin(global_invocation_id) id: vec3u }
        struct Lone { x: u32 }
        @group(0) @binding(0) var<storage> a: array<Node>;
        var<workgroup> w: Leaf;
        @compute @workgroup_size(1) fn main(io: Io) {
          var l: Leaf; w = l; let f = frexp(1.0);
        }";
    let file = SourceFile::new("f", text);
    let parsed = parse(&file).unwrap();
    let all = layout(&parsed.module);
    let used: Vec<_> = all
        .iter()
        .map(|one| (one.name.as_str(), one.used_in.clone()))
        .collect();
    // The result struct of `frexp` is naga's, and left out.
    assert_eq!(
        used,
        [
            ("Leaf", vec!["function", "storage", "workgroup"]),
            ("Node", vec!["storage"]),
            ("Io", vec![]),
            ("Lone", vec![])
        ]
    );
    let declared = all[0].declared.clone().unwrap();
    assert_eq!(file.text[declared].trim_end(), "struct Leaf { v: vec2h }");
}

#[test]
fn a_tight_array_in_uniform_space_is_a_portability_error_and_still_parses() {
    let text = "@group(0) @binding(0) var<uniform> weights: array<f32, 64>;
        @group(0) @binding(1) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
          out[i] = weights[i];
        }";
    let parsed = parse(&SourceFile::new("f", text)).unwrap();
    let [note] = parsed.portability.as_slice() else {
        panic!("{:?}", parsed.portability);
    };
    assert_eq!(note.code, "portability-uniform-layout");
    assert_eq!(note.severity, PortabilitySeverity::Error);
    assert!(text[note.span.clone()].starts_with("var<uniform> weights"));
    assert!(
        note.message.contains("stride of 4 bytes"),
        "{}",
        note.message
    );
    // 64 elements of 4 bytes, as the standard layout has it.
    assert!(note.message.contains("256 bytes"), "{}", note.message);
    let help = note.help.as_deref().unwrap();
    assert!(help.contains("`array<vec4f, 16>`"), "{help}");
    assert!(help.contains("var<storage, read>"), "{help}");
}

#[test]
fn each_uniform_variable_gets_its_note() {
    let text = "requires uniform_buffer_standard_layout;
        struct Inner { a: u32 } struct Outer { inner: Inner, b: u32 }
        struct Holder { n: u32, table: array<vec2u, 5> }
        @group(0) @binding(0) var<uniform> good: vec4f;
        @group(0) @binding(1) var<uniform> pairs: array<vec2<u32>, 7>;
        @group(0) @binding(2) var<uniform> outer: Outer;
        @group(0) @binding(3) var<uniform> holder: Holder;
        @compute @workgroup_size(1) fn main() { let x = pairs[1].x + outer.b + holder.table[2].x; }";
    let parsed = parse(&SourceFile::new("f", text)).unwrap();
    let notes: Vec<_> = parsed
        .portability
        .iter()
        .filter(|note| note.severity == PortabilitySeverity::Error)
        .map(|note| {
            (
                text[note.span.clone()].to_owned(),
                note.help.clone().unwrap(),
            )
        })
        .collect();
    assert_eq!(notes.len(), 3, "{notes:?}");
    // 7 pairs are 14 words: four vectors of four.
    assert!(notes[0].0.contains("pairs") && notes[0].1.contains("`array<vec4u, 4>`"));
    assert!(notes[1].0.contains("outer") && notes[1].1.contains("@align(16)"));
    assert!(notes[2].0.contains("holder") && notes[2].1.contains("pack the array"));
}

#[test]
fn other_faults_are_reported_beside_a_tight_uniform_array() {
    let text = "@group(0) @binding(0) var<uniform> weights: array<f32, 64>;
        @compute @workgroup_size(1) fn main() { weights[0] = 1.0; }";
    let error = parse(&SourceFile::new("f", text)).unwrap_err();
    assert!(
        matches!(error.code(), "source-validate" | "source-parse"),
        "{error}"
    );
}
