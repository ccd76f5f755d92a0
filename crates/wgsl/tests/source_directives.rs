//! Directives that browsers accept: what naga refuses is masked and noted, the rest stays in effect.

use cresta_wgsl::source::{Parsed, PortabilityNote, SourceError, SourceFile, parse};

const MAIN: &str = "@compute @workgroup_size(1) fn main() {}";

fn parsed(text: &str) -> Parsed {
    parse(&SourceFile::new("f", text)).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn noted<'a>(text: &'a str, notes: &[PortabilityNote]) -> Vec<&'a str> {
    notes.iter().map(|note| &text[note.span.clone()]).collect()
}

/// What is masked, and that naga alone refuses it: if a newer naga takes a name, this test fails and
/// the mask can go.
#[test]
fn masked_names_are_those_that_naga_refuses() {
    for (directive, names) in [
        (
            "enable",
            vec![
                "subgroups",
                "subgroups_f16",
                "chromium_experimental_subgroups",
                "subgroup_size_control",
            ],
        ),
        (
            "requires",
            vec![
                "buffer_view",
                "filtering_parameters",
                "fragment_depth",
                "immediate_address_space",
                "linear_indexing",
                "sized_binding_array",
                "subgroup_id",
                "subgroup_uniformity",
                "swizzle_assignment",
                "texel_buffers",
                "texture_and_sampler_let",
                "uniform_buffer_standard_layout",
                "unrestricted_pointer_parameters",
            ],
        ),
    ] {
        for name in names {
            let text = format!("{directive} {name};\n{MAIN}");
            assert!(
                naga::front::wgsl::parse_str(&text).is_err(),
                "naga takes {text}"
            );
            let parsed = parsed(&text);
            assert_eq!(noted(&text, &parsed.portability), [name]);
            let rewritten = parsed.rewritten.unwrap();
            assert_eq!(rewritten.len(), text.len());
            assert_eq!(rewritten.trim_start(), MAIN);
        }
    }
}

#[test]
fn what_naga_takes_is_left_alone() {
    for directive in [
        "enable f16;",
        "enable f16, primitive_index,;",
        "enable dual_source_blending;",
        "requires readonly_and_readwrite_storage_textures, packed_4x8_integer_dot_product;",
        "requires pointer_composite_access;",
        "diagnostic(off, derivative_uniformity);",
        "diagnostic(warning, subgroup_uniformity,);",
        "diagnostic(error, vendor.rule);",
    ] {
        let parsed = parsed(&format!("{directive}\n{MAIN}"));
        assert!(
            parsed.rewritten.is_none() && parsed.portability.is_empty(),
            "{directive}"
        );
    }
}

#[test]
fn lists_keep_what_naga_knows() {
    let main = "@compute @workgroup_size(1) fn main() { let x = 1h; }";
    for list in [
        "enable f16, subgroups;",
        "enable subgroups, f16;",
        "enable subgroups,f16,subgroup_size_control,;",
        "enable /* , */ f16 , subgroups // ;\n;",
        "enable subgroups; enable f16;",
        "enable f16,subgroups,subgroup_size_control;requires subgroup_id,pointer_composite_access;",
    ] {
        let text = format!("{list}\n{main}");
        let parsed = parsed(&text);
        assert!(
            noted(&text, &parsed.portability).contains(&"subgroups"),
            "{list}"
        );
        let rewritten = parsed.rewritten.unwrap();
        assert_eq!(rewritten.len(), text.len(), "{list}");
        assert!(
            rewritten.contains("f16") && !rewritten.contains("enable subgroups"),
            "{list}"
        );
    }
}

#[test]
fn unknown_names_are_nagas_to_report() {
    for (directive, name) in [
        ("enable subgroup;", "subgroup"),
        ("enable f16, nonsense;", "nonsense"),
        ("requires nonsense;", "nonsense"),
    ] {
        let text = format!("{directive}\n{MAIN}");
        let error = parse(&SourceFile::new("f", &text)).unwrap_err();
        let span = error.primary_span().unwrap();
        assert_eq!((error.code(), &text[span]), ("source-parse", name));
    }
    let misplaced = format!("{MAIN}\nenable subgroups;");
    assert_eq!(
        parse(&SourceFile::new("f", misplaced)).unwrap_err().code(),
        "source-parse"
    );
}

