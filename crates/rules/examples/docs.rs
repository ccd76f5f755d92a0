//! Writes `docs/rules` from the registry.

use std::path::Path;
use std::{fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    for page in cresta_rules::pages() {
        let path = folder.join(page.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, page.text)?;
    }
    Ok(())
}
