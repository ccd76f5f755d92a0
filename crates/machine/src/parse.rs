//! The loader of machine files: TOML text → [`Machine`] with the origin of every field.
//!
//! A field is a plain value, which has the origin of `[defaults]`, or a table
//! `{ value, provenance, source }`. In such a table a missing `provenance` is the default one; a
//! missing `source` is the default one only if the provenance is too. A value for which neither
//! says a provenance is `assumed`: nobody vouches for it. Sources are keys of `[sources]`; the
//! machine keeps their text. The first fault ends loading.

use std::collections::BTreeMap;

use cresta_model::machine::{FieldOrigin, Machine, Provenance};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use crate::document::{Document, Node, get, nearest};
use crate::error::{Error, INTEGER, NUMBER, Problem};
use crate::schema::{FIELDS, Field, Kind, Quantity, SCHEMA, find, names_in, tables};

const PROVENANCES: [Provenance; 3] = [
    Provenance::Measured,
    Provenance::Datasheet,
    Provenance::Assumed,
];
const TOP_LEVEL: [&str; 5] = ["schema", "id", "name", "sources", "defaults"];
const ORIGIN_KEYS: [&str; 2] = ["provenance", "source"];
const FIELD_KEYS: [&str; 3] = ["value", "provenance", "source"];

/// Loads a machine from the text of its file; `file_name` is only for the errors.
///
/// # Errors
/// The first fault, with its position and a way out: see [`Problem`].
pub fn parse(text: &str, file_name: &str) -> Result<Machine, Error> {
    let document = Document {
        text,
        file: file_name,
    };
    let root = document.root()?;
    check_schema(&document, &root)?;
    check_top_level(&document, &root)?;
    let mut machine = Machine {
        id: required_string(&document, &root, "id")?,
        name: required_string(&document, &root, "name")?,
        ..Machine::default()
    };
    let loader = Loader {
        sources: sources(&document, &root)?,
        document,
    };
    let defaults = loader.defaults(&root)?;
    for field in FIELDS
        .iter()
        .filter(|field| field.table_and_name().0.is_empty())
    {
        if let Some(node) = get(&root, field.key) {
            loader.field(&mut machine, field, node, &defaults)?;
        }
    }
    for name in tables() {
        if let Some(node) = get(&root, name) {
            let table = loader.document.table(name, node)?;
            loader.fields(&mut machine, name, table, &defaults)?;
        }
    }
    if machine.origins.is_empty() {
        return Err(loader.document.error(0..0, Problem::Empty));
    }
    check_simd_width(&loader.document, &root, &machine)?;
    Ok(machine)
}

/// Subgroup sizes are powers of two up to 128 (WebGPU, “subgroupMaxSize”).
fn check_simd_width(
    document: &Document<'_>,
    root: &DeTable<'_>,
    machine: &Machine,
) -> Result<(), Error> {
    let fits = |width: u32| width.is_power_of_two() && width <= 128;
    match machine.simd_width {
        Some(width) if !fits(width) => {
            let span = get(root, "simd_width").map_or(0..0, Spanned::span);
            let found = width.to_string();
            Err(document.error(span, Problem::SimdWidth { found }))
        }
        _ => Ok(()),
    }
}

fn check_schema(document: &Document<'_>, root: &DeTable<'_>) -> Result<(), Error> {
    let found = required_string(document, root, "schema")?;
    if found == SCHEMA {
        return Ok(());
    }
    let span = get(root, "schema").map_or(0..0, Spanned::span);
    Err(document.error(span, Problem::UnknownSchema { found }))
}

fn check_top_level(document: &Document<'_>, root: &DeTable<'_>) -> Result<(), Error> {
    let possible: Vec<&str> = TOP_LEVEL
        .into_iter()
        .chain(names_in(""))
        .chain(tables())
        .collect();
    check_keys(document, "", root, &possible)
}

/// Every key of `table` is one of `possible`.
fn check_keys(
    document: &Document<'_>,
    table_name: &str,
    table: &DeTable<'_>,
    possible: &[&str],
) -> Result<(), Error> {
    for key in table.keys() {
        let name: &str = key.get_ref();
        if !possible.contains(&name) {
            let problem = unknown_key(table_name, name, possible);
            return Err(document.error(key.span(), problem));
        }
    }
    Ok(())
}

