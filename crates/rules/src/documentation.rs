//! A rule's documentation: the module documentation of the file that holds the rule.
//!
//! There is one source for rustdoc, for `cresta explain` and for `docs/rules`: the leading `//!`
//! lines. The first of them is the summary; then come the sections of [`HEADINGS`]. Start at
//! [`Documentation`].

/// The headings that every rule has, in order.
pub const HEADINGS: [&str; 6] = [
    "What it does",
    "Why it matters",
    "Example",
    "Use instead",
    "When it does nothing",
    "References",
];

/// What starts a line of module documentation.
const MARK: &str = "//!";

/// The documentation of a rule, read from its source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Documentation {
    source: &'static str,
}

/// A heading with the text below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading without its mark.
    pub heading: String,
    /// Markdown, without blank lines at either end.
    pub body: String,
}

impl Documentation {
    /// The documentation at the head of `source`, the text of a Rust file.
    pub(crate) const fn of_source(source: &'static str) -> Self {
        Documentation { source }
    }

    /// The first line: what the rule finds, as a sentence.
    pub(crate) const fn summary(self) -> &'static str {
        let bytes = self.source.as_bytes();
        let mut end = 0;
        while end < bytes.len() && bytes[end] != b'\n' {
            end += 1;
        }
        let (line, _) = self.source.split_at(end);
        let (_, text) = line.split_at(MARK.len());
        text.trim_ascii()
    }

    /// The whole text as Markdown: the summary, then a first-level heading for each section.
    pub fn markdown(self) -> String {
        let mut text = String::new();
        for line in self.lines() {
            text.push_str(line);
            text.push('\n');
        }
        text
    }

    /// The sections, in order.
    pub fn sections(self) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        let mut in_code = false;
        for line in self.lines() {
            in_code ^= line.starts_with("```");
            match (line.strip_prefix("# "), sections.last_mut()) {
                (Some(heading), _) if !in_code => sections.push(Section {
                    heading: heading.trim().to_owned(),
                    body: String::new(),
                }),
                (_, Some(section)) => {
                    section.body.push_str(line);
                    section.body.push('\n');
                }
                (_, None) => {}
            }
        }
        for section in &mut sections {
            section.body = section.body.trim().to_owned();
        }
        sections
    }

    fn lines(self) -> impl Iterator<Item = &'static str> {
        self.source
            .lines()
            .map_while(|line| line.strip_prefix(MARK))
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "//! Finds things.\n//!\n//! # Example\n//!\n//! ```wgsl\n//! # not a heading\n//! ```\n//!\n//! # References\n//! none\n\nuse x;\n//! not read\n";

    #[test]
    fn the_first_line_is_the_summary() {
        assert_eq!(Documentation::of_source(SOURCE).summary(), "Finds things.");
    }

    #[test]
    fn sections_end_at_headings_outside_of_code() {
        let sections = Documentation::of_source(SOURCE).sections();
        let found: Vec<_> = sections
            .iter()
            .map(|section| (section.heading.as_str(), section.body.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                ("Example", "```wgsl\n# not a heading\n```"),
                ("References", "none")
            ]
        );
    }

    #[test]
    fn only_the_leading_lines_are_read() {
        assert!(
            !Documentation::of_source(SOURCE)
                .markdown()
                .contains("not read")
        );
    }
}
