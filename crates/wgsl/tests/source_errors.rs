//! What errors say, and modules that hold no kernel.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

use cresta_wgsl::source::{SourceError, SourceFile, parse};

fn error(text: &str) -> SourceError {
    parse(&SourceFile::new("f", text)).unwrap_err()
}

#[test]
fn parse_errors_carry_labels_and_notes() {
    let text = "@compute @workgroup_size(1) fn main() { let x = cross(vec2(0.0), vec2(1.0)); }";
    let SourceError::Parse(problem) = error(text) else {
        panic!("expected a parse error");
    };
    assert!(problem.message.contains("cross"), "{}", problem.message);
    let labelled: Vec<_> = problem
        .labels
        .iter()
        .map(|label| &text[label.span.clone()])
        .collect();
    assert_eq!(labelled, ["cross", "vec2(0.0)"]);
    assert!(
        problem.notes.iter().any(|note| note.contains("vec3<f32>")),
        "{:?}",
        problem.notes
    );
}

#[test]
fn a_redefinition_labels_both_places() {
    let text = "const a = 1;\nconst a = 2;\n@compute @workgroup_size(1) fn main() {}";
    let SourceError::Parse(problem) = error(text) else {
        panic!("expected a parse error");
    };
    let starts: Vec<usize> = problem
        .labels
        .iter()
        .map(|label| label.span.start)
        .collect();
    assert!(
        starts.contains(&6) && starts.contains(&19),
        "{:?}",
        problem.labels
    );
}

#[test]
fn validation_errors_carry_their_chain_of_causes() {
    let text = "@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
          if i { workgroupBarrier(); }
        }";
    let SourceError::Validate(problem) = error(text) else {
        panic!("expected a validation error: {}", error(text));
    };
    assert!(problem.message.contains("main"), "{problem}");
    assert!(!problem.causes.is_empty(), "{problem}");
    // The display form is the whole chain, for a line of text.
    assert!(
        problem
            .to_string()
            .ends_with(problem.causes.last().unwrap())
    );
    assert!(
        problem
            .labels
            .iter()
            .all(|label| label.span.end <= text.len())
    );
    assert!(!problem.labels.is_empty(), "{problem:?}");
}

#[test]
fn without_a_kernel_the_entry_points_are_listed() {
    let shaders = "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(); }
        @fragment fn fs() {}";
    let text = error(shaders).to_string();
    assert!(text.contains("no `@compute` entry point"), "{text}");
    assert!(
        text.contains("found `vs` (vertex), `fs` (fragment)"),
        "{text}"
    );
    let SourceError::NoComputeEntry { found } = error("fn helper() {}") else {
        panic!("expected no entry");
    };
    assert!(found.is_empty());
    assert!(
        error("fn helper() {}")
            .to_string()
            .contains("no entry points at all")
    );
}

#[test]
fn kernels_beside_other_stages_are_fine() {
    let text = "@fragment fn fs() {} @compute @workgroup_size(2, 3) fn a() {} @compute @workgroup_size(1) fn b() {}";
    assert_eq!(
        parse(&SourceFile::new("f", text))
            .unwrap()
            .module
            .entry_points
            .len(),
        3
    );
}
