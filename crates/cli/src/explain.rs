//! `cresta explain`: the documentation of a code, or the list of all codes.

use cresta_rules::REGISTRY;

use crate::Status;
use crate::arguments::{ExplainArguments, Format, OutputOptions};
use crate::error::Error;
use crate::output;
use crate::wrap::{markdown, wrapped};

/// A code that no rule reports.
struct Failure {
    code: &'static str,
    summary: &'static str,
    more: &'static str,
}

const FAILURES: [Failure; 11] = [
    Failure {
        code: cresta_report::REFUSED,
        summary: "An entry point could not be analysed",
        more: "The module is valid, but this entry point uses something that Cresta does not model, \
               or its size depends on an override without a value. The message says what. The other \
               entry points are analysed all the same.",
    },
    Failure {
        code: cresta_report::UNREADABLE,
        summary: "A file or folder gives nothing to read",
        more: "The file could not be opened, or the folder holds no shader files.",
    },
    Failure {
        code: "source-encoding",
        summary: "The file is not UTF-8",
        more: "WGSL is UTF-8. The message names the first byte that is not, and a way to convert.",
    },
    Failure {
        code: "source-empty",
        summary: "The file holds no program",
        more: "It is empty, or holds nothing but comments. In a folder, such files are passed over.",
    },
    Failure {
        code: "source-template",
        summary: "The file is a template",
        more: "Directives such as #import or {{ … }} have to be expanded to become WGSL.",
    },
    Failure {
        code: "source-language",
        summary: "The file is in a language that is not read",
        more: "WGSL, GLSL compute shaders and SPIR-V are read.",
    },
    Failure {
        code: "source-nesting",
        summary: "Expressions or chains of `else if` nest too deeply, or a function is too long",
        more: "Browsers and naga refuse such depths, and naga's time grows with the square of such lengths.",
    },
    Failure {
        code: "source-parse",
        summary: "The text does not parse, or a name does not resolve",
        more: "The place is underlined.",
    },
    Failure {
        code: "source-validate",
        summary: "The module breaks a rule of the language",
        more: "The module parses; the places that make it invalid are underlined.",
    },
    Failure {
        code: "source-front-end",
        summary: "naga failed on the input",
        more: "The file may be valid all the same: the fault is in the front end.",
    },
    Failure {
        code: "source-no-compute-entry",
        summary: "The module has no @compute entry point",
        more: "There is nothing to analyse. In a folder, such files are passed over.",
    },
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
    if let Some(failure) = FAILURES.iter().find(|failure| failure.code == code) {
        let Failure { summary, more, .. } = failure;
        let more = wrapped("", 0, more);
        return Ok(format!("{code} · error\n\n{summary}.\n\n{more}\n"));
    }
    let rule = cresta_rules::find(code)?;
    Ok(format!(
        "{} · {} · {}\n\n{}\n",
        rule.code,
        rule.severity.name(),
        rule.status.name(),
        markdown(rule.documentation.markdown().trim())
    ))
}

fn list() -> String {
    let mut text = "Rules:\n".to_owned();
    for rule in REGISTRY {
        line(&mut text, rule.code, rule.summary);
    }
    text.push_str("\nFailures:\n");
    for failure in FAILURES {
        line(&mut text, failure.code, failure.summary);
    }
    text.push_str("\n`cresta explain CODE` tells more of one.\n");
    text
}

fn line(text: &mut String, code: &str, summary: &str) {
    let first = format!("  {code:<34} ");
    text.push_str(&wrapped(&first, first.len(), summary.trim_end_matches('.')));
    text.push('\n');
}
