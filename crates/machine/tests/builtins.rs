//! Properties that every built-in machine has.

use std::collections::BTreeSet;
use std::path::Path;

use cresta_machine::{builtin, builtins, fields, parse, suggest, to_toml};
use cresta_model::machine::Provenance;

#[test]
fn every_file_is_listed_and_named_after_its_id() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let ids: Vec<String> = builtins()
        .map(|machine| format!("{}.toml", machine.id))
        .collect();
    assert_eq!(files, ids.iter().cloned().collect(), "files and ids differ");
    assert_eq!(files.len(), ids.len(), "an id appears twice");
}

#[test]
fn every_value_has_an_origin_and_every_origin_a_value() {
    for machine in builtins() {
        let mut known = BTreeSet::new();
        for field in fields(machine) {
            assert_eq!(
                field.value.is_some(),
                field.provenance.is_some(),
                "{} {}",
                machine.id,
                field.key
            );
            if field.value.is_some() {
                known.insert(field.key.to_owned());
            }
        }
        assert_eq!(
            known,
            machine.origins.keys().cloned().collect(),
            "{}",
            machine.id
        );
    }
}

#[test]
fn every_datasheet_or_assumed_value_names_its_source() {
    for machine in builtins() {
        for field in fields(machine) {
            let Some(provenance) = field.provenance else {
                continue;
            };
            let source = field.source.unwrap_or_default();
            assert!(
                provenance == Provenance::Measured || source.len() >= 10,
                "{} {}",
                machine.id,
                field.key
            );
        }
    }
}

#[test]
fn every_machine_comes_back_from_its_text() {
    for machine in builtins() {
        let text = to_toml(machine);
        assert_eq!(parse(&text, &machine.id).as_ref(), Ok(machine), "{text}");
    }
}

#[test]
fn every_machine_has_what_a_roofline_needs() {
    for machine in builtins() {
        assert!(
            machine.compute.f32_flop_per_second.is_some(),
            "{}",
            machine.id
        );
        assert!(machine.dram.bytes_per_second.is_some(), "{}", machine.id);
        assert!(machine.simd_width.is_some(), "{}", machine.id);
    }
}

#[test]
fn rows_of_two_machines_are_the_same_fields() {
    let keys = |id: &str| -> Vec<&'static str> {
        fields(builtin(id).unwrap())
            .iter()
            .map(|field| field.key)
            .collect()
    };
    assert_eq!(keys("generic-mid"), keys("h200"));
    let unique: BTreeSet<&str> = keys("generic-mid").into_iter().collect();
    assert_eq!(unique.len(), keys("generic-mid").len());
}

#[test]
fn units_agree_with_the_endings_of_keys() {
    for field in fields(builtin("generic-mid").unwrap()) {
        let expected = match field.key {
            key if key.ends_with("flop_per_second") => "FLOP/s",
            key if key.ends_with("bytes_per_second") => "B/s",
            key if key.ends_with("_ops_per_second") || key.starts_with("atomic.") => "op/s",
            key if key.ends_with("_seconds") => "s",
            key if key.ends_with("_hz") => "Hz",
            key if key.ends_with("_per_cycle") => "1/cycle",
            key if key.contains("bytes") => "B",
            _ => "",
        };
        assert_eq!(field.unit, expected, "{}", field.key);
    }
}

#[test]
fn unknown_ids_are_absent() {
    assert!(builtin("generic").is_none());
    assert!(suggest("q").is_empty());
}

#[test]
fn near_names_are_suggested() {
    assert_eq!(suggest("generic-mdi"), ["generic-mid"]);
    assert_eq!(suggest("Generic_Mid"), ["generic-mid"]);
    assert_eq!(suggest("4090"), ["rtx-4090"]);
    assert_eq!(suggest("GeForce RTX 4070"), ["rtx-4070"]);
    assert_eq!(suggest("m1"), ["apple-m1"]);
}

