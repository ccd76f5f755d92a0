//! Runs the built command and keeps what it said.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// What one run said.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}{}", self.stdout, self.stderr))
    }

    /// Everything said, with white space flattened, for looking for a sentence that may wrap.
    pub(crate) fn flat(&self) -> String {
        let all = format!("{} {}", self.stdout, self.stderr);
        all.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Runs `cresta` in a UTF-8 locale.
pub(crate) fn cresta<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    run(arguments, None)
}

/// Runs `cresta` with text on standard input.
pub(crate) fn cresta_with_input<'a>(
    arguments: impl IntoIterator<Item = &'a str>,
    input: &[u8],
) -> Run {
    run(arguments, Some(input))
}

fn run<S: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = S>,
    input: Option<&[u8]>,
) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cresta"))
        .args(arguments)
        .env("LC_ALL", "C.UTF-8")
        .env_remove("RUST_BACKTRACE")
        .current_dir(kernels())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin
        .write_all(input.unwrap_or_default())
        .expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    Run {
        code: output.status.code().expect("an exit code, not a signal"),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// The folder of the kernel library, in which the command runs.
pub(crate) fn kernels() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/wgsl")
}

/// A folder with these files, removed when dropped.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, bytes) in files {
        let path = folder.path().join(name);
        let parent = path.parent().expect("a parent");
        std::fs::create_dir_all(parent).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
    folder
}

/// Path of a file in a folder, as an argument.
pub(crate) fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}
