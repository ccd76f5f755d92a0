//! Source excerpts with underlined places, in the manner of rustc.
//!
//! Spans are byte ranges of the text that was read. A span that does not lie in the text, which only
//! a fault of an engine can give, loses its underline and never its message.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use cresta_analysis::{EntryFailure, Location};
use cresta_rules::{Diagnostic, Label, Severity};
use cresta_wgsl::source::{SourceError, SourceFile};

use super::page::wrap;

/// Columns that an excerpt of a source line may take.
const WIDTH: usize = 80;
/// Lines of the source that one finding shows.
const LINES: usize = 3;

/// A place and what is said about it; the first of a list is the primary one.
struct Place<'a> {
    span: Range<usize>,
    label: &'a str,
}

/// A fault of a source file, with every labelled place.
pub fn source_error(name: &str, source: Option<&SourceFile>, error: &SourceError) -> String {
    let problem = error.problem();
    let mut places: Vec<Place<'_>> = problem
        .map(|problem| problem.labels.as_slice())
        .unwrap_or_default()
        .iter()
        .map(|label| Place {
            span: label.span.clone(),
            label: &label.text,
        })
        .collect();
    if places.is_empty()
        && let Some(span) = error.primary_span()
    {
        places.push(Place { span, label: "" });
    }
    let message = error.to_string();
    let mut group = group(Level::ERROR, error.code(), &message, name, source, &places);
    for note in problem
        .map(|problem| problem.notes.as_slice())
        .unwrap_or_default()
    {
        group = group.element(Level::NOTE.message(folded(note)));
    }
    draw(group)
}

/// A fault at one place of any text file, with a way out.
pub fn fault(
    code: &str,
    name: &str,
    text: &str,
    span: Range<usize>,
    message: &str,
    help: &str,
) -> String {
    let source = SourceFile::new(name, text);
    let places = [Place { span, label: "" }];
    let group = group(Level::ERROR, code, message, name, Some(&source), &places);
    draw(group.element(Level::HELP.message(folded(help))))
}

/// A file that could not be read.
pub fn unreadable(name: &str, message: &str) -> String {
    let title = format!("failed to read {name}: {message}");
    draw(group(
        Level::ERROR,
        crate::UNREADABLE,
        &title,
        name,
        None,
        &[],
    ))
}

/// An entry point that could not be analysed.
pub fn entry_refused(name: &str, source: Option<&SourceFile>, failure: &EntryFailure) -> String {
    let title = format!("entry point `{}` was not analysed", failure.entry);
    let places: Vec<Place<'_>> = failure
        .location
        .iter()
        .map(|location| Place {
            span: span(location),
            label: &failure.message,
        })
        .collect();
    let mut group = group(Level::ERROR, crate::REFUSED, &title, name, source, &places);
    if source.is_none() || places.is_empty() {
        group = group.element(Level::NOTE.message(folded(&failure.message)));
    }
    if let Some(help) = &failure.help {
        group = group.element(Level::HELP.message(folded(help)));
    }
    draw(group)
}

/// A finding of a rule.
pub(super) fn diagnostic(
    name: &str,
    source: Option<&SourceFile>,
    diagnostic: &Diagnostic,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut places = Vec::new();
    let labelled = diagnostic
        .labels
        .iter()
        .any(|label| label.location == diagnostic.location);
    if !labelled {
        places.push(Place {
            span: span(&diagnostic.location),
            label: "",
        });
    }
    let (drawn, further) = drawn_labels(diagnostic);
    for label in drawn {
        places.push(Place {
            span: span(&label.location),
            label: &label.text,
        });
    }
    let mut group = group(
        level,
        diagnostic.code,
        &diagnostic.message,
        name,
        source,
        &places,
    );
    if !further.is_empty() {
        let lines: Vec<String> = further.iter().map(u32::to_string).collect();
        let text = format!("the same in lines {}", lines.join(", "));
        group = group.element(Level::NOTE.message(folded(&text)));
    }
    for call in &diagnostic.location.call_chain {
        let text = format!(
            "in `{}`, called at {name}:{}:{}",
            call.function, call.line, call.column
        );
        group = group.element(Level::NOTE.message(folded(&text)));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(folded(note)));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(folded(help)));
    }
    draw(group)
}

/// Labels in the first few lines, and the further lines that have some.
fn drawn_labels(diagnostic: &Diagnostic) -> (Vec<&Label>, Vec<u32>) {
    let mut lines = vec![diagnostic.location.line];
    let mut drawn = Vec::new();
    let mut further = Vec::new();
    for label in &diagnostic.labels {
        let line = label.location.line;
        if !lines.contains(&line) && lines.len() < LINES {
            lines.push(line);
        }
        if lines.contains(&line) {
            drawn.push(label);
        } else if !further.contains(&line) {
            further.push(line);
        }
    }
    (drawn, further)
}

fn span(location: &Location) -> Range<usize> {
    location.start..location.end
}

fn group<'a>(
    level: Level<'a>,
    code: &'a str,
    message: &'a str,
    name: &'a str,
    source: Option<&'a SourceFile>,
    places: &[Place<'a>],
) -> Group<'a> {
    let group = Group::with_title(level.primary_title(folded_title(code, message)).id(code));
    let Some(source) = source else {
        return group.element(annotate_snippets::Origin::path(name));
    };
    let mut snippet = Snippet::source(&source.text).path(name).fold(true);
    let mut any = false;
    for (index, place) in places.iter().enumerate() {
        let Some(span) = inside(&source.text, &place.span) else {
            continue;
        };
        let kind = if index == 0 {
            AnnotationKind::Primary
        } else {
            AnnotationKind::Context
        };
        let annotation = kind.span(span);
        snippet = snippet.annotation(if place.label.is_empty() {
            annotation
        } else {
            annotation.label(place.label)
        });
        any = true;
    }
    if any {
        group.element(snippet)
    } else {
        group.element(annotate_snippets::Origin::path(name))
    }
}

/// A title in lines that leave room for `warning[code]: `.
fn folded_title(code: &str, message: &str) -> String {
    let width = WIDTH.saturating_sub(code.len() + "warning[]: ".len());
    wrap(message, width, width).join("\n")
}

/// A message in lines that leave room for what stands before them.
fn folded(message: &str) -> String {
    let width = WIDTH - 12;
    wrap(message, width, width).join("\n")
}

/// The span, if it lies in the text on character boundaries.
fn inside(text: &str, span: &Range<usize>) -> Option<Range<usize>> {
    text.get(span.clone()).map(|_| span.clone())
}

fn draw(group: Group<'_>) -> String {
    Renderer::styled().term_width(WIDTH).render(&[group])
}
