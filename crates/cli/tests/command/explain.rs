//! `cresta explain`.

use crate::support::cresta;

/// The list has an entry for each rule, and each code of it can be explained.
#[test]
fn every_listed_code_is_explained() {
    let list = cresta(["explain"]);
    assert_eq!(list.code, 0);
    let codes: Vec<&str> = list
        .stdout
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(codes.len() > cresta_rules::REGISTRY.len(), "{codes:?}");
    for code in codes {
        let run = cresta(["explain", code]);
        assert_eq!(run.code, 0, "{code}: {}", run.stderr);
        assert!(run.stdout.starts_with(code), "{}", run.stdout);
    }
}

#[test]
fn an_unknown_code_is_bad_usage() {
    let run = cresta(["explain", "no-such-code"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("no rule is called `no-such-code`"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.is_empty());
}
