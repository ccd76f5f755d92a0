//! The IR of small shaders, one for each feature, against `golden/*.ir`.
//!
//! Run with `UPDATE_GOLDEN=1` to write the files anew, then read the difference.

mod lower;

use std::path::Path;

use lower::{names, verify, wgsl};

#[test]
fn dumps_are_as_they_were() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut differing = Vec::new();
    let mut count = 0;
    for file in std::fs::read_dir(&folder).expect("the folder exists") {
        let path = file.expect("the folder can be read").path();
        if path.extension().is_none_or(|extension| extension != "wgsl") {
            continue;
        }
        count += 1;
        let source = std::fs::read_to_string(&path).expect("the file can be read");
        let dump = dump(&source);
        let golden = path.with_extension("ir");
        if update {
            std::fs::write(&golden, &dump).expect("the file can be written");
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        if dump != expected {
            differing.push(format!("{}:\n{dump}", path.display()));
        }
    }
    assert!(count >= 20, "only {count} shaders found");
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// The dump of every entry point, with the notes on what is unsupported.
fn dump(source: &str) -> String {
    let valid = wgsl(source);
    assert_eq!(names(&valid), ["main"]);
    let overrides: &[_] = if source.contains("@id(7)") {
        &[("TILE", 4.0)]
    } else {
        &[]
    };
    let lowered = valid.lower(overrides).expect("it lowers");
    assert_eq!(verify::verify(&lowered.kernel), Vec::<String>::new());
    let mut text = lowered.kernel.to_string();
    for note in lowered.unsupported {
        let (start, end) = (note.span.start as usize, note.span.end as usize);
        text.push_str(&format!(
            "unsupported: {} at `{}`\n",
            note.what,
            &source[start..end]
        ));
    }
    text
}
