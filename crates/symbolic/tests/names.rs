//! Names of what depends on data.

use std::collections::BTreeMap;

use cresta_symbolic::walk::{Options, walk};
use cresta_wgsl::source::{SourceFile, parse};

const SOURCE: &str = "
@group(0) @binding(0) var<storage, read_write> a: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = 0u; i < a[id.x]; i++) { a[i] = i; }
  for (var i = 0u; i < a[id.x + 1u]; i++) { a[i] = 2u * i; }
  if (a[id.x] > 3u) { a[0] = 1u; }
}";

fn names(position: &dyn Fn(u32) -> (u32, u32)) -> Vec<String> {
    let file = SourceFile::new("names.wgsl", SOURCE);
    let parsed = parse(&file).expect("the kernel is valid");
    let limits = cresta_wgsl::Limits::default();
    let (module, info) = (&parsed.module, &parsed.info);
    let lowered = cresta_wgsl::lower(module, info, "main", &BTreeMap::new(), limits);
    let kernel = lowered.expect("the kernel lowers").kernel;
    let options = Options {
        simd_width: 32,
        position,
    };
    let named = walk(&kernel, &options).named;
    named.into_iter().map(|named| named.name).collect()
}

#[test]
fn loops_and_branches_are_named_by_their_place() {
    let file = SourceFile::new("names.wgsl", SOURCE);
    let position = |byte: u32| {
        let (line, column) = file.line_column(byte as usize);
        (line, column)
    };
    assert_eq!(names(&position), ["trips@5:3", "trips@6:3", "taken@7:3"]);
}

#[test]
fn without_lines_they_are_numbered() {
    // SPIR-V has none, and two loops are two unknowns
    assert_eq!(names(&|_| (0, 0)), ["trips@1", "trips@2", "taken@3"]);
}
