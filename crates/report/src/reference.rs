//! The reference page of the report schemas, written from the JSON schemas so that it cannot differ.

use std::fmt::Write as _;

use schemars::JsonSchema;
use serde_json::Value;

use crate::json::schema;
use crate::schema::{
    MACHINES_SCHEMA, MachinesReport, OCCUPANCY_SCHEMA, OccupancyReport, REPORT_SCHEMA, Report,
};

const HEAD: &str = "\
# Report schemas

Generated from `crates/report/src/schema`; a test compares (CONTRIBUTING.md says how to write it anew).

Programs may rely on every key here. Keys are only ever added within a schema version. `null` means
that nobody knows, never zero; totals are for the launch; spans are 1-based; fractions and
efficiencies are 0–1 and are not clamped.
";

/// The page.
pub fn markdown() -> String {
    let mut page = HEAD.to_owned();
    section::<Report>(
        &mut page,
        REPORT_SCHEMA,
        "cresta analyze --format json",
        "cresta-report-1.json",
    );
    section::<OccupancyReport>(
        &mut page,
        OCCUPANCY_SCHEMA,
        "cresta occupancy --format json",
        "cresta-occupancy-1.json",
    );
    section::<MachinesReport>(
        &mut page,
        MACHINES_SCHEMA,
        "cresta machines --format json",
        "cresta-machines-1.json",
    );
    page
}

fn section<T: JsonSchema>(page: &mut String, name: &str, command: &str, file: &str) {
    let schema = schema::<T>().to_value();
    let _ = write!(
        page,
        "\n## `{name}`\n\nPrinted by `{command}`; JSON schema: [{file}](schema/{file}).\n"
    );
    table(page, "The document", &schema);
    if let Some(definitions) = schema.get("$defs").and_then(Value::as_object) {
        for (title, definition) in definitions {
            table(page, title, definition);
        }
    }
}

fn table(page: &mut String, title: &str, schema: &Value) {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let description = description(schema);
    let _ = write!(
        page,
        "\n### {title}\n\n{description}\n\n| key | type | meaning |\n| --- | --- | --- |\n"
    );
    for (key, property) in properties {
        let _ = writeln!(
            page,
            "| `{key}` | {} | {} |",
            type_name(property),
            self::description(property)
        );
    }
}

fn description(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str);
    text.unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

fn type_name(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return join(any.iter().map(type_name));
    }
    match schema.get("type") {
        Some(Value::String(one)) => named(one, schema),
        Some(Value::Array(several)) => join(
            several
                .iter()
                .filter_map(Value::as_str)
                .map(|one| named(one, schema)),
        ),
        _ => "any".to_owned(),
    }
}

fn named(kind: &str, schema: &Value) -> String {
    let of = |key: &str| schema.get(key).map(type_name);
    match kind {
        "array" => match of("items") {
            Some(items) => format!("array of {items}"),
            None => "array".to_owned(),
        },
        "object" => match of("additionalProperties") {
            Some(values) => format!("map of {values}"),
            None => "object".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn join(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(" or ")
}
