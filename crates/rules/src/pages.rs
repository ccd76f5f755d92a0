//! The pages of `docs/rules`, as text: one a rule, and an index.
//!
//! `cargo run -p cresta-rules --example docs` writes them; a test compares them with what is there.
//! Start at [`pages`].

use std::fmt::Write;

use crate::registry::{REGISTRY, Rule};

/// One file of `docs/rules`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Path below `docs/rules`, with `/`.
    pub path: String,
    /// Markdown.
    pub text: String,
}

/// Every page: the index, then one a rule in the order of the registry.
pub fn pages() -> Vec<Page> {
    std::iter::once(index())
        .chain(REGISTRY.iter().map(page))
        .collect()
}

fn page(rule: &Rule) -> Page {
    let mut text = format!(
        "# {}\n\n{}\n\nSeverity: {} · status: {}\n",
        rule.code,
        rule.summary,
        rule.severity.name(),
        rule.status.name()
    );
    for section in rule.documentation.sections() {
        append(
            &mut text,
            format_args!("\n## {}\n\n{}\n", section.heading, section.body),
        );
    }
    Page {
        path: format!("{}.md", rule.code),
        text,
    }
}

fn index() -> Page {
    let mut text = String::from(
        "# Rules\n\nGenerated from the module documentation of the rules by\n`cargo run -p cresta-rules --example docs`. `cresta explain CODE` prints the same text.\n\n| code | severity | status | finds |\n| --- | --- | --- | --- |\n",
    );
    for rule in REGISTRY {
        append(
            &mut text,
            format_args!(
                "| [{code}]({code}.md) | {} | {} | {} |\n",
                rule.severity.name(),
                rule.status.name(),
                rule.summary,
                code = rule.code
            ),
        );
    }
    Page {
        path: "README.md".to_owned(),
        text,
    }
}

#[expect(clippy::expect_used, reason = "writing to a String cannot fail")]
fn append(text: &mut String, part: std::fmt::Arguments<'_>) {
    text.write_fmt(part).expect("a String takes any text");
}