/// Looks for the nearest key in the same place, then for the same or a near name in other tables.
fn unknown_key(table: &str, name: &str, possible: &[&str]) -> Problem {
    let dotted = |table: &str, name: &str| match table {
        "" => name.to_owned(),
        _ => format!("{table}.{name}"),
    };
    let here = nearest(name, possible.iter().copied()).map(|near| dotted(table, near));
    let elsewhere = || {
        FIELDS
            .iter()
            .find(|field| field.table_and_name().1 == name)
            .map(|field| field.key.to_owned())
    };
    Problem::UnknownKey {
        key: dotted(table, name),
        nearest: here.or_else(elsewhere),
        possible: possible.iter().map(|&key| key.to_owned()).collect(),
    }
}

fn required_string(
    document: &Document<'_>,
    root: &DeTable<'_>,
    key: &'static str,
) -> Result<String, Error> {
    let Some(node) = get(root, key) else {
        return Err(document.error(0..0, Problem::Missing { key }));
    };
    match document.string(key, node)?.trim() {
        "" => Err(document.error(node.span(), Problem::Missing { key })),
        string => Ok(string.to_owned()),
    }
}

fn sources(document: &Document<'_>, root: &DeTable<'_>) -> Result<BTreeMap<String, String>, Error> {
    let Some(node) = get(root, "sources") else {
        return Ok(BTreeMap::new());
    };
    document
        .table("sources", node)?
        .iter()
        .map(|(key, node)| {
            let text = document.string(&format!("sources.{}", key.get_ref()), node)?;
            Ok((key.get_ref().to_string(), text.to_owned()))
        })
        .collect()
}

/// Provenance and source text as far as one place of the file says them.
#[derive(Default)]
struct PartialOrigin {
    provenance: Option<Provenance>,
    source: Option<String>,
}

struct Loader<'text> {
    document: Document<'text>,
    sources: BTreeMap<String, String>,
}

impl<'text> Loader<'text> {
    fn defaults(&self, root: &DeTable<'text>) -> Result<PartialOrigin, Error> {
        let Some(node) = get(root, "defaults") else {
            return Ok(PartialOrigin::default());
        };
        let table = self.document.table("defaults", node)?;
        check_keys(&self.document, "defaults", table, &ORIGIN_KEYS)?;
        self.partial_origin("defaults", table)
    }

    fn partial_origin(&self, key: &str, table: &DeTable<'text>) -> Result<PartialOrigin, Error> {
        let provenance = get(table, "provenance")
            .map(|node| self.provenance(&format!("{key}.provenance"), node))
            .transpose()?;
        let source = get(table, "source")
            .map(|node| self.source(&format!("{key}.source"), node))
            .transpose()?;
        Ok(PartialOrigin { provenance, source })
    }

    fn provenance(&self, key: &str, node: &Node<'text>) -> Result<Provenance, Error> {
        let word = self.document.string(key, node)?;
        let found = PROVENANCES.into_iter().find(|known| known.name() == word);
        found.ok_or_else(|| {
            let problem = Problem::UnknownProvenance {
                found: word.to_owned(),
                nearest: nearest(word, PROVENANCES.map(Provenance::name)).map(str::to_owned),
            };
            self.document.error(node.span(), problem)
        })
    }

    fn source(&self, key: &str, node: &Node<'text>) -> Result<String, Error> {
        let word = self.document.string(key, node)?;
        self.sources.get(word).cloned().ok_or_else(|| {
            let problem = Problem::UnknownSource {
                found: word.to_owned(),
                nearest: nearest(word, self.sources.keys().map(String::as_str)).map(str::to_owned),
            };
            self.document.error(node.span(), problem)
        })
    }

