//! Every fault of a machine file: what is said, where, and the way out.

use cresta_machine::{Problem, parse};
use cresta_model::machine::Provenance;

const HEAD: &str = "schema = \"cresta-machine/1\"\nid = \"x\"\nname = \"X\"\n";

/// The text of the error of a file that starts with `HEAD` (three lines).
fn fault(rest: &str) -> String {
    match parse(&format!("{HEAD}{rest}"), "x.toml") {
        Ok(machine) => format!("no fault: {machine:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn unknown_key_names_the_nearest() {
    assert_eq!(
        fault("[dram]\nbytes_per_secnd = 1e9\n"),
        "x.toml:5:1: unknown key `dram.bytes_per_secnd`; did you mean `dram.bytes_per_second`?"
    );
    assert_eq!(
        fault("[drma]\nbytes_per_second = 1e9\n"),
        "x.toml:4:2: unknown key `drma`; did you mean `dram`?"
    );
}

#[test]
fn unknown_key_names_the_table_it_belongs_to() {
    assert_eq!(
        fault("[dram]\nclock_hz = 1e9\n"),
        "x.toml:5:1: unknown key `dram.clock_hz`; did you mean `compute.clock_hz`?"
    );
    assert_eq!(
        fault("clock_hz = 1e9\n"),
        "x.toml:4:1: unknown key `clock_hz`; did you mean `compute.clock_hz`?"
    );
}

#[test]
fn unknown_key_like_none_lists_the_possible_ones() {
    assert_eq!(
        fault("[launch]\nfoo = 1\n"),
        "x.toml:5:1: unknown key `launch.foo`; possible here: overhead_seconds"
    );
}

#[test]
fn unknown_key_in_a_field_or_in_the_defaults() {
    assert_eq!(
        fault("[dram]\nbytes_per_second = { value = 1e9, sorce = \"ds\" }\n"),
        "x.toml:5:35: unknown key `dram.bytes_per_second.sorce`; did you mean `dram.bytes_per_second.source`?"
    );
    assert_eq!(
        fault("[defaults]\nprovenence = \"assumed\"\n"),
        "x.toml:5:1: unknown key `defaults.provenence`; did you mean `defaults.provenance`?"
    );
}

#[test]
fn values_are_finite_and_above_zero() {
    for written in ["0", "-1", "0.0", "-5e9", "inf", "-inf", "nan", "1e999"] {
        for (key, table) in [("bytes_per_second", "dram"), ("units", "compute")] {
            let text = fault(&format!("[{table}]\n{key} = {written}\n"));
            assert!(text.starts_with("x.toml:5:"), "{text}");
        }
    }
    assert_eq!(
        fault("[dram]\nbytes_per_second = -5e9\n"),
        "x.toml:5:20: `dram.bytes_per_second` must be finite and above zero, not -5e9; \
         leave the key out when the value is unknown"
    );
}

#[test]
fn wrong_types() {
    assert_eq!(
        fault("[dram]\nbytes_per_second = \"400 GB/s\"\n"),
        "x.toml:5:20: `dram.bytes_per_second` must be a number, not a string; \
         write a bare number in the SI unit that the key ends in, such as `504e9`"
    );
    assert_eq!(
        fault("simd_width = 32.5\n"),
        "x.toml:4:14: `simd_width` must be a whole number, not a real number; \
         write a bare number in the SI unit that the key ends in, such as `504e9`"
    );
    assert_eq!(
        fault("dram = 400e9\n"),
        "x.toml:4:8: `dram` must be a table, not a real number; write `[dram]` and its keys below"
    );
    assert_eq!(
        fault("[defaults]\nprovenance = true\n"),
        "x.toml:5:14: `defaults.provenance` must be a string, not a boolean; \
         put the value of `defaults.provenance` in quotes"
    );
}

#[test]
fn too_large_for_the_field() {
    // 2³² does not fit in 32 bits; simd_width is a count of lanes.
    assert_eq!(
        fault("simd_width = 4294967296\n"),
        "x.toml:4:14: `simd_width` is at most 4294967295, not 4294967296; \
         check the unit that the key ends in"
    );
}

/// Subgroup sizes are powers of two up to 128.
#[test]
fn a_simd_width_is_one_that_gpus_have() {
    for width in [3, 33, 256] {
        assert_eq!(
            fault(&format!("simd_width = {width}\n")),
            format!(
                "x.toml:4:14: `simd_width` must be a power of two from 1 to 128, not {width}; \
                 lanes of one subgroup: 32 on NVIDIA, 32 or 64 on AMD, 8 to 32 on Intel"
            )
        );
    }
    for width in [1, 64, 128] {
        let text = format!("{HEAD}simd_width = {width}\n");
        assert!(parse(&text, "x.toml").is_ok(), "{width}");
    }
}

#[test]
fn a_machine_has_fields() {
    assert_eq!(
        fault(""),
        "x.toml:1:1: the machine has no fields; \
         give at least simd_width, compute.f32_flop_per_second, dram.bytes_per_second"
    );
}

#[test]
fn head_is_required() {
    let without = |key: &str| {
        let text: String = HEAD
            .split_inclusive('\n')
            .filter(|line| !line.starts_with(key))
            .collect();
        parse(&text, "x.toml").unwrap_err().to_string()
    };
    assert_eq!(
        without("schema"),
        "x.toml:1:1: `schema` is missing or empty; \
         write `schema = \"cresta-machine/1\"` at the top of the file"
    );
    assert_eq!(
        without("id"),
        "x.toml:1:1: `id` is missing or empty; write `id = \"…\"` at the top of the file"
    );
    assert_eq!(
        without("name"),
        "x.toml:1:1: `name` is missing or empty; write `name = \"…\"` at the top of the file"
    );
    let empty = parse(&HEAD.replace("\"X\"", "\" \""), "x.toml").unwrap_err();
    assert_eq!((empty.line, empty.column), (3, 8));
}

#[test]
fn unknown_schema() {
    assert_eq!(
        parse(&HEAD.replace("/1", "/2"), "x.toml")
            .unwrap_err()
            .to_string(),
        "x.toml:1:10: unknown schema `cresta-machine/2`; write `schema = \"cresta-machine/1\"`"
    );
}

#[test]
fn unknown_provenance() {
    assert_eq!(
        fault("[defaults]\nprovenance = \"measurd\"\n"),
        "x.toml:5:14: unknown provenance `measurd`; did you mean `measured`?"
    );
    assert_eq!(
        fault("simd_width = { value = 32, provenance = \"folklore\" }\n"),
        "x.toml:4:41: unknown provenance `folklore`; write `measured`, `datasheet` or `assumed`"
    );
}

#[test]
fn unknown_source() {
    assert_eq!(
        fault(
            "simd_width = { value = 32, source = \"whitepapr\" }\n[sources]\nwhitepaper = \"t\"\n"
        ),
        "x.toml:4:37: source `whitepapr` is not in `sources`; did you mean `whitepaper`?"
    );
    assert_eq!(
        fault("simd_width = { value = 32, source = \"ds\" }\n"),
        "x.toml:4:37: source `ds` is not in `sources`; \
         add `ds = \"document, table, year\"` under `[sources]`"
    );
}

#[test]
fn datasheet_needs_a_source() {
    let expected = "`simd_width` is from a datasheet but names no source; \
                    add `source` with a key of `[sources]`, or write `provenance = \"assumed\"`";
    assert_eq!(
        fault("simd_width = { value = 32, provenance = \"datasheet\" }\n"),
        format!("x.toml:4:14: {expected}")
    );
    // A plain value under such defaults is at fault just so.
    assert_eq!(
        fault("simd_width = 32\n[defaults]\nprovenance = \"datasheet\"\n"),
        format!("x.toml:4:14: {expected}")
    );
}

#[test]
fn table_without_value() {
    assert_eq!(
        fault("simd_width = { provenance = \"assumed\" }\n"),
        "x.toml:4:14: `simd_width` has no `value`; \
         write `simd_width = { value = …, provenance = \"…\", source = \"…\" }`"
    );
}

#[test]
fn not_toml() {
    let error = parse(&format!("{HEAD}[dram\n"), "x.toml").unwrap_err();
    assert_eq!(error.line, 4);
    assert!(matches!(*error.problem, Problem::Syntax { .. }));
}

#[test]
fn duplicate_key_is_a_fault() {
    let error = parse(
        &format!("{HEAD}simd_width = 32\nsimd_width = 64\n"),
        "x.toml",
    )
    .unwrap_err();
    assert_eq!(error.line, 5);
}

#[test]
fn columns_count_characters() {
    // `é` is two bytes and one column.
    assert_eq!(
        fault("sources = { \"é\" = 1 }\n"),
        "x.toml:4:19: `sources.é` must be a string, not an integer; \
         put the value of `sources.é` in quotes"
    );
}

#[test]
fn origin_of_a_field_is_its_own_before_the_default() {
    let text = format!(
        "{HEAD}simd_width = 32\n[sources]\na = \"book A\"\nb = \"book B\"\n\
         [defaults]\nprovenance = \"datasheet\"\nsource = \"a\"\n[compute]\n\
         units = {{ value = 4, source = \"b\" }}\nclock_hz = {{ value = 1e9, provenance = \"measured\" }}\n"
    );
    let machine = parse(&text, "x.toml").unwrap();
    let origin = |key: &str| {
        let origin = &machine.origins[key];
        (origin.provenance, origin.source.as_deref())
    };
    assert_eq!(
        origin("simd_width"),
        (Provenance::Datasheet, Some("book A"))
    );
    assert_eq!(
        origin("compute.units"),
        (Provenance::Datasheet, Some("book B"))
    );
    // The default source vouches for the default provenance only.
    assert_eq!(origin("compute.clock_hz"), (Provenance::Measured, None));
}

#[test]
fn value_without_provenance_is_assumed() {
    let machine = parse(&format!("{HEAD}simd_width = 32\n"), "x.toml").unwrap();
    let origin = &machine.origins["simd_width"];
    assert_eq!(
        (origin.provenance, &origin.source),
        (Provenance::Assumed, &None)
    );
}

#[test]
fn numbers_may_be_written_either_way() {
    // A rate as an integer; a size with an exponent; hexadecimal.
    let machine = parse(
        &format!("{HEAD}simd_width = 0x20\n[dram]\nbytes_per_second = 400\nsize_bytes = 80e9\n"),
        "x.toml",
    )
    .unwrap();
    assert_eq!(machine.simd_width, Some(32));
    assert_eq!(machine.dram.bytes_per_second, Some(400.0));
    assert_eq!(machine.dram.size_bytes, Some(80_000_000_000));
}
