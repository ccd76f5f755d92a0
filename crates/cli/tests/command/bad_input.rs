//! Every kind of bad input ends with a message that says where and what to do, and with the exit
//! code that the command line promises. Nothing panics.

use crate::support::{Run, cresta, cresta_with_input, folder, path};

const COPY: &[u8] = b"@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  b[id.x] = a[id.x];
}
";

/// Analyses one file with these bytes.
fn analyze(name: &str, bytes: &[u8], arguments: &[&str]) -> Run {
    let folder = folder(&[(name, bytes)]);
    let file = path(&folder, name);
    cresta(["analyze", &file].iter().chain(arguments))
}

/// Nothing could be analysed: exit code 2, and the message holds `expected`.
fn assert_unusable(run: &Run, expected: &str) {
    assert_eq!(run.code, 2, "{}", run.flat());
    assert!(run.flat().contains(expected), "{}", run.flat());
    assert!(!run.flat().contains("panicked"), "{}", run.flat());
}

/// `é` in Latin-1 is the byte 0xE9, here the eighth byte of the second line.
#[test]
fn not_utf8() {
    let run = analyze("latin.wgsl", b"// one\n// caf\xe9\nfn f() {}\n", &[]);
    assert_unusable(&run, "not UTF-8 at byte 13 (line 2)");
}

#[test]
fn empty() {
    assert_unusable(&analyze("empty.wgsl", b"", &[]), "the source is empty");
    assert_unusable(&analyze("c.wgsl", b"// nothing\n", &[]), "only comments");
}

#[test]
fn no_compute_entry() {
    let text = b"@fragment fn shade() -> @location(0) vec4f { return vec4f(); }\n";
    let run = analyze("render.wgsl", text, &[]);
    assert_unusable(&run, "no `@compute` entry point");
    assert!(run.flat().contains("`shade`"), "{}", run.flat());
}

/// The fault is underlined at its line and column.
#[test]
fn a_parse_error_has_its_place() {
    let run = analyze("bad.wgsl", b"fn main() {\n  let x = ;\n}\n", &[]);
    assert_unusable(&run, "failed to parse");
    assert!(run.stdout.contains("bad.wgsl:2:11"), "{}", run.stdout);
}

/// A validation error: `u32 + f32` has no meaning.
#[test]
fn a_validation_error_has_its_place() {
    let text = b"@compute @workgroup_size(1)\nfn main() {\n  var a = 1u;\n  a = a + 1.5f;\n}\n";
    let run = analyze("types.wgsl", text, &[]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("types.wgsl:4:"), "{}", run.stdout);
}

#[test]
fn a_missing_file() {
    let run = cresta(["analyze", "no_such.wgsl"]);
    assert_unusable(&run, "failed to read no_such.wgsl");
}

#[test]
fn a_folder_without_shaders() {
    let folder = folder(&[("readme.txt", b"nothing here")]);
    let run = cresta(["analyze", &folder.path().display().to_string()]);
    assert_unusable(&run, "no *.wgsl, *.spv, *.comp, *.glsl in this folder");
}

/// A socket stands for whatever may never end: it is no file, so that the folder holds no shader.
#[cfg(unix)]
#[test]
fn a_folder_is_searched_for_files_only() {
    let folder = folder(&[]);
    let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("pipe.wgsl"))
        .expect("a socket in a new folder");
    let run = cresta(["analyze", &folder.path().display().to_string()]);
    assert_unusable(&run, "no *.wgsl, *.spv, *.comp, *.glsl in this folder");
}

#[cfg(unix)]
#[test]
fn a_device_without_end() {
    let run = cresta(["analyze", "/dev/zero"]);
    assert_unusable(&run, "larger than 64 MiB");
}

#[test]
fn bad_workgroups() {
    for bad in ["64,a", "0", "1,2,3,4", "-1", "1.5", "99999999999"] {
        let flag = format!("--workgroups={bad}");
        let run = cresta(["analyze", "relu.wgsl", &flag]);
        assert_unusable(&run, "invalid value");
    }
    let run = cresta(["analyze", "relu.wgsl", "--workgroups=1", "--invocations=64"]);
    assert_unusable(&run, "cannot be used with");
}

#[test]
fn bad_numbers() {
    for flag in ["--set=d.K", "--set=d.K=many", "--registers=0", "--simd=33"] {
        assert_unusable(&cresta(["analyze", "relu.wgsl", flag]), "invalid value");
    }
    let run = cresta(["analyze", "relu.wgsl", "--len=x=1.5"]);
    assert_unusable(&run, "whole number of elements");
    let run = cresta(["analyze", "relu.wgsl", "--set=n=1", "--set=n=2"]);
    assert_unusable(&run, "gives `n` twice");
}

/// `d.k` is not `d.K`: WGSL's names have a case.
#[test]
fn an_unknown_parameter_is_suggested() {
    let run = cresta(["analyze", "matmul_tiled.wgsl", "--set", "d.Kx=1024"]);
    assert_unusable(
        &run,
        "--set d.Kx: no kernel has this name; did you mean `d.K`",
    );
}

#[test]
fn an_unknown_override_is_suggested() {
    let text = b"@id(3) override TILE = 16u;
@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { b[id.x] = TILE; }
";
    let run = analyze("tile.wgsl", text, &["--override", "TIEL=8"]);
    assert_unusable(&run, "did you mean `TILE`");
    for known in ["TILE=8", "@3=8"] {
        let run = analyze("tile.wgsl", text, &["--override", known]);
        assert_eq!(run.code, 0, "{}", run.flat());
    }
}

