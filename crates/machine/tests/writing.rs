//! Machines that no built-in file looks like: mixed origins, odd text, one field, none.

use std::collections::BTreeMap;

use cresta_machine::{parse, to_toml};
use cresta_model::machine::{FieldOrigin, Machine, Provenance};

fn comes_back(machine: &Machine) {
    let text = to_toml(machine);
    assert_eq!(parse(&text, "written").as_ref(), Ok(machine), "{text}");
}

/// A machine of which nothing is known can be written, and is refused when it is read.
#[test]
fn a_machine_of_which_nothing_is_known() {
    let machine = Machine {
        id: "x".to_owned(),
        name: "X".to_owned(),
        ..Machine::default()
    };
    let fault = parse(&to_toml(&machine), "written").map_err(|error| error.to_string());
    assert!(fault.is_err_and(|text| text.contains("no fields")));
}

#[test]
fn quotes_controls_and_other_scripts_in_texts() {
    let mut machine = Machine {
        id: "x".to_owned(),
        name: "a \"quoted\" \\ name é".to_owned(),
        simd_width: Some(32),
        ..Machine::default()
    };
    let origin = FieldOrigin {
        provenance: Provenance::Datasheet,
        source: Some("line one\nline\ttwo \u{7f}".to_owned()),
    };
    machine.origins.insert("simd_width".to_owned(), origin);
    comes_back(&machine);
}

#[test]
fn one_field_without_a_source_among_others_with_one() {
    // The common origin becomes the default; its source must not leak into the third field.
    let mut machine = Machine {
        id: "x".to_owned(),
        name: "X".to_owned(),
        ..Machine::default()
    };
    machine.dram.bytes_per_second = Some(4.0e11 / 3.0);
    machine.dram.latency_seconds = Some(600e-9);
    machine.launch.overhead_seconds = Some(4.2e-6);
    let probe = FieldOrigin {
        provenance: Provenance::Measured,
        source: Some("copy probe".to_owned()),
    };
    let bare = FieldOrigin {
        provenance: Provenance::Measured,
        source: None,
    };
    machine.origins = BTreeMap::from([
        ("dram.bytes_per_second".to_owned(), probe.clone()),
        ("dram.latency_seconds".to_owned(), probe),
        ("launch.overhead_seconds".to_owned(), bare),
    ]);
    comes_back(&machine);
}

#[test]
fn plain_values_and_an_inline_table_of_sources() {
    let machine = parse(
        r#"
schema = "cresta-machine/1"
id = "example"
name = "Example 4070"
simd_width = 32
sources = { ds = "vendor datasheet, title and year" }
[compute]
units = { value = 46, provenance = "datasheet", source = "ds" }
issue_per_unit_per_cycle = 4
[dram]
latency_seconds = 600e-9
"#,
        "example.toml",
    )
    .unwrap();
    assert_eq!(machine.compute.units, Some(46));
    assert_eq!(machine.compute.issue_per_unit_per_cycle, Some(4.0));
    let units = &machine.origins["compute.units"];
    assert_eq!(units.provenance, Provenance::Datasheet);
    assert_eq!(
        units.source.as_deref(),
        Some("vendor datasheet, title and year")
    );
    comes_back(&machine);
}
