//! The report as JSON, and its JSON schemas.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::Serialize;

use crate::document::Document;
use crate::schema::{
    MACHINES_SCHEMA, MachinesReport, OCCUPANCY_SCHEMA, OccupancyReport, REPORT_SCHEMA, Report,
};

/// The report `cresta-report/1`, indented, with a line break at the end.
pub fn render(document: &Document) -> String {
    to_text(&Report::new(document))
}

/// Any of the report types as indented JSON with a line break at the end.
pub fn to_text(value: &impl Serialize) -> String {
    match serde_json::to_string_pretty(value) {
        Ok(text) => text + "\n",
        Err(error) => unreachable!("report types have text keys and no failing fields: {error}"),
    }
}

/// The generated JSON schemas: file name and text.
pub fn schemas() -> Vec<(&'static str, String)> {
    vec![
        ("cresta-report-1.json", schema_text::<Report>(REPORT_SCHEMA)),
        (
            "cresta-occupancy-1.json",
            schema_text::<OccupancyReport>(OCCUPANCY_SCHEMA),
        ),
        (
            "cresta-machines-1.json",
            schema_text::<MachinesReport>(MACHINES_SCHEMA),
        ),
    ]
}

pub(crate) fn schema<T: JsonSchema>() -> Schema {
    SchemaGenerator::new(SchemaSettings::draft2020_12().for_serialize()).into_root_schema_for::<T>()
}

fn schema_text<T: JsonSchema>(id: &str) -> String {
    let mut schema = schema::<T>();
    schema.insert("title".to_owned(), id.into());
    to_text(&schema)
}
