//! Holes of structures.

use cresta_analysis::{AccessFacts, Facts, LayoutFacts, MemberFacts, Operation, Uniformity};
use cresta_model::transactions::Pattern;
use cresta_rules::Severity;

use crate::fixture::{
    access, at, checked, close, diagnostics, lever, only, shaped, silent, vector_add,
};

const CODE: &str = "layout/struct-padding";

fn layout(members: &[(&str, u32, u32)], size: u32) -> LayoutFacts {
    let used: u32 = members.iter().map(|member| member.2).sum();
    LayoutFacts {
        name: "Particle".to_owned(),
        size_bytes: size,
        padding_bytes: size - used,
        padding_fraction: f64::from(size - used) / f64::from(size),
        members: (members.iter())
            .map(|&(name, offset, size)| MemberFacts {
                name: name.to_owned(),
                offset,
                size,
            })
            .collect(),
        location: Some(at(3)),
        buffers: vec!["ps".to_owned()],
    }
}

/// A member of 12 bytes of each element of 32 bytes: 32 × 32 B are 8 lines, of which 3 would do.
fn load(stride: i64) -> AccessFacts {
    let mut load = access("ps", 20, Operation::Load);
    load.member = Some("position".to_owned());
    load.bytes_per_lane = Some(12);
    shaped(load, Pattern::Contiguous, Some(stride), (8.0, 8.0))
}

fn facts(layout: LayoutFacts, load: AccessFacts) -> Facts {
    Facts {
        layouts: vec![layout],
        accesses: vec![load],
        ..vector_add()
    }
}

#[test]
fn two_vectors_leave_a_quarter() {
    let two = layout(&[("position", 0, 12), ("velocity", 16, 12)], 32);
    let findings = checked(facts(two, load(32)));
    let found = only(&findings, CODE);
    assert_eq!(found.severity, Severity::Warning);
    assert_eq!(
        found.message,
        "`Particle` takes 32 B, of which 8 B (25 %) are padding"
    );
    assert_eq!(
        found.notes,
        [
            "4 B are free after `position`",
            "4 B are free after `velocity`"
        ]
    );
    // No order closes them; 24 of 32 bytes are used, and lines hold four elements.
    close(lever(&findings, CODE).gain, 32.0 / 24.0);
}

#[test]
fn filled_holes_are_fine() {
    let filled = layout(
        &[
            ("position", 0, 12),
            ("mass", 12, 4),
            ("velocity", 16, 12),
            ("age", 28, 4),
        ],
        32,
    );
    silent(&checked(facts(filled, load(32))));
}

#[test]
fn an_order_that_closes_the_holes_is_named() {
    // vec3f, vec3f, f32, f32 is 12 + 4, 12, 4, 4 and 12 to the next 16: 48 bytes.
    let scattered = layout(
        &[
            ("position", 0, 12),
            ("velocity", 16, 12),
            ("mass", 28, 4),
            ("age", 32, 4),
        ],
        48,
    );
    let findings = checked(facts(scattered, load(48)));
    assert_eq!(
        only(&findings, CODE).help.as_deref(),
        Some("in the order `position`, `mass`, `velocity`, `age` it takes 32 B")
    );
    close(lever(&findings, CODE).gain, 48.0 / 32.0);
}

#[test]
fn elements_as_large_as_a_sector_gain_nothing() {
    let large = layout(&[("position", 0, 12), ("rest", 128, 96)], 256);
    let findings = checked(facts(large, load(256)));
    assert_eq!(diagnostics(&findings, CODE)[0].severity, Severity::Warning);
    close(lever(&findings, CODE).gain, 1.0);
}

#[test]
fn less_than_a_tenth_is_left_alone() {
    // 4 of 160 bytes.
    let small = layout(&[("position", 0, 12), ("rest", 16, 144)], 160);
    silent(&checked(facts(small, load(160))));
}

#[test]
fn a_structure_that_stands_alone_is_left_alone() {
    let two = || layout(&[("position", 0, 12), ("velocity", 16, 12)], 32);
    let mut uniform = load(32);
    uniform.uniformity = Uniformity::Launch;
    silent(&checked(facts(two(), uniform)));
    let mut elsewhere = load(32);
    elsewhere.variable = "other".to_owned();
    silent(&checked(facts(two(), elsewhere)));
}
