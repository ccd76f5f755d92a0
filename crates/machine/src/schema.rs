//! The fields of a machine: key, unit, meaning, and how to read and write them in a
//! [`Machine`].
//!
//! This list is the schema. Its order is the order in which files are written and machines are shown.
//! A new field is one row here and one member in `cresta_model::machine`.

use std::fmt;

use cresta_model::machine::Machine;

/// The schema that [`parse`](crate::parse) reads and [`to_toml`](crate::to_toml) writes.
pub const SCHEMA: &str = "cresta-machine/1";

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantity {
    /// A count or a number of bytes.
    Integer(u64),
    /// A rate, a time or a clock.
    Real(f64),
}

impl Quantity {
    /// The value as a real number, for arithmetic and comparison.
    pub fn as_f64(self) -> f64 {
        match self {
            Quantity::Integer(value) => value as f64,
            Quantity::Real(value) => value,
        }
    }
}

impl fmt::Display for Quantity {
    /// Plain and exact: `65536`, `2.475e9`, `0.5`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Quantity::Integer(value) => write!(formatter, "{value}"),
            Quantity::Real(value) if (1e-2..1e5).contains(&value) => write!(formatter, "{value:?}"),
            Quantity::Real(value) => write!(formatter, "{value:e}"),
        }
    }
}

/// What a field accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Whole number up to the given maximum.
    Integer { maximum: u64 },
    /// Any positive finite number.
    Real,
}

/// One field of a machine.
pub(crate) struct Field {
    /// Dotted key, `dram.bytes_per_second`.
    pub(crate) key: &'static str,
    /// Unit, empty for a count.
    pub(crate) unit: &'static str,
    /// One line for people.
    pub(crate) meaning: &'static str,
    /// What it accepts.
    pub(crate) kind: Kind,
    /// Reads the field.
    pub(crate) get: fn(&Machine) -> Option<Quantity>,
    /// Writes the field; the quantity has passed `kind`, else the field becomes absent.
    pub(crate) set: fn(&mut Machine, Quantity),
}

impl Field {
    /// The table (empty at top level) and the key within it.
    pub(crate) fn table_and_name(&self) -> (&'static str, &'static str) {
        self.key.split_once('.').unwrap_or(("", self.key))
    }
}

macro_rules! integer {
    ($type:ty, $($part:ident).+, $unit:literal, $meaning:literal) => {
        Field {
            key: key!($($part).+),
            unit: $unit,
            meaning: $meaning,
            kind: Kind::Integer { maximum: <$type>::MAX as u64 },
            get: |machine| machine.$($part).+.map(|value| Quantity::Integer(value.into())),
            set: |machine, quantity| {
                machine.$($part).+ = match quantity {
                    Quantity::Integer(value) => <$type>::try_from(value).ok(),
                    Quantity::Real(_) => None,
                }
            },
        }
    };
}

macro_rules! real {
    ($($part:ident).+, $unit:literal, $meaning:literal) => {
        Field {
            key: key!($($part).+),
            unit: $unit,
            meaning: $meaning,
            kind: Kind::Real,
            get: |machine| machine.$($part).+.map(Quantity::Real),
            set: |machine, quantity| machine.$($part).+ = Some(quantity.as_f64()),
        }
    };
}

macro_rules! key {
    ($name:ident) => {
        stringify!($name)
    };
    ($table:ident . $name:ident) => {
        concat!(stringify!($table), ".", stringify!($name))
    };
}

/// All fields, in the order in which they are written and shown.
pub(crate) static FIELDS: &[Field] = &[
    integer!(u32, simd_width, "", "lanes of one SIMD group"),
    integer!(u32, compute.units, "", "compute units"),
    real!(compute.clock_hz, "Hz", "sustained shader clock"),
    real!(compute.f32_flop_per_second, "FLOP/s", "peak f32 rate"),
    real!(
        compute.f16_flop_per_second,
        "FLOP/s",
        "peak f16 rate outside matrix units"
    ),
    real!(compute.f64_flop_per_second, "FLOP/s", "peak f64 rate"),
    real!(
        compute.special_ops_per_second,
        "op/s",
        "peak rate of special operations"
    ),
    real!(
        compute.integer_ops_per_second,
        "op/s",
        "peak rate of 32-bit integer operations"
    ),
    real!(
        compute.issue_per_unit_per_cycle,
        "1/cycle",
        "SIMD-group instructions a unit issues a cycle"
    ),
    real!(dram.bytes_per_second, "B/s", "device memory bandwidth"),
    real!(dram.latency_seconds, "s", "device memory latency"),
    integer!(u64, dram.size_bytes, "B", "device memory"),
    integer!(u64, l2.size_bytes, "B", "cache shared by all units"),
    real!(l2.bytes_per_second, "B/s", "L2 bandwidth"),
    real!(l2.latency_seconds, "s", "L2 latency"),
    integer!(u32, l2.sector_bytes, "B", "what DRAM and L2 move at a time"),
    integer!(u64, l1.size_bytes_per_unit, "B", "cache of one unit"),
    integer!(u32, l1.line_bytes, "B", "what one request is cut into"),
    real!(
        l1.lines_per_wavefront,
        "",
        "lines of one request served in a cycle"
    ),
    real!(l1.latency_seconds, "s", "L1 latency"),
    integer!(
        u64,
        shared.bytes_per_unit,
        "B",
        "workgroup memory of one unit"
    ),
    integer!(u32, shared.banks, "", "banks of workgroup memory"),
    integer!(u32, shared.bank_bytes, "B", "width of a bank"),
    integer!(
        u32,
        shared.granularity_bytes,
        "B",
        "allocation granularity of workgroup memory"
    ),
    integer!(u64, registers.per_unit, "", "32-bit registers of one unit"),
    integer!(
        u32,
        registers.granularity,
        "",
        "allocation granularity, in registers of one invocation"
    ),
    integer!(
        u32,
        registers.max_per_invocation,
        "",
        "most registers of one invocation"
    ),
    integer!(
        u32,
        slots.invocations_per_unit,
        "",
        "most resident invocations of one unit"
    ),
    integer!(
        u32,
        slots.groups_per_unit,
        "",
        "most resident workgroups of one unit"
    ),
    integer!(
        u32,
        slots.simd_groups_per_unit,
        "",
        "most resident SIMD groups of one unit"
    ),
    real!(
        atomic.same_address_per_second,
        "op/s",
        "read-modify-writes of one address"
    ),
    real!(launch.overhead_seconds, "s", "time of an empty dispatch"),
    real!(transfer.upload_bytes_per_second, "B/s", "host to device"),
    real!(transfer.readback_bytes_per_second, "B/s", "device to host"),
];

/// The names of the keys of one table (of the top level for the empty name), in order.
pub(crate) fn names_in(table: &str) -> impl Iterator<Item = &'static str> {
    FIELDS
        .iter()
        .map(Field::table_and_name)
        .filter(move |(of, _)| *of == table)
        .map(|(_, name)| name)
}

/// The names of the tables that hold fields, in order.
pub(crate) fn tables() -> Vec<&'static str> {
    let mut tables: Vec<&str> = FIELDS
        .iter()
        .map(|field| field.table_and_name().0)
        .filter(|table| !table.is_empty())
        .collect();
    tables.dedup();
    tables
}

/// The field of `name` in `table`.
pub(crate) fn find(table: &str, name: &str) -> Option<&'static Field> {
    FIELDS
        .iter()
        .find(|field| field.table_and_name() == (table, name))
}
