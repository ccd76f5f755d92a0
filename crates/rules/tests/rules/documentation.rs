//! Every rule is documented, and `docs/rules` is what the registry says.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cresta_rules::{HEADINGS, REGISTRY, pages};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules")
}

#[test]
fn every_rule_has_every_heading_with_text() {
    for rule in REGISTRY {
        let sections = rule.documentation.sections();
        let headings: Vec<_> = sections
            .iter()
            .map(|section| section.heading.as_str())
            .collect();
        assert_eq!(headings, HEADINGS, "{}", rule.code);
        for section in sections {
            assert!(
                !section.body.is_empty(),
                "{}: {}",
                rule.code,
                section.heading
            );
        }
    }
}

#[test]
fn every_summary_is_a_sentence() {
    for rule in REGISTRY {
        assert!(
            rule.summary.ends_with('.'),
            "{}: {}",
            rule.code,
            rule.summary
        );
        assert!(
            rule.documentation.markdown().starts_with(rule.summary),
            "{}",
            rule.code
        );
    }
}

#[test]
fn the_pages_are_up_to_date() {
    let hint = "run `cargo run -p cresta-rules --example docs`";
    for page in pages() {
        let path = folder().join(&page.path);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| {
            panic!("{}: {error}; {hint}", page.path);
        });
        assert_eq!(text, page.text, "{} is not up to date; {hint}", page.path);
    }
}

#[test]
fn no_page_is_left_of_a_rule_that_is_gone() {
    let expected: BTreeSet<_> = pages()
        .into_iter()
        .map(|page| folder().join(page.path))
        .collect();
    let mut found = BTreeSet::new();
    let mut folders = vec![folder()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path);
            }
        }
    }
    assert_eq!(found, expected);
}