#[test]
fn an_unknown_array_names_those_that_exist() {
    let run = analyze("copy.wgsl", COPY, &["--len", "input=1024"]);
    assert_unusable(
        &run,
        "--len input: no kernel has this name; known: `a`, `b`",
    );
}

/// A name that one of several files knows is fine.
#[test]
fn a_name_may_belong_to_another_file() {
    let run = cresta([
        "analyze",
        "relu.wgsl",
        "matmul_tiled.wgsl",
        "--set",
        "d.K=1024",
    ]);
    assert_eq!(run.code, 0, "{}", run.flat());
}

const TWO: &[u8] = b"@group(0) @binding(0) var<storage, read_write> b: array<u32>;
@compute @workgroup_size(64)
fn first(@builtin(global_invocation_id) id: vec3u) { b[id.x] = 1u; }
@compute @workgroup_size(32)
fn second(@builtin(global_invocation_id) id: vec3u) { b[id.x] = 2u; }
";

#[test]
fn several_entries_are_all_analysed() {
    let run = analyze("two.wgsl", TWO, &["--format", "json"]);
    let report = run.json();
    assert_eq!(report["kernels"][0]["entry"], "first");
    assert_eq!(report["kernels"][1]["entry"], "second");
    assert_eq!(report["kernels"][1]["workgroup_size"][0], 32);
}

#[test]
fn one_of_several_entries() {
    let run = analyze("two.wgsl", TWO, &["--entry", "second", "--format", "json"]);
    let kernels = run.json()["kernels"].as_array().map(Vec::len);
    assert_eq!(kernels, Some(1));
}

#[test]
fn an_unknown_entry_names_those_that_exist() {
    let run = analyze("two.wgsl", TWO, &["--entry", "third"]);
    assert_unusable(&run, "third");
    assert!(run.flat().contains("second"), "{}", run.flat());
}

#[test]
fn occupancy_wants_one_entry() {
    let folder = folder(&[("two.wgsl", TWO)]);
    let file = path(&folder, "two.wgsl");
    let run = cresta(["occupancy", file.as_str()]);
    assert_unusable(&run, "choose one with --entry: first, second");
    assert_eq!(cresta(["occupancy", &file, "--entry", "second"]).code, 0);
}

/// One file fails, one is analysed: an error finding, not bad usage.
#[test]
fn a_failure_beside_a_success_is_a_finding() {
    let folder = folder(&[("bad.wgsl", b"fn"), ("good.wgsl", COPY)]);
    let run = cresta(["analyze", &folder.path().display().to_string()]);
    assert_eq!(run.code, 1, "{}", run.flat());
    assert!(
        run.flat()
            .contains("1 entry point in 2 files: 1 analysed, 1 file without a module"),
        "{}",
        run.flat()
    );
}

/// A folder's render shaders are passed over, and counted.
#[test]
fn files_of_a_folder_without_kernels_are_passed_over() {
    let render: &[u8] = b"@fragment fn shade() -> @location(0) vec4f { return vec4f(); }\n";
    let folder = folder(&[("a/copy.wgsl", COPY), ("b/render.wgsl", render)]);
    let root = folder.path().display().to_string();
    let run = cresta(["analyze", root.as_str()]);
    assert_eq!(run.code, 0, "{}", run.flat());
    assert!(run.flat().contains("1 file passed over"), "{}", run.flat());
    let report = cresta(["analyze", &root, "--format", "json"]).json();
    assert_eq!(report["skipped"].as_array().map(Vec::len), Some(1));
}

#[test]
fn standard_input() {
    let run = cresta_with_input(["analyze", "-", "--format", "json"], COPY);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.json()["kernels"][0]["file"], "<stdin>");
    assert_unusable(
        &cresta_with_input(["analyze", "-"], b""),
        "the source is empty",
    );
}

/// A report goes to a file without escapes, and a file that cannot be written is named.
#[test]
fn output_files() {
    let folder = folder(&[("copy.wgsl", COPY)]);
    let (input, output) = (path(&folder, "copy.wgsl"), path(&folder, "report.txt"));
    let run = cresta(["analyze", &input, "-o", &output]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.is_empty());
    let written = std::fs::read_to_string(&output).expect("a report");
    assert!(
        written.contains("copy.wgsl") && !written.contains('\u{1b}'),
        "{written}"
    );
    let nowhere = path(&folder, "no/such/folder/report.txt");
    assert_unusable(
        &cresta(["analyze", &input, "-o", &nowhere]),
        "failed to write",
    );
}

/// A value keeps to its parameter's type: a u32 is no negative number, no fraction, and below 2³².
#[test]
fn a_value_of_another_type_is_refused() {
    let text = b"struct D { n: u32 }
override T: u32 = 4u;
@group(0) @binding(0) var<uniform> d: D;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < d.n * T) { b[id.x] = 1.0; }
}
";
    for value in ["-1", "1.5", "1e300"] {
        let run = analyze("p.wgsl", text, &["--set", &format!("d.n={value}")]);
        assert_unusable(
            &run,
            &format!("--set d.n={value}: `d.n` is u32, a whole number from 0 to 4294967295"),
        );
    }
    let run = analyze("p.wgsl", text, &["--override", "T=-1"]);
    assert_unusable(&run, "--override T=-1: `T` is u32");
}
