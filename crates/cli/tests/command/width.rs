//! Text fits in 80 columns. What cannot be broken may be longer: a token alone on its line, a line of
//! the person's source, and the labels beneath it.

use cresta_kernels::{KernelCase, LaunchCase, Scalar, Size};

use crate::support::cresta;

const WIDTH: usize = 80;

fn assert_fits<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) {
    let run = cresta(arguments);
    assert!(run.stderr.is_empty(), "{}", run.stderr);
    for line in run.stdout.lines() {
        assert!(
            line.chars().count() <= WIDTH || is_unbreakable(line),
            "too wide: {line}"
        );
    }
}

fn is_unbreakable(line: &str) -> bool {
    let text = line.trim_start();
    let excerpt = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.split_whitespace().count() == 1 || excerpt.trim_start().starts_with('|')
}

/// Every kernel of the folders, with its launch unknown.
#[test]
fn analyses_fit() {
    for folder in [".", "../../../corpus/shaders"] {
        assert_fits(["analyze", folder]);
        assert_fits(["analyze", folder, "--verbose"]);
    }
}

#[test]
fn analyses_of_launches_fit() {
    for case in cresta_kernels::all() {
        let launch = case.launch(Size::Large).expect("every kernel has one");
        assert_fits(flags(case, &launch));
    }
}

fn flags(case: &KernelCase, launch: &LaunchCase) -> Vec<String> {
    let [x, y, z] = launch.workgroups;
    let mut flags = vec![
        "analyze".to_owned(),
        case.file_name.to_owned(),
        format!("--workgroups={x},{y},{z}"),
        "--verbose".to_owned(),
    ];
    // Values that only data depend on are no parameters of an analysis.
    let whole = |value: &Scalar| matches!(value, Scalar::U32(_));
    let params = launch.params.iter().filter(|(_, value)| whole(value));
    flags.extend(params.map(|(name, value)| format!("--set={name}={}", value.to_f64())));
    flags
}

#[test]
fn machines_fit() {
    let names: Vec<&str> = cresta_machine::builtins()
        .map(|of| of.id.as_str())
        .collect();
    assert_fits(["machines", "list"]);
    for name in &names {
        assert_fits(["machines", "show", name]);
    }
    assert_fits(["machines", "compare"].iter().chain(&names));
}

#[test]
fn explanations_fit() {
    assert_fits(["explain"]);
    for rule in cresta_rules::REGISTRY {
        assert_fits(["explain", rule.code]);
    }
}

#[test]
fn occupancy_fits() {
    let group = ["--workgroup-size=16,16", "--workgroup-memory=1296"];
    for name in cresta_machine::builtins().map(|of| of.id.as_str()) {
        let unit = ["--registers=40", "--latency-cycles=400", "--machine", name];
        assert_fits(["occupancy"].iter().chain(&group).chain(&unit));
    }
}
