//! The registry: every rule with its code, severity, status and documentation.
//!
//! Codes are unique, written `category/name` in kebab case, and never change once they are stable.
//! Start at [`REGISTRY`] and [`check`].

use cresta_analysis::Facts;

use crate::documentation::Documentation;
use crate::finding::{Findings, Severity};
use crate::rules;

/// How settled a rule is. Both kinds run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Code, severity and thresholds stay.
    Stable,
    /// Thresholds may still move as predictions are compared with measurements.
    Preview,
}

impl Status {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Status::Stable => "stable",
            Status::Preview => "preview",
        }
    }
}

/// One rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// `category/name`.
    pub code: &'static str,
    /// The worst severity that it reports.
    pub severity: Severity,
    /// How settled it is.
    pub status: Status,
    /// What it finds, in a sentence.
    pub summary: &'static str,
    /// What `cresta explain` prints.
    pub documentation: Documentation,
    /// Adds what it finds in the facts.
    pub check: fn(&Facts, &mut Findings),
}

impl Rule {
    /// A rule whose summary and documentation stand at the head of `source`, the text of its file.
    pub(crate) const fn new(
        code: &'static str,
        severity: Severity,
        status: Status,
        source: &'static str,
        check: fn(&Facts, &mut Findings),
    ) -> Self {
        let documentation = Documentation::of_source(source);
        Rule {
            code,
            severity,
            status,
            summary: documentation.summary(),
            documentation,
            check,
        }
    }
}

/// Every rule, by code.
pub const REGISTRY: &[Rule] = rules::ALL;

/// Runs every rule.
pub fn check(facts: &Facts) -> Findings {
    let mut findings = Findings::default();
    for rule in REGISTRY {
        (rule.check)(facts, &mut findings);
    }
    findings.sort();
    findings
}

/// A code that no rule has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no rule is called `{code}`{}", suggestion(.suggestions))]
pub struct UnknownCode {
    /// What was asked for.
    pub code: String,
    /// Codes that look like it, the nearest first.
    pub suggestions: Vec<&'static str>,
}

fn suggestion(codes: &[&'static str]) -> String {
    match codes {
        [] => String::new(),
        [first, rest @ ..] => {
            let rest: String = rest.iter().map(|code| format!(" or `{code}`")).collect();
            format!("; did you mean `{first}`{rest}?")
        }
    }
}

/// The rule with this code.
///
/// # Errors
///
/// When there is none; the error names up to three codes that look like it.
pub fn find(code: &str) -> Result<&'static Rule, UnknownCode> {
    REGISTRY
        .iter()
        .find(|rule| rule.code == code)
        .ok_or_else(|| UnknownCode {
            code: code.to_owned(),
            suggestions: suggestions(code),
        })
}

/// Similarity, 0–1, from which a code is suggested: two or three wrong letters in a name.
const SIMILAR: f64 = 0.7;
/// How many codes are suggested at most.
const SUGGESTIONS: usize = 3;

fn suggestions(asked: &str) -> Vec<&'static str> {
    let mut near: Vec<_> = REGISTRY
        .iter()
        .map(|rule| (similarity(asked, rule.code), rule.code))
        .filter(|&(similarity, _)| similarity >= SIMILAR)
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.into_iter()
        .take(SUGGESTIONS)
        .map(|(_, code)| code)
        .collect()
}

/// How near `asked` is to a code, to either of its parts, or to a word of it.
fn similarity(asked: &str, code: &str) -> f64 {
    let asked = asked.to_lowercase();
    [code]
        .into_iter()
        .chain(code.split('/'))
        .chain(code.split(['/', '-']).filter(|word| word.len() >= 4))
        .map(|part| strsim::normalized_damerau_levenshtein(&asked, part))
        .fold(0.0, f64::max)
}