#[test]
fn spans_after_a_mask_are_those_of_the_original() {
    let text = "enable subgroups;\n@compute @workgroup_size(1) fn main() { let x = missing; }";
    let SourceError::Parse(problem) = parse(&SourceFile::new("f", text)).unwrap_err() else {
        panic!("expected a parse error");
    };
    assert_eq!(&text[problem.labels[0].span.clone()], "missing");
    assert!(problem.message.contains("missing"), "{}", problem.message);
}

/// Every place where the grammar has compound statement attributes; naga reads the first one only.
#[test]
fn diagnostic_attributes_inside_functions_are_masked() {
    let text = "@diagnostic(off, subgroup_uniformity) fn f(a: vec2<u32>) -> u32 @diagnostic(off, x.a) {\n\
        return a.x; }\n\
        @diagnostic(off, derivative_uniformity) @compute @workgroup_size(1) fn main() @diagnostic(off, x.b,) {\n\
        @diagnostic(off, x.c) if f(vec2u()) > 0 @diagnostic(off, x.d) {} else @diagnostic(off, x.e) {}\n\
        @diagnostic(off, x.f) for (;;) @diagnostic(off, x.g) { break; }\n\
        @diagnostic(off, x.h) loop @diagnostic(off, x.i) { continuing @diagnostic(off, x.j) { break if true; } }\n\
        @diagnostic(off, x.k) switch 1 @diagnostic(off, x.l) { default @diagnostic(off, x.m) {} }\n\
        @diagnostic(off, x.n) while false @diagnostic(off, x.o) {}\n\
        @diagnostic(off, x.p) {} }";
    let parsed = parsed(text);
    let letters: String = noted(text, &parsed.portability)
        .iter()
        .filter_map(|span| span.trim_end_matches([',', ')']).chars().next_back())
        .collect();
    assert_eq!(letters, "abcdefghijklmnop");
}

#[test]
fn capabilities_beyond_the_defaults_validate() {
    for text in [
        "enable f16, subgroups; @group(0) @binding(0) var<storage, read_write> a: array<vec2h>;
         @compute @workgroup_size(64) fn main(@builtin(subgroup_invocation_id) i: u32) {
           let s = subgroupAdd(u32(i)); let q = quadSwapX(s); let b = subgroupBallot(s > 1u);
           subgroupBarrier(); a[i] = vec2h(f16(subgroupShuffleXor(q, 1u) + b.x)); }",
        "@group(0) @binding(0) var<storage, read_write> a: array<f64>;
         @group(0) @binding(1) var<storage, read_write> b: array<atomic<u64>>;
         var<immediate> c: u32;
         @compute @workgroup_size(1) fn main() { a[c] *= 2.0lf; atomicMax(&b[0], 3lu); }",
        "@group(0) @binding(0) var t: texture_storage_2d<r32uint, atomic>;
         @compute @workgroup_size(1) fn main() { textureAtomicAdd(t, vec2i(0), 1u); }",
        "enable wgpu_ray_query; @group(0) @binding(0) var acc: acceleration_structure;
         @compute @workgroup_size(1) fn main() { var q: ray_query;
           rayQueryInitialize(&q, acc, RayDesc(0u, 255u, 0.1, 9.0, vec3f(), vec3f(1)));
           rayQueryProceed(&q); }",
        "override T: u32 = 16; @id(7) override unset: f32; var<workgroup> w: array<f32, T * 4>;
         @compute @workgroup_size(T, 1, 1) fn main(@builtin(local_invocation_index) i: u32) {
           w[i] = unset; workgroupBarrier(); }",
    ] {
        parsed(text);
    }
}