#[test]
fn h200_is_measured_where_it_was() {
    let machine = builtin("h200").unwrap();
    let measured: Vec<(&str, f64)> = fields(machine)
        .into_iter()
        .filter(|field| field.provenance == Some(Provenance::Measured))
        .filter_map(|field| Some((field.key, field.value?.as_f64())))
        .collect();
    assert_eq!(
        measured,
        [
            ("compute.units", 132.0),
            ("compute.clock_hz", 1.95e9),
            ("compute.f32_flop_per_second", 65.8e12),
            ("dram.bytes_per_second", 4.259e12),
            ("l1.lines_per_wavefront", 4.0),
            ("launch.overhead_seconds", 4.2e-6),
        ]
    );
}

#[test]
fn only_the_h200_is_measured() {
    for machine in builtins().filter(|machine| machine.id != "h200") {
        for field in fields(machine) {
            assert_ne!(
                field.provenance,
                Some(Provenance::Measured),
                "{} {}",
                machine.id,
                field.key
            );
        }
    }
}

#[test]
fn f32_peaks_are_lanes_times_clock() {
    // FLOP a unit and cycle: twice the f32 lanes of a unit (multiply-add), which each vendor states.
    let expected = [
        ("rtx-2060", 128.0), // 64 lanes
        ("rtx-3070", 256.0), // 128 lanes
        ("rtx-3090", 256.0),
        ("rtx-4070", 256.0),
        ("rtx-4090", 256.0),
        ("a100", 128.0), // 64 lanes
        ("h100", 256.0),
        ("h200", 256.0),
        ("rx-6800-xt", 128.0),  // two SIMDs of 32 lanes
        ("rx-7900-xtx", 256.0), // the same, dual issue
        ("mi300x", 256.0),
        ("arc-a770", 256.0), // 16 engines of 8 lanes
        ("apple-m1", 256.0), // 128 lanes
        ("apple-m2-max", 256.0),
        ("adreno-740", 512.0), // 1,536 lanes in 6 processors
        ("mali-g78", 64.0),
    ];
    for (id, flop_per_unit_per_cycle) in expected {
        let compute = &builtin(id).unwrap().compute;
        let cycles = f64::from(compute.units.unwrap()) * compute.clock_hz.unwrap();
        let ratio = compute.f32_flop_per_second.unwrap() / cycles / flop_per_unit_per_cycle;
        // Peaks are given to three or four digits.
        assert!((ratio - 1.0).abs() < 3e-3, "{id}: {ratio}");
    }
    let specific = builtins().filter(|machine| !machine.id.starts_with("generic-"));
    assert_eq!(specific.count(), expected.len());
}

#[test]
fn slots_agree_with_one_another() {
    for machine in builtins() {
        let slots = &machine.slots;
        if let (Some(invocations), Some(groups)) =
            (slots.invocations_per_unit, slots.simd_groups_per_unit)
        {
            assert_eq!(
                Some(invocations / groups),
                machine.simd_width,
                "{}",
                machine.id
            );
        }
    }
}

#[test]
fn sectors_are_parts_of_lines() {
    for machine in builtins() {
        if let (Some(sector), Some(line)) = (machine.l2.sector_bytes, machine.l1.line_bytes) {
            assert_eq!(line % sector, 0, "{}", machine.id);
        }
    }
}

#[test]
fn every_source_of_a_file_is_cited() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    for machine in builtins() {
        let text = std::fs::read_to_string(folder.join(format!("{}.toml", machine.id))).unwrap();
        let (_, sources) = text.split_once("[sources]\n").unwrap();
        let (sources, _) = sources.split_once("\n\n").unwrap();
        for line in sources.lines() {
            let (key, _) = line.split_once(" = ").unwrap();
            assert!(
                text.contains(&format!("source = \"{key}\"")),
                "{} {key}",
                machine.id
            );
        }
    }
}
