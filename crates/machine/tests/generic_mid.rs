//! The machine `generic-mid`, whose figures other crates' tests are derived from.

use cresta_machine::{builtin, fields, parse, to_toml};

#[test]
fn holds_exactly_the_stated_figures() {
    let machine = builtin("generic-mid").unwrap();
    let known: Vec<(&str, f64)> = fields(machine)
        .into_iter()
        .filter_map(|field| Some((field.key, field.value?.as_f64())))
        .collect();
    assert_eq!(
        known,
        [
            ("simd_width", 32.0),
            ("compute.f32_flop_per_second", 10e12),
            ("dram.bytes_per_second", 400e9),
            ("l2.sector_bytes", 128.0),
            ("l1.line_bytes", 128.0),
            ("shared.bytes_per_unit", 65536.0),
            ("shared.banks", 32.0),
            ("shared.bank_bytes", 4.0),
            ("shared.granularity_bytes", 1.0),
            ("registers.per_unit", 65536.0),
            ("registers.granularity", 1.0),
            ("slots.invocations_per_unit", 2048.0),
        ]
    );
}

#[test]
fn ridge_is_25_flop_per_byte() {
    // 10 TFLOP/s over 400 GB/s.
    let machine = builtin("generic-mid").unwrap();
    let ridge =
        machine.compute.f32_flop_per_second.unwrap() / machine.dram.bytes_per_second.unwrap();
    assert!((ridge - 25.0).abs() < 1e-12);
}

#[test]
fn is_written_with_plain_values_under_defaults() {
    let text = to_toml(builtin("generic-mid").unwrap());
    assert!(
        text.contains("\n[dram]\nbytes_per_second = 4e11\n"),
        "{text}"
    );
    assert!(
        text.contains("\n[defaults]\nprovenance = \"assumed\"\nsource = \"s1\"\n"),
        "{text}"
    );
    assert_eq!(
        parse(&text, "written").unwrap(),
        *builtin("generic-mid").unwrap()
    );
}
