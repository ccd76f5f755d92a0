//! The barrier rule over the corpus of kernels in `tests/uniformity`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cresta_ir::{Kernel, NonUniformBarrier, non_uniform_barriers};
use cresta_wgsl::lower::{Limits, lower};
use cresta_wgsl::source::{SourceFile, parse};

/// Kernels that the specification rejects and the analysis does not, and why.
const LAXER: [(&str, &str); 3] = [
    (
        "vector_component",
        "a vector of function scope is one register per component",
    ),
    (
        "private_variable",
        "private variables are followed like locals",
    ),
    (
        "workgroup_uniform_load_unused",
        "a load that nothing uses is not in the kernel",
    ),
];

fn compile(source: &str) -> Kernel {
    let parsed = parse(&SourceFile::new("test.wgsl", source));
    let parsed = parsed.unwrap_or_else(|error| {
        panic!(
            "{error}
{source}"
        )
    });
    let overrides = BTreeMap::new();
    let lowered = lower(
        &parsed.module,
        &parsed.info,
        "main",
        &overrides,
        Limits::default(),
    );
    lowered
        .unwrap_or_else(|error| {
            panic!(
                "{error}
{source}"
            )
        })
        .kernel
}

/// Sources of a folder of the corpus by name.
fn corpus(folder: &str) -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uniformity");
    let files = fs::read_dir(path.join(folder)).expect("the folder is part of the repository");
    let files = files.map(|file| file.expect("a file of the folder").path());
    files
        .map(|file| {
            let name = file.file_stem().expect("a named file").to_string_lossy();
            let text = fs::read_to_string(&file).expect("a text file");
            (name.into_owned(), text)
        })
        .collect()
}

fn judge(source: &str) -> Vec<NonUniformBarrier> {
    non_uniform_barriers(&compile(source))
}

#[test]
fn accepted_kernels_give_no_alarm() {
    let corpus = corpus("uniform");
    assert!(corpus.len() >= 25);
    for (name, source) in corpus {
        assert_eq!(judge(&source), [], "{name}");
    }
}

#[test]
fn rejected_kernels_give_an_alarm() {
    let corpus = corpus("non_uniform");
    assert!(corpus.len() >= 25);
    for (name, source) in corpus {
        let laxer = LAXER.iter().any(|(laxer, _)| *laxer == name);
        assert_eq!(judge(&source).is_empty(), laxer, "{name}");
    }
}

/// The text of a barrier and of its cause.
fn texts(source: &str) -> Vec<(&str, &str)> {
    let kernel = compile(source);
    let text = |span| {
        let span = kernel.span(span);
        &source[span.start as usize..span.end as usize]
    };
    let found = non_uniform_barriers(&kernel);
    let texts = found
        .iter()
        .map(|found| (text(found.barrier), text(found.cause)));
    texts.collect()
}

#[test]
fn findings_point_at_the_barrier_and_at_the_branch() {
    let source = "
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) lane: u32) {
          if (lane < 3u) { workgroupBarrier(); }
          loop { if (lane == 9u) { break; } storageBarrier(); }
        }";
    let found = texts(source);
    assert_eq!(found.len(), 2);
    assert!(found[0].0.starts_with("workgroupBarrier"), "{found:?}");
    assert!(found[0].1.starts_with("if (lane < 3u)"), "{found:?}");
    assert!(found[1].0.starts_with("storageBarrier"), "{found:?}");
    assert!(found[1].1.starts_with("if (lane == 9u)"), "{found:?}");
}

#[test]
fn a_uniform_load_is_found_once() {
    let source = "
        var<workgroup> flag: u32;
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) lane: u32) {
          if (lane < 3u) { if (workgroupUniformLoad(&flag) == 1u) { flag = 2u; } }
        }";
    let found = texts(source);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0.starts_with("workgroupUniformLoad"), "{found:?}");
}