    fn fields(
        &self,
        machine: &mut Machine,
        table_name: &str,
        table: &DeTable<'text>,
        defaults: &PartialOrigin,
    ) -> Result<(), Error> {
        let possible: Vec<&str> = names_in(table_name).collect();
        check_keys(&self.document, table_name, table, &possible)?;
        for (key, node) in table {
            if let Some(field) = find(table_name, key.get_ref()) {
                self.field(machine, field, node, defaults)?;
            }
        }
        Ok(())
    }

    /// Sets one field and its origin.
    fn field(
        &self,
        machine: &mut Machine,
        field: &Field,
        node: &Node<'text>,
        defaults: &PartialOrigin,
    ) -> Result<(), Error> {
        let (value_node, own) = self.split(field, node)?;
        let quantity = self.quantity(field, value_node)?;
        let source = match own.provenance {
            None => own.source.or_else(|| defaults.source.clone()),
            Some(_) => own.source,
        };
        let provenance = own
            .provenance
            .or(defaults.provenance)
            .unwrap_or(Provenance::Assumed);
        if provenance == Provenance::Datasheet && source.is_none() {
            let key = field.key.to_owned();
            return Err(self.document.error(node.span(), Problem::NoSource { key }));
        }
        (field.set)(machine, quantity);
        let origin = FieldOrigin { provenance, source };
        machine.origins.insert(field.key.to_owned(), origin);
        Ok(())
    }

    /// The value of a field, plain or in a table, and what the table says of its origin.
    fn split<'node>(
        &self,
        field: &Field,
        node: &'node Node<'text>,
    ) -> Result<(&'node Node<'text>, PartialOrigin), Error> {
        let DeValue::Table(table) = node.get_ref() else {
            return Ok((node, PartialOrigin::default()));
        };
        check_keys(&self.document, field.key, table, &FIELD_KEYS)?;
        let value = get(table, "value").ok_or_else(|| {
            let key = field.key.to_owned();
            self.document.error(node.span(), Problem::NoValue { key })
        })?;
        Ok((value, self.partial_origin(field.key, table)?))
    }

    fn quantity(&self, field: &Field, node: &Node<'text>) -> Result<Quantity, Error> {
        match field.kind {
            Kind::Real => self.real(field.key, node).map(Quantity::Real),
            Kind::Integer { maximum } => self
                .integer(field.key, node, maximum)
                .map(Quantity::Integer),
        }
    }

    fn real(&self, key: &str, node: &Node<'text>) -> Result<f64, Error> {
        let value = match node.get_ref() {
            DeValue::Float(float) => float.as_str().parse().unwrap_or(f64::NAN),
            DeValue::Integer(integer) => wide(integer).map_or(f64::INFINITY, |value| value as f64),
            _ => return Err(self.document.wrong_type(key, node, NUMBER)),
        };
        if value.is_finite() && value > 0.0 {
            return Ok(value);
        }
        Err(self.not_positive(key, node))
    }

    /// A whole number; `80e9` is one too.
    fn integer(&self, key: &str, node: &Node<'text>, maximum: u64) -> Result<u64, Error> {
        let value = match node.get_ref() {
            DeValue::Integer(integer) => wide(integer).unwrap_or(i128::MAX),
            DeValue::Float(_) => {
                let real = self.real(key, node)?;
                if real.fract() != 0.0 {
                    return Err(self.document.wrong_type(key, node, INTEGER));
                }
                real as i128
            }
            _ => return Err(self.document.wrong_type(key, node, INTEGER)),
        };
        if value <= 0 {
            return Err(self.not_positive(key, node));
        }
        match u64::try_from(value) {
            Ok(value) if value <= maximum => Ok(value),
            _ => Err(self.document.error(
                node.span(),
                Problem::TooLarge {
                    key: key.to_owned(),
                    found: self.written(node),
                    maximum,
                },
            )),
        }
    }

    fn not_positive(&self, key: &str, node: &Node<'text>) -> Error {
        let problem = Problem::NotPositive {
            key: key.to_owned(),
            found: self.written(node),
        };
        self.document.error(node.span(), problem)
    }

    /// The value as the person wrote it.
    fn written(&self, node: &Node<'text>) -> String {
        let written = self.document.text.get(node.span());
        written.unwrap_or_default().to_owned()
    }
}

/// None beyond 128 bits.
fn wide(integer: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}
