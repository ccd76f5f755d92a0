//! `cresta machines` and faulty machine files.

use crate::support::{cresta, folder, path};

const HEAD: &str = "schema = \"cresta-machine/1\"\nid = \"mine\"\nname = \"Mine\"\n\
                    [defaults]\nprovenance = \"assumed\"\n";

fn file_with(text: &str) -> tempfile::TempDir {
    folder(&[("mine.toml", format!("{HEAD}{text}").as_bytes())])
}

#[test]
fn the_list_names_every_built_in_machine() {
    let run = cresta(["machines"]);
    assert_eq!(run.code, 0);
    for name in ["generic-mid", "h100", "rtx-4090", "apple-m1"] {
        assert!(run.stdout.contains(name), "no {name}: {}", run.stdout);
    }
}

/// Each value is shown with how it is known; an absent one is unknown, not zero.
#[test]
fn show_tells_provenance() {
    let run = cresta(["machines", "show", "generic-mid"]);
    assert_eq!(run.code, 0);
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn compare_puts_machines_side_by_side() {
    let run = cresta(["machines", "compare", "generic-mid", "h100"]);
    assert_eq!(run.code, 0);
    let row = run
        .stdout
        .lines()
        .find(|line| line.contains("dram.bytes_per_second"));
    let row = row.unwrap_or_default();
    assert!(
        row.contains("400 GB/s") && row.contains("3.35 TB/s"),
        "{row}"
    );
}

#[test]
fn json_carries_the_fields() {
    let run = cresta(["machines", "show", "generic-mid", "--format", "json"]);
    let report = run.json();
    assert_eq!(report["schema"], "cresta-machines/1");
    let field = &report["machines"][0]["fields"]["dram.bytes_per_second"];
    assert_eq!(field["value"], 400e9);
}

#[test]
fn a_file_is_a_machine() {
    let folder = file_with("[dram]\nbytes_per_second = 100e9\n");
    let run = cresta(["machines", "validate", &path(&folder, "mine.toml")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.flat().contains("Mine (mine) is valid; 1 of"),
        "{}",
        run.stdout
    );
}

/// A negative bandwidth is refused with its place.
#[test]
fn negative_values_are_refused() {
    let folder = file_with("[dram]\nbytes_per_second = -1\n");
    let run = cresta(["machines", "validate", &path(&folder, "mine.toml")]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("mine.toml:7:"), "{}", run.stderr);
    assert!(
        run.flat().contains("finite and above zero"),
        "{}",
        run.stderr
    );
}

#[test]
fn missing_fields_are_refused() {
    let folder = folder(&[("m.toml", b"schema = \"cresta-machine/1\"\nname = \"M\"\n")]);
    let run = cresta(["machines", "validate", &path(&folder, "m.toml")]);
    assert_eq!(run.code, 2);
    assert!(run.flat().contains("`id` is missing"), "{}", run.stderr);
}

#[test]
fn a_misspelt_key_is_suggested() {
    let folder = file_with("[dram]\nbyte_per_second = 1e9\n");
    let run = cresta([
        "analyze",
        "relu.wgsl",
        "--machine",
        &path(&folder, "mine.toml"),
    ]);
    assert_eq!(run.code, 2);
    assert!(
        run.flat().contains("did you mean `dram.bytes_per_second`"),
        "{}",
        run.stderr
    );
}

#[test]
fn unknown_machines_are_suggested() {
    let run = cresta(["analyze", "relu.wgsl", "--machine", "rtx4090"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("did you mean `rtx-4090`?"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_missing_machine_file_is_named() {
    let run = cresta(["analyze", "relu.wgsl", "--machine", "nowhere/gpu.toml"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("failed to read nowhere/gpu.toml"),
        "{}",
        run.stderr
    );
}
