//! The writer of machine files: [`Machine`] → TOML text that [`parse`](crate::parse) reads back to
//! the same machine.
//!
//! The origin that most fields share becomes `[defaults]`, so that a measured machine is a list of
//! plain values. A value without an origin is written as `assumed`, which is how it is read back.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use cresta_model::machine::{FieldOrigin, Machine, Provenance};

use crate::schema::{FIELDS, Field, Quantity, SCHEMA};

/// The text of a machine file.
pub fn to_toml(machine: &Machine) -> String {
    let rows = rows(machine);
    let writer = Writer {
        source_keys: source_keys(&rows),
        defaults: most_common(&rows),
    };
    let mut text = format!(
        "schema = {}\nid = {}\nname = {}\n",
        quote(SCHEMA),
        quote(&machine.id),
        quote(&machine.name)
    );
    let mut open = "";
    let mut head_done = false;
    for row in &rows {
        let (table, name) = row.field.table_and_name();
        if !head_done && !table.is_empty() {
            writer.head(&mut text);
            head_done = true;
        }
        if table != open {
            text.push_str(&format!("\n[{table}]\n"));
            open = table;
        }
        text.push_str(&format!("{name} = {}\n", writer.value(row)));
    }
    if !head_done {
        writer.head(&mut text);
    }
    text
}

struct Row {
    field: &'static Field,
    quantity: Quantity,
    origin: FieldOrigin,
}

fn rows(machine: &Machine) -> Vec<Row> {
    let unvouched = FieldOrigin {
        provenance: Provenance::Assumed,
        source: None,
    };
    FIELDS
        .iter()
        .filter_map(|field| {
            let quantity = (field.get)(machine)?;
            let origin = machine.origins.get(field.key).unwrap_or(&unvouched).clone();
            Some(Row {
                field,
                quantity,
                origin,
            })
        })
        .collect()
}

/// A short key for each source text, in order of first use.
fn source_keys(rows: &[Row]) -> Vec<(String, String)> {
    let mut keys: Vec<(String, String)> = Vec::new();
    for text in rows.iter().filter_map(|row| row.origin.source.as_ref()) {
        if keys.iter().all(|(_, known)| known != text) {
            keys.push((format!("s{}", keys.len() + 1), text.clone()));
        }
    }
    keys
}

fn most_common(rows: &[Row]) -> Option<FieldOrigin> {
    let mut counts: BTreeMap<(Provenance, &Option<String>), usize> = BTreeMap::new();
    for row in rows {
        *counts
            .entry((row.origin.provenance, &row.origin.source))
            .or_default() += 1;
    }
    let ((provenance, source), _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    Some(FieldOrigin {
        provenance,
        source: source.clone(),
    })
}

struct Writer {
    source_keys: Vec<(String, String)>,
    defaults: Option<FieldOrigin>,
}

impl Writer {
    fn head(&self, text: &mut String) {
        if !self.source_keys.is_empty() {
            text.push_str("\n[sources]\n");
            for (key, source) in &self.source_keys {
                text.push_str(&format!("{key} = {}\n", quote(source)));
            }
        }
        if let Some(defaults) = &self.defaults {
            text.push_str(&format!(
                "\n[defaults]\nprovenance = {}\n",
                quote(defaults.provenance.name())
            ));
            if let Some(key) = self.source_key(defaults) {
                text.push_str(&format!("source = {}\n", quote(key)));
            }
        }
    }

    /// A plain value under the defaults, else a table.
    fn value(&self, row: &Row) -> String {
        if self.defaults.as_ref() == Some(&row.origin) {
            return row.quantity.to_string();
        }
        let provenance = quote(row.origin.provenance.name());
        let mut table = format!("{{ value = {}, provenance = {provenance}", row.quantity);
        if let Some(key) = self.source_key(&row.origin) {
            table.push_str(&format!(", source = {}", quote(key)));
        }
        table.push_str(" }");
        table
    }

    fn source_key(&self, origin: &FieldOrigin) -> Option<&str> {
        let source = origin.source.as_ref()?;
        self.source_keys
            .iter()
            .find(|(_, text)| text == source)
            .map(|(key, _)| key.as_str())
    }
}

/// A TOML basic string.
fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            control if control.is_control() => {
                // Writing to a string cannot fail.
                let _ = write!(quoted, "\\u{:04X}", u32::from(control));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
