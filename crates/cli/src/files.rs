//! Which files: those that are named, and the shaders of folders.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cresta_wgsl::source::SourceFile;
use ignore::WalkBuilder;

/// Extensions of files that a folder is searched for.
const EXTENSIONS: [&str; 4] = ["wgsl", "spv", "comp", "glsl"];
/// The most that is read of one file. The largest shaders are a few megabytes; more than this is
/// something else, and a device such as `/dev/zero` has no end.
const MOST_BYTES: u64 = 64 << 20;
/// Name of standard input in reports.
const STANDARD_INPUT: &str = "<stdin>";

/// One file to analyse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// Name in reports.
    pub(crate) name: String,
    origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    /// Named on the command line.
    Named(PathBuf),
    /// Found in a folder.
    Found(PathBuf),
    StandardInput,
    /// Nothing to read, and why.
    Missing(String),
}

impl Input {
    /// Whether the person named the file, rather than a folder that holds it.
    pub(crate) fn is_named(&self) -> bool {
        !matches!(self.origin, Origin::Found(_))
    }

    /// Its bytes, or why there are none.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        match &self.origin {
            Origin::Named(path) | Origin::Found(path) => File::open(path)
                .map_err(|error| error.to_string())
                .and_then(read_bounded),
            Origin::StandardInput => read_bounded(io::stdin().lock()),
            Origin::Missing(reason) => Err(reason.clone()),
        }
    }
}

fn read_bounded(from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!("it is larger than {} MiB", MOST_BYTES >> 20));
    }
    Ok(bytes)
}

/// The inputs in the order of the arguments, those of a folder by path; each file once.
pub(crate) fn collect(paths: &[PathBuf]) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    for path in paths {
        let found = if path.is_dir() {
            folder(path)
        } else {
            vec![file(path)]
        };
        for input in found {
            if !inputs.iter().any(|other| other.name == input.name) {
                inputs.push(input);
            }
        }
    }
    inputs
}

/// A file named on the command line.
pub(crate) fn file(path: &Path) -> Input {
    if path.as_os_str() == "-" {
        return Input {
            name: STANDARD_INPUT.to_owned(),
            origin: Origin::StandardInput,
        };
    }
    Input {
        name: path.display().to_string(),
        origin: Origin::Named(path.to_owned()),
    }
}

/// The text behind `bytes`, for showing lines of it; none for SPIR-V and for what is not UTF-8.
pub(crate) fn source(name: &str, bytes: &[u8]) -> Option<SourceFile> {
    let text = str::from_utf8(bytes).ok()?;
    Some(SourceFile::new(name, text))
}

/// The shaders of a folder by path; what version control ignores is passed over, and so are pipes
/// and devices, which may never end.
fn folder(path: &Path) -> Vec<Input> {
    let mut found = Vec::new();
    for entry in WalkBuilder::new(path).build() {
        match entry {
            Ok(entry) if is_shader(entry.path()) && may_be_read(entry.path()) => {
                found.push(Input {
                    name: entry.path().display().to_string(),
                    origin: Origin::Found(entry.into_path()),
                });
            }
            Ok(_) => {}
            Err(error) => found.push(missing(path, error.to_string())),
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() {
        let patterns: Vec<String> = EXTENSIONS.iter().map(|of| format!("*.{of}")).collect();
        found.push(missing(
            path,
            format!("no {} in this folder", patterns.join(", ")),
        ));
    }
    found
}

/// A file, or a link to none, which reading will name.
fn may_be_read(path: &Path) -> bool {
    path.is_file() || !path.exists()
}

fn missing(path: &Path, reason: String) -> Input {
    Input {
        name: path.display().to_string(),
        origin: Origin::Missing(reason),
    }
}

fn is_shader(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| {
        EXTENSIONS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(extension))
    })
}
