//! Machines as rows, for showing one and for comparing several: [`fields`].

use cresta_model::machine::{Machine, Provenance};

use crate::schema::{FIELDS, Quantity};

/// One field of one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldView<'machine> {
    /// Dotted key, `dram.bytes_per_second`.
    pub key: &'static str,
    /// Unit, empty for a count.
    pub unit: &'static str,
    /// One line for people.
    pub meaning: &'static str,
    /// Absent when nobody knows it.
    pub value: Option<Quantity>,
    /// How the value is known; absent without a value.
    pub provenance: Option<Provenance>,
    /// The source in words.
    pub source: Option<&'machine str>,
}

/// All fields of the schema, those without a value too, in an order that is the same for every
/// machine: row `i` of two machines is the same field.
pub fn fields(machine: &Machine) -> Vec<FieldView<'_>> {
    FIELDS
        .iter()
        .map(|field| {
            let value = (field.get)(machine);
            let origin = value.and_then(|_| machine.origins.get(field.key));
            FieldView {
                key: field.key,
                unit: field.unit,
                meaning: field.meaning,
                value,
                provenance: origin.map(|origin| origin.provenance),
                source: origin.and_then(|origin| origin.source.as_deref()),
            }
        })
        .collect()
}
