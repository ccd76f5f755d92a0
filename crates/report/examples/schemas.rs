//! Writes `docs/schema` and `docs/report-schema.md` from the report types.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    fs::create_dir_all(docs.join("schema"))?;
    for (name, text) in cresta_report::json::schemas() {
        fs::write(docs.join("schema").join(name), text)?;
    }
    fs::write(
        docs.join("report-schema.md"),
        cresta_report::reference::markdown(),
    )
}
