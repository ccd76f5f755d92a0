//! Arrows between crates only go down: ARCHITECTURE.md's table against `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// What each crate may use directly; what those may use, it may use too.
const LAYERS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("kernels", &[]),
    ("machine", &["model"]),
    ("ir", &["model"]),
    ("wgsl", &["ir"]),
    ("symbolic", &["ir", "model"]),
    ("analysis", &["model", "machine", "ir", "wgsl", "symbolic"]),
    ("rules", &["analysis"]),
    ("report", &["analysis", "rules"]),
    ("cli", &["report", "kernels"]),
];

/// The only crate that may name naga's IR.
const NAGA: (&str, &str) = ("wgsl", "naga");

/// Folder of the crate within `crates/` and the names of its non-development dependencies.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--format-version",
            "1",
            "--offline",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "cargo metadata failed");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("valid JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages.iter().map(crate_and_dependencies).collect()
}

fn crate_and_dependencies(package: &Value) -> (String, BTreeSet<String>) {
    let manifest = package["manifest_path"].as_str().expect("a path");
    let folder = manifest
        .rsplit(['/', '\\'])
        .nth(1)
        .expect("a manifest lies in a folder");
    let dependencies = package["dependencies"].as_array().expect("a list");
    let names = dependencies
        .iter()
        // Tests may look further down, and across.
        .filter(|dependency| dependency["kind"] != "dev")
        .map(|dependency| dependency["name"].as_str().expect("a name").to_owned());
    (folder.to_owned(), names.collect())
}

/// Everything that `of` may use, by folder.
fn allowed(of: &str) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    let mut open = vec![of.to_owned()];
    while let Some(name) = open.pop() {
        let row = LAYERS.iter().find(|(layer, _)| *layer == name);
        let (_, below) = row.unwrap_or_else(|| panic!("{name} is not in the table of layers"));
        for &lower in *below {
            if all.insert(lower) {
                open.push(lower.to_owned());
            }
        }
    }
    all
}

#[test]
fn arrows_only_go_down() {
    for (folder, dependencies) in dependencies() {
        let allowed = allowed(&folder);
        for dependency in &dependencies {
            if let Some(lower) = dependency.strip_prefix("cresta-") {
                assert!(
                    allowed.contains(lower),
                    "{folder} uses {lower}, which its layer may not: see ARCHITECTURE.md"
                );
            }
        }
    }
}

/// Folder name = crate name without the prefix; the command alone is called `cresta`.
#[test]
fn every_crate_has_a_layer() {
    let found = dependencies();
    let layers: BTreeSet<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    let folders: BTreeSet<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(folders, layers, "the table of layers and crates/ differ");
}

#[test]
fn one_crate_names_naga() {
    let (owner, naga) = NAGA;
    for (folder, dependencies) in dependencies() {
        assert_eq!(
            dependencies.contains(naga),
            folder == owner,
            "{folder} and {naga}"
        );
    }
}
