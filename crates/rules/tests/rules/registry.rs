//! Codes, order and suggestions.

use cresta_rules::{REGISTRY, find};

#[test]
fn codes_are_unique_sorted_kebab_case() {
    let codes: Vec<_> = REGISTRY.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
    for code in codes {
        let parts: Vec<_> = code.split('/').collect();
        assert_eq!(parts.len(), 2, "{code}");
        for part in parts {
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(!part.is_empty() && part.chars().all(kebab), "{code}");
        }
    }
}

#[test]
fn a_code_is_found() {
    let rule = find("memory/strided-access").expect("the rule exists");
    assert_eq!(rule.code, "memory/strided-access");
}

#[test]
fn a_near_code_is_suggested() {
    let suggestions = |code: &str| find(code).expect_err("no such rule").suggestions;
    assert_eq!(
        suggestions("memory/stridedaccess"),
        ["memory/strided-access"]
    );
    assert_eq!(suggestions("strided-acess"), ["memory/strided-access"]);
    assert_eq!(suggestions("padding"), ["layout/struct-padding"]);
    assert_eq!(
        suggestions("Occupancy"),
        ["occupancy/does-not-fit", "occupancy/low"]
    );
    assert!(suggestions("xyzzy").is_empty());
}

#[test]
fn the_error_reads_as_a_sentence() {
    let error = find("padding").expect_err("no such rule");
    assert_eq!(
        error.to_string(),
        "no rule is called `padding`; did you mean `layout/struct-padding`?"
    );
    let error = find("xyzzy").expect_err("no such rule");
    assert_eq!(error.to_string(), "no rule is called `xyzzy`");
}
