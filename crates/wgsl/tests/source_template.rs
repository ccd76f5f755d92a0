//! Templates are named before naga sees them; what only looks like one is not.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use cresta_wgsl::source::{SourceError, SourceFile, parse};

fn refused(text: &str) -> (String, (u32, u32), &'static str) {
    match parse(&SourceFile::new("f", text)).unwrap_err() {
        SourceError::Template {
            marker,
            span,
            line,
            column,
            way_out,
        } => {
            assert_eq!(text.get(span), Some(marker.as_str()));
            (marker, (line, column), way_out)
        }
        other => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn markers_are_named_with_their_place() {
    let cases = [
        ("#import bevy::math\nfn f() {}", "#import", (1, 1)),
        ("fn f() {}\n  #ifdef X\n  #endif", "#ifdef", (2, 3)),
        ("#include \"a.wgsl\"", "#include", (1, 1)),
        ("/* c */ #define N 4", "#define", (1, 9)),
        ("const N = {{ tile }};", "{{", (1, 11)),
        ("const N = {{{tile}}};", "{{", (1, 11)),
        ("{% for i in x %}\nfn f() {}", "{%", (1, 1)),
        ("const N = ${tile};", "${", (1, 11)),
        ("const é = 1; const N = $tile;", "$", (1, 24)),
        ("const N = #{TILE};", "#{TILE}", (1, 11)),
        ("const N = #{TILE ;", "#{", (1, 11)),
        ("@workgroup_size({size}) fn f() {}", "{size}", (1, 17)),
        ("const N = {tile};", "{tile}", (1, 11)),
        ("<% x %>", "<%", (1, 1)),
        ("import package::util::f;\nfn g() {}", "import", (1, 1)),
        ("@if(DEBUG) fn g() {}", "@if", (1, 1)),
    ];
    for (text, marker, place) in cases {
        let (found, found_place, way_out) = refused(text);
        assert_eq!((found.as_str(), found_place), (marker, place), "{text:?}");
        assert!(way_out.contains("first"), "{way_out}");
    }
}

#[test]
fn comments_and_nested_blocks_are_not_templates() {
    let text = "// #import {{ x }} ${y} {% z %} #{W}\n/* #ifdef /* {{ x }} */ ${y} */\n\
        @compute @workgroup_size(1) fn main() {{ /* {{ x }} */ }{{ var a = 1; {{}} a = 5 % 3; }}\n\
        {{{ var b = 2; }}} { if true {{ }} }}";
    parse(&SourceFile::new("f", text)).unwrap();
}
