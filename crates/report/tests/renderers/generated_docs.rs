//! The pages that are generated from the report types are up to date.

use std::fs;
use std::path::Path;

const WAY_OUT: &str = "run `cargo run -p cresta-report --example schemas`";

fn docs() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

#[test]
fn json_schemas_are_up_to_date() {
    for (name, text) in cresta_report::json::schemas() {
        let written = fs::read_to_string(docs().join("schema").join(name)).unwrap_or_default();
        assert_eq!(
            written, text,
            "docs/schema/{name} is out of date: {WAY_OUT}"
        );
    }
}

#[test]
fn the_reference_page_is_up_to_date() {
    let written = fs::read_to_string(docs().join("report-schema.md")).unwrap_or_default();
    assert_eq!(
        written,
        cresta_report::reference::markdown(),
        "docs/report-schema.md is out of date: {WAY_OUT}"
    );
}
