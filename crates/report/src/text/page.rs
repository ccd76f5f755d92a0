//! A page of styled text: headings, wrapped lines, and the words for resources.
//!
//! Styles are written always; whoever prints takes them out where no terminal shows them.

use std::fmt::{Display, Write as _};

use anstyle::{AnsiColor, Style};
use cresta_model::prediction::Resource;

use super::ascii::transliterated;

pub(super) const HEADING: Style = Style::new().bold();
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(super) const QUIET: Style = Style::new().dimmed();

/// How to show text.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Derivations, formulas, all accesses, assumptions, occupancy with its steps.
    pub verbose: bool,
    /// Whether block elements and arrows can be shown.
    pub unicode: bool,
    /// Columns of a line.
    pub width: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            verbose: false,
            unicode: true,
            width: 80,
        }
    }
}

/// Text that grows line by line.
pub(super) struct Page {
    pub(super) text: String,
    pub(super) options: Options,
}

impl Page {
    pub(super) fn new(options: Options) -> Self {
        Page {
            text: String::new(),
            options,
        }
    }

    /// The text, in ASCII where nothing else can be shown.
    pub(super) fn finish(self) -> String {
        if self.options.unicode {
            self.text
        } else {
            transliterated(&self.text)
        }
    }

    /// One line as it is.
    pub(super) fn line(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A blank line, then a heading.
    pub(super) fn heading(&mut self, title: &str) {
        self.blank();
        self.line(paint(HEADING, title));
    }

    /// `text` with words wrapped to the width; lines after the first are indented by `hanging`.
    /// `first` goes before the text and may be styled; `first_width` are its columns.
    pub(super) fn wrapped(&mut self, first: &str, first_width: usize, hanging: usize, text: &str) {
        let width = self.options.width;
        let lines = wrap(
            text,
            width.saturating_sub(first_width),
            width.saturating_sub(hanging),
        );
        for (index, line) in lines.iter().enumerate() {
            if index == 0 {
                self.line(format!("{first}{line}").trim_end());
            } else {
                self.line(format!("{}{line}", " ".repeat(hanging)));
            }
        }
    }

    /// A wrapped line with the same indentation throughout.
    pub(super) fn paragraph(&mut self, indent: usize, text: &str) {
        self.wrapped(&" ".repeat(indent), indent, indent, text);
    }

    /// A paragraph in a style.
    pub(super) fn styled_paragraph(&mut self, style: Style, indent: usize, text: &str) {
        let start = self.text.len();
        self.paragraph(indent, text);
        let wrapped = self.text.split_off(start);
        for line in wrapped.lines() {
            self.line(paint(style, line));
        }
    }

    /// How many rows a list leaves out, where it does.
    pub(super) fn rest(&mut self, all: usize, shown: usize) {
        if all > shown {
            let rest = all - shown;
            self.line(paint(
                QUIET,
                format!("  … and {rest} more (--verbose shows them)"),
            ));
        }
    }
}

/// `text` in a style.
pub(super) fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The words of `text` in lines of at most `first` columns, then `rest`; a longer word keeps a line
/// of its own. At least one line, which may be empty.
pub fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let width = if lines.len() == 1 { first } else { rest };
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Columns that unstyled text takes, a character each.
pub(super) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// `text` cut to `width` columns, with an ellipsis where something is lost.
pub(super) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut kept: String = text.chars().take(width.saturating_sub(1)).collect();
    kept.push('…');
    kept
}

/// The word for a resource in a sentence.
pub(super) fn resource_words(resource: Resource) -> &'static str {
    match resource {
        Resource::Dram => "DRAM bandwidth",
        Resource::L2 => "L2 bandwidth",
        Resource::L1 => "L1 wavefronts",
        Resource::Shared => "workgroup memory",
        Resource::Compute => "arithmetic",
        Resource::Special => "special functions",
        Resource::Integer => "integer arithmetic",
        Resource::Issue => "instruction issue",
        Resource::Latency => "memory latency",
        Resource::Atomic => "same-address atomics",
        Resource::Launch => "launch overhead",
        Resource::Transfer => "host transfer",
    }
}

/// `1 note`, `2 notes`.
pub(super) fn plural(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}
