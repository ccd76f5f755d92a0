//! Numbers of lanes that wrap, are shifted far, or are negative before they are made an index.

use proptest::prelude::*;

use super::statement::BUILTINS;

/// What is done to a built-in value.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Less than zero for the first lanes.
    Before,
    BeforeByAddition,
    /// Multiplied so that its upper bits are a hash.
    Hash,
    /// A power of two.
    Shifted,
    /// A bit of a parameter.
    Bit,
    Quotient,
    QuotientByNegative,
    Remainder,
}

/// A built-in value with what is done to it, and by which numbers.
#[derive(Clone, Debug)]
pub(super) struct Odd {
    kind: Kind,
    builtin: usize,
    by: u32,
    modulus: u32,
}

/// Those built-in values of which the first are sure to be zero.
const FROM_ZERO: std::ops::Range<usize> = 0..7;
/// Those that no launch takes beyond the workgroup.
const LOCAL: std::ops::Range<usize> = 2..5;

pub(super) fn odd() -> impl Strategy<Value = Odd> {
    let any = prop::sample::select(vec![
        Kind::Before,
        Kind::BeforeByAddition,
        Kind::Quotient,
        Kind::QuotientByNegative,
        Kind::Remainder,
    ]);
    let local = prop::sample::select(vec![Kind::Hash, Kind::Shifted, Kind::Bit]);
    let odd = |(kind, builtin, by, modulus)| Odd {
        kind,
        builtin,
        by,
        modulus,
    };
    prop_oneof![
        2 => (any, FROM_ZERO, 1u32..7, 2u32..40).prop_map(odd),
        1 => (local, LOCAL, 1u32..7, 2u32..40).prop_map(odd),
    ]
}

impl Odd {
    /// As a number that may be near 2³².
    pub(super) fn raw(&self) -> String {
        let (name, by) = (BUILTINS[self.builtin], self.by);
        match self.kind {
            Kind::Before => format!("({name} - {by}u)"),
            Kind::BeforeByAddition => format!("({name} + {}u)", u32::MAX - by),
            Kind::Hash => format!("(({name} * 2654435761u) >> {}u)", 20 + by),
            Kind::Shifted => format!("({by}u << {name})"),
            Kind::Bit => format!("((d.p2 >> {name}) & 1u)"),
            Kind::Quotient => format!("u32((i32({name}) - {by}) / {})", self.modulus),
            Kind::QuotientByNegative => format!("u32((i32({name}) - {by}) / -{})", self.modulus),
            Kind::Remainder => format!("u32((i32({name}) - {by}) % {})", self.modulus),
        }
    }

    /// As an index.
    pub(super) fn index(&self) -> String {
        let modulus = self.modulus;
        match self.kind {
            Kind::Before if modulus.is_multiple_of(2) => format!("min({}, {modulus}u)", self.raw()),
            Kind::Before | Kind::BeforeByAddition | Kind::Hash | Kind::Shifted => {
                format!("({} % {modulus}u)", self.raw())
            }
            Kind::Bit => self.raw(),
            Kind::Quotient | Kind::QuotientByNegative | Kind::Remainder => {
                format!("u32(abs(i32({})))", self.raw())
            }
        }
    }
}
