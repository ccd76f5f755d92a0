//! `cresta machines`: list, show, compare, validate.

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use cresta_machine::{FieldView, Quantity, fields};
use cresta_model::machine::Machine;
use cresta_report::json;
use cresta_report::number::{UNKNOWN, or_unknown, si, whole};
use cresta_report::schema::{MACHINES_SCHEMA, MachinesReport};

use crate::Status;
use crate::arguments::{Format, MachinesAction, MachinesArguments};
use crate::error::Error;
use crate::machine_choice::{find, load};
use crate::output;
use crate::wrap::{WIDTH, wrapped};

pub(crate) fn run(arguments: &MachinesArguments) -> Result<Status, Error> {
    let action = arguments.action.as_ref().unwrap_or(&MachinesAction::List);
    let machines = match action {
        MachinesAction::List => cresta_machine::builtins().cloned().collect(),
        MachinesAction::Show { machine } => vec![find(machine)?],
        MachinesAction::Compare { machines } => machines
            .iter()
            .map(|name| find(name))
            .collect::<Result<_, _>>()?,
        MachinesAction::Validate { file } => vec![load(file)?],
    };
    let text = match (arguments.output.format, action) {
        (Format::Json, _) => as_json(&machines),
        (Format::Text, MachinesAction::List) => list(&machines),
        (Format::Text, MachinesAction::Compare { .. }) => compare(&machines),
        (Format::Text, MachinesAction::Show { .. }) => machines.iter().map(show).collect(),
        (Format::Text, MachinesAction::Validate { file }) => machines
            .iter()
            .map(|machine| validated(&file.display().to_string(), machine))
            .collect(),
    };
    output::write(&arguments.output, &text)?;
    Ok(Status::Fine)
}

fn as_json(machines: &[Machine]) -> String {
    json::to_text(&MachinesReport {
        schema: MACHINES_SCHEMA.to_owned(),
        machines: machines
            .iter()
            .map(|machine| cresta_report::schema::Machine::new(machine, None))
            .collect(),
    })
}

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    if let Some(first) = table.column_mut(0) {
        first.set_padding((0, 1));
    }
    table
}

fn finished(table: &Table) -> String {
    let lines: Vec<String> = table
        .lines()
        .map(|line| line.trim_end().to_owned())
        .collect();
    lines.join("\n") + "\n"
}

fn list(machines: &[Machine]) -> String {
    let mut table = table(&["name", "GPU", "f32", "DRAM", "units", "SIMD"]);
    for machine in machines {
        table.add_row([
            machine.id.clone(),
            machine.name.clone(),
            or_unknown(machine.compute.f32_flop_per_second, |rate| {
                si(rate, "FLOP/s")
            }),
            or_unknown(machine.dram.bytes_per_second, |rate| si(rate, "B/s")),
            word(machine.compute.units),
            word(machine.simd_width),
        ]);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 1));
    }
    for column in 2..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    finished(&table)
}

fn word(value: Option<u32>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), |value| value.to_string())
}

fn show(machine: &Machine) -> String {
    let mut sources: Vec<&str> = Vec::new();
    let mut table = table(&["field", "value", "known by", "source"]);
    for field in fields(machine) {
        let origin = field.provenance.map_or("", |provenance| provenance.name());
        let source = field.source.map(|source| footnote(&mut sources, source));
        table.add_row([
            field.key,
            &for_people(&field),
            origin,
            source.as_deref().unwrap_or_default(),
        ]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = format!("{} ({})\n\n{}", machine.name, machine.id, finished(&table));
    for (index, source) in sources.iter().enumerate() {
        let number = format!("[{}] ", index + 1);
        text.push('\n');
        text.push_str(&wrapped(&number, number.len(), source));
    }
    text + "\n"
}

/// The number of a source among the notes below the table.
fn footnote<'a>(sources: &mut Vec<&'a str>, source: &'a str) -> String {
    let known = sources.iter().position(|&other| other == source);
    let index = known.unwrap_or_else(|| {
        sources.push(source);
        sources.len() - 1
    });
    format!("[{}]", index + 1)
}

/// Rates and times with a prefix; sizes and counts exactly.
fn for_people(field: &FieldView<'_>) -> String {
    or_unknown(field.value.map(Quantity::as_f64), |value| {
        match field.unit {
            "" if value.fract() == 0.0 => whole(value),
            "" => value.to_string(),
            "B" => format!("{} B", whole(value)),
            "1/cycle" => format!("{value} /cycle"),
            unit => si(value, unit),
        }
    })
}

/// Machines side by side, below one another where more are compared than a line holds.
fn compare(machines: &[Machine]) -> String {
    let mut blocks: Vec<String> = Vec::new();
    let mut rest = machines;
    while !rest.is_empty() {
        let fits = |&count: &usize| {
            let block = side_by_side(&rest[..count]);
            block.lines().all(|line| line.chars().count() <= WIDTH)
        };
        let count = (1..=rest.len()).rev().find(fits).unwrap_or(1);
        blocks.push(side_by_side(&rest[..count]));
        rest = &rest[count..];
    }
    blocks.join("\n")
}

fn side_by_side(machines: &[Machine]) -> String {
    let mut header = vec!["field"];
    header.extend(machines.iter().map(|machine| machine.id.as_str()));
    let mut table = table(&header);
    let columns: Vec<Vec<FieldView<'_>>> = machines.iter().map(fields).collect();
    let Some(first) = columns.first() else {
        return String::new();
    };
    // Row `i` of every machine is the same field.
    for (index, field) in first.iter().enumerate() {
        let row: Vec<&FieldView<'_>> = columns.iter().filter_map(|of| of.get(index)).collect();
        if row.iter().any(|field| field.value.is_some()) {
            let mut cells = vec![field.key.to_owned()];
            cells.extend(row.into_iter().map(for_people));
            table.add_row(cells);
        }
    }
    for column in 1..=machines.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    finished(&table)
}

fn validated(file: &str, machine: &Machine) -> String {
    let all = fields(machine);
    let (known, unknown): (Vec<_>, Vec<_>) = all.iter().partition(|field| field.value.is_some());
    let verdict = format!(
        "{file}: {} ({}) is valid; {} of {} fields are known",
        machine.name,
        machine.id,
        known.len(),
        all.len()
    );
    let mut text = wrapped("", 2, &verdict) + "\n";
    if !unknown.is_empty() {
        let keys: Vec<&str> = unknown.iter().map(|field| field.key).collect();
        text.push_str(&wrapped("unknown: ", 2, &keys.join(", ")));
        text.push('\n');
    }
    text
}
