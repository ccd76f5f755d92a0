//! A TOML document with positions: the text, its name, and typed access that fails with an
//! [`Error`] at the right place. Knows nothing of machines.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Problem, STRING, TABLE};

/// A value with its position.
pub(crate) type Node<'text> = Spanned<DeValue<'text>>;

/// Text and name of a document, for making errors.
pub(crate) struct Document<'text> {
    pub(crate) text: &'text str,
    pub(crate) file: &'text str,
}

impl<'text> Document<'text> {
    /// Parses the text as TOML.
    pub(crate) fn root(&self) -> Result<DeTable<'text>, Error> {
        DeTable::parse(self.text)
            .map(Spanned::into_inner)
            .map_err(|error| {
                let message = error.message().trim().replace('\n', ", ");
                self.error(error.span().unwrap_or(0..0), Problem::Syntax { message })
            })
    }

    /// An error about `span`.
    pub(crate) fn error(&self, span: Range<usize>, problem: Problem) -> Error {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Error {
            file: self.file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            span,
            problem: Box::new(problem),
        }
    }

    /// The node as a table.
    pub(crate) fn table<'node>(
        &self,
        key: &str,
        node: &'node Node<'text>,
    ) -> Result<&'node DeTable<'text>, Error> {
        match node.get_ref() {
            DeValue::Table(table) => Ok(table),
            _ => Err(self.wrong_type(key, node, TABLE)),
        }
    }

    /// The node as a string.
    pub(crate) fn string<'node>(
        &self,
        key: &str,
        node: &'node Node<'text>,
    ) -> Result<&'node str, Error> {
        match node.get_ref() {
            DeValue::String(string) => Ok(string),
            _ => Err(self.wrong_type(key, node, STRING)),
        }
    }

    /// The error of a node that has another type than `expected`.
    pub(crate) fn wrong_type(
        &self,
        key: &str,
        node: &Node<'text>,
        expected: &'static str,
    ) -> Error {
        let found = match node.get_ref() {
            DeValue::String(_) => STRING,
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a real number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => TABLE,
        };
        let key = key.to_owned();
        self.error(
            node.span(),
            Problem::WrongType {
                key,
                expected,
                found,
            },
        )
    }
}

/// The node of `name`, if there is one.
pub(crate) fn get<'node, 'text>(
    table: &'node DeTable<'text>,
    name: &str,
) -> Option<&'node Node<'text>> {
    table
        .iter()
        .find(|(key, _)| key.get_ref() == name)
        .map(|(_, node)| node)
}

/// The candidate most like `word`, if any is like it at all.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= word.len().max(candidate.len()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
