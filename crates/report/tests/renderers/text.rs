//! What a person reads at the terminal.

use crate::fixture;
use anstream::adapter::strip_str;
use cresta_analysis::EntryFailure;
use cresta_report::{Document, Entry, FileReport, Outcome, text};
use cresta_rules::Findings;
use cresta_wgsl::source::{SourceError, SourceFile};

fn shown(document: &Document, options: text::Options) -> String {
    strip_str(&text::render(document, options)).to_string()
}

fn plain(document: &Document) -> String {
    shown(document, text::Options::default())
}

/// One screen: 50 lines of 80 columns, but for labels beside source lines, which stand where the
/// source puts them.
fn assert_fits_a_screen(text: &str) {
    assert!(text.lines().count() <= 50, "too long:\n{text}");
    for line in text.lines() {
        let is_label = line.trim_start().starts_with('|');
        assert!(is_label || line.chars().count() <= 80, "too wide: {line}");
    }
}

#[test]
fn known_launch() {
    let text = plain(&fixture::document(fixture::facts(), fixture::findings()));
    assert_fits_a_screen(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn unknown_launch() {
    let text = plain(&fixture::document(
        fixture::facts_at_unknown_launch(),
        Findings::default(),
    ));
    assert_fits_a_screen(&text);
    insta::assert_snapshot!(text);
}

#[test]
fn verbose() {
    let options = text::Options {
        verbose: true,
        ..text::Options::default()
    };
    let document = fixture::document(fixture::facts(), fixture::findings());
    insta::assert_snapshot!(shown(&document, options));
}

/// 2.705 ms is 1.082 GB over 400 GB/s, 0.215 ms is 2·1024³ FLOP over 10 TFLOP/s: 12.6 times less.
#[test]
fn the_verdict_names_the_bound_and_the_slack() {
    let text = plain(&fixture::document(fixture::facts(), Findings::default()));
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        flat.contains(
            "Limited by DRAM bandwidth: 2.71 ms predicted, of which arithmetic needs 215 µs (13× slack)."
        ),
        "{text}"
    );
}

/// Without a launch there is no time: the verdict goes by intensity and no number is made up.
#[test]
fn an_unknown_launch_gives_no_time() {
    let text = plain(&fixture::document(
        fixture::facts_at_unknown_launch(),
        Findings::default(),
    ));
    assert!(text.contains("Time unknown."), "{text}");
    assert!(text.contains("--set d.K=…"), "{text}");
    assert!(!text.contains("0 s"), "{text}");
    assert!(!text.contains("Time by resource"), "{text}");
}

#[test]
fn ascii_has_no_block_elements() {
    let options = text::Options {
        unicode: false,
        ..text::Options::default()
    };
    let text = shown(
        &fixture::document(fixture::facts(), Findings::default()),
        options,
    );
    assert!(text.contains("####"), "{text}");
    assert!(!text.contains('█') && !text.contains('›'), "{text}");
}

/// A span outside of the text, which only a fault of an engine can give, must not lose the message.
#[test]
fn a_span_outside_the_text_keeps_its_message() {
    let mut findings = fixture::findings();
    findings.diagnostics[0].location.start = 1 << 20;
    findings.diagnostics[0].location.end = 1 << 21;
    findings.diagnostics[0].labels.clear();
    let text = plain(&fixture::document(fixture::facts(), findings));
    assert!(
        text.contains("half of each line is fetched for nothing"),
        "{text}"
    );
}

#[test]
fn failures_and_the_closing_line() {
    let text = "@compute @workgroup_size(1) fn main() { loop {} }\n";
    let files = vec![
        FileReport {
            name: "loops.wgsl".to_owned(),
            source: Some(SourceFile::new("loops.wgsl", text)),
            outcome: Outcome::Kernels(vec![Entry::Refused(EntryFailure {
                entry: "main".to_owned(),
                location: Some(cresta_analysis::Location {
                    start: 40,
                    end: 47,
                    line: 1,
                    column: 41,
                    call_chain: Vec::new(),
                }),
                message: "this loop never ends".to_owned(),
                help: Some("break out of it".to_owned()),
            })]),
        },
        FileReport {
            name: "empty.wgsl".to_owned(),
            source: Some(SourceFile::new("empty.wgsl", "")),
            outcome: Outcome::Invalid(SourceError::Empty {
                comments_only: false,
            }),
        },
        FileReport {
            name: "gone.wgsl".to_owned(),
            source: None,
            outcome: Outcome::Unreadable("no such file".to_owned()),
        },
    ];
    let document = fixture::document_of(files);
    assert_eq!(document.worst(), Some(cresta_rules::Severity::Error));
    insta::assert_snapshot!(plain(&document));
}
