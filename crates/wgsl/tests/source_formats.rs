//! SPIR-V and GLSL, and how the language of a file is recognised.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use cresta_wgsl::source::{
    Language, Source, SourceError, SourceFile, parse_any, parse_glsl, parse_spirv,
};
use naga::back::spv;

const KERNEL: &str = "
    struct P { v: vec3f, m: f32 }
    override T: u32 = 8;
    @group(0) @binding(0) var<storage, read_write> a: array<P>;
    @group(0) @binding(1) var t: texture_2d<f32>;
    var<workgroup> w: array<atomic<u32>, 64>;
    fn f(x: f32, p: ptr<function, f32>) -> f32 {
      if x > 1.0 { return sin(x); }
      for (var i = 0; i < 4; i++) { *p += 1.0; }
      return dot(vec3f(x), vec3f(1));
    }
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
      var l = 1.0;
      let q = atomicAdd(&w[i], 1u);
      workgroupBarrier();
      switch q { case 1u: { l = 2.0; } default: {} }
      a[i].v = textureLoad(t, vec2u(i), 0).xyz * f(l, &l);
    }";

/// [`KERNEL`] as SPIR-V words.
fn spirv() -> Vec<u32> {
    let module = naga::front::wgsl::parse_str(KERNEL).unwrap();
    let info = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::all(),
    )
    .validate(&module)
    .unwrap();
    let options = spv::Options {
        // naga's reader does not take back the store of zeros that its writer adds.
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        ..spv::Options::default()
    };
    spv::write_vec(&module, &info, &options, None).unwrap()
}

fn little_endian(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn spirv_parses_in_either_byte_order_whatever_it_is_called() {
    let words = spirv();
    let big_endian = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    for bytes in [little_endian(&words), big_endian] {
        let parsed = parse_any("shader.bin", bytes).unwrap();
        assert_eq!(parsed.language, Language::SpirV);
        let entry = &parsed.module.entry_points[0];
        assert_eq!(
            (entry.name.as_str(), entry.workgroup_size),
            ("main", [64, 1, 1])
        );
        // A span counts bytes of the binary, which is no place in a text.
        assert_eq!(parsed.text_span(naga::Span::new(1, 2)), None);
    }
}

#[test]
fn broken_spirv_is_an_error() {
    let bytes = little_endian(&spirv());
    for length in [4, bytes.len() / 2, bytes.len() - 1] {
        let error = parse_spirv(&bytes[..length]).unwrap_err();
        assert_eq!(error.primary_span(), None, "{error}");
    }
    let error = parse_any("a.spv", b"plain text".to_vec()).unwrap_err();
    assert!(error.to_string().contains("magic number"), "{error}");
}

/// naga panics on some malformed binaries; here that is an error like any other. When naga no longer
/// panics on any of them, the guard can go.
#[test]
fn panics_of_nagas_spirv_reader_become_errors() {
    let words = spirv();
    // A linear congruential generator (Knuth, MMIX) makes the same mutations on every run.
    let mut state = 12_345_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut panics = 0;
    for _ in 0..2_000 {
        let mut mutated = words.clone();
        // The header is five words.
        let place = 5 + random() % (words.len() - 5);
        mutated[place] = words[5 + random() % (words.len() - 5)];
        if let Err(SourceError::FrontEnd { message }) = parse_spirv(&little_endian(&mutated)) {
            assert!(!message.is_empty());
            panics += 1;
        }
    }
    assert!(panics > 0);
}

#[test]
fn glsl_compute_shaders_parse_by_extension() {
    let text = "#version 450\n#define N 64\nlayout(local_size_x = N) in;\n\
        layout(std430, binding = 0) buffer A { float a[]; };\n\
        void main() { a[gl_GlobalInvocationID.x] *= 2.0; }\n";
    for name in ["blur.comp", "shaders/BLUR.GLSL"] {
        let parsed = parse_any(name, text.as_bytes().to_vec()).unwrap();
        assert_eq!(parsed.language, Language::Glsl);
        assert_eq!(parsed.module.entry_points[0].workgroup_size, [64, 1, 1]);
    }
    // Characters of several bytes do not move the places.
    let faulty = text
        .replace("void main", "// é𝔘\nvoid main")
        .replace("2.0", "missing");
    let error = parse_glsl(&SourceFile::new("f", &faulty)).unwrap_err();
    assert!(error.to_string().contains("missing"), "{error}");
    assert_eq!(&faulty[error.primary_span().unwrap()], "missing");
}

#[test]
fn other_languages_are_named() {
    for (name, extension) in [("a/b.hlsl", "hlsl"), ("x.y.CU", "cu"), ("v.vert", "vert")] {
        let error = Source::recognise(name, b"float4 main() {}".to_vec()).unwrap_err();
        assert_eq!(
            error,
            SourceError::Language {
                extension: extension.to_owned()
            }
        );
    }
    for name in ["kernel.wgsl", "kernel", "-", "dir.d/kernel", "k.txt"] {
        let source = Source::recognise(name, b"fn f() {}".to_vec()).unwrap();
        assert!(matches!(&source, Source::Wgsl(file) if file.name == name));
        assert!(source.text_file().is_some());
    }
}
