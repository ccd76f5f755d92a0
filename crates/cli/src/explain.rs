//! `cresta explain`: the documentation of a code, or the list of all codes.

use std::fmt::Write as _;

use cresta_rules::REGISTRY;

use crate::Status;
use crate::arguments::{ExplainArguments, Format, OutputOptions};
use crate::error::Error;
use crate::output;

/// Codes of failures, which no rule reports.
const FAILURES: [(&str, &str); 11] = [
    (
        cresta_report::REFUSED,
        "The module is valid, but this entry point uses something that Cresta does not model, or \
         its size depends on an override without a value. The message says what. The other entry \
         points are analysed all the same.",
    ),
    (
        cresta_report::UNREADABLE,
        "The file could not be opened or read, or the folder holds no shader files \
         (*.wgsl, *.spv, *.comp, *.glsl).",
    ),
    (
        "source-encoding",
        "The bytes are not UTF-8, which WGSL must be.",
    ),
    (
        "source-empty",
        "The file holds nothing, or nothing but comments.",
    ),
    (
        "source-template",
        "The text is a template (#import, {{ … }}) that has to be expanded to become WGSL.",
    ),
    (
        "source-language",
        "The extension names a language that is not read: WGSL, GLSL compute shaders and SPIR-V \
         are.",
    ),
    (
        "source-nesting",
        "Expressions or chains of `else if` nest more deeply than browsers and naga take.",
    ),
    (
        "source-parse",
        "The text does not parse, or a name in it does not resolve. The place is underlined.",
    ),
    (
        "source-validate",
        "The module parses and breaks a rule of the language. The places are underlined.",
    ),
    (
        "source-front-end",
        "naga itself failed on the input. The file may be valid; please report it.",
    ),
    (
        "source-no-compute-entry",
        "The module has no @compute entry point. A folder's files of this kind are passed over.",
    ),
];

pub(crate) fn run(arguments: &ExplainArguments) -> Result<Status, Error> {
    let text = match arguments.code.as_deref() {
        None => list(),
        Some(code) => explanation(code)?,
    };
    let options = OutputOptions {
        format: Format::Text,
        output: None,
    };
    output::write(&options, &text)?;
    Ok(Status::Fine)
}

fn explanation(code: &str) -> Result<String, Error> {
    if let Some((code, text)) = FAILURES.iter().find(|(known, _)| *known == code) {
        return Ok(format!("{code} · error\n\n{text}\n"));
    }
    let rule = cresta_rules::find(code)?;
    Ok(format!(
        "{} · {} · {}\n\n{}\n",
        rule.code,
        rule.severity.name(),
        rule.status.name(),
        rule.documentation.markdown().trim()
    ))
}

fn list() -> String {
    let mut text = "Rules:\n".to_owned();
    for rule in REGISTRY {
        line(&mut text, rule.code, rule.summary);
    }
    text.push_str("\nFailures:\n");
    for (code, meaning) in FAILURES {
        let sentence = meaning.split_once(". ").map_or(meaning, |(first, _)| first);
        line(&mut text, code, sentence);
    }
    text.push_str("\n`cresta explain CODE` tells more of one.\n");
    text
}

fn line(text: &mut String, code: &str, summary: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  {code:<34} {}", summary.trim_end_matches('.'));
}
