//! The machines that Cresta brings along: the files of `data/`, in the order of `FILES`.
//!
//! Adding one is adding its file and its row here; a test compares the two.

use std::sync::{LazyLock, OnceLock};

use cresta_model::machine::Machine;

use crate::document::nearest;
use crate::parse;

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$((concat!($name, ".toml"), include_str!(concat!("../data/", $name, ".toml")))),+]
    };
}

/// Name and text of each file.
static FILES: &[(&str, &str)] = files![
    "generic-integrated",
    "generic-mid",
    "generic-high",
    "generic-mobile",
    "rtx-2060",
    "rtx-3070",
    "rtx-3090",
    "rtx-4070",
    "rtx-4090",
    "a100",
    "h100",
    "h200",
    "rx-6800-xt",
    "rx-7900-xtx",
    "mi300x",
    "arc-a770",
    "apple-m1",
    "apple-m2-max",
    "adreno-740",
    "mali-g78",
];

/// One cell a file, filled when the machine is first asked for.
static MACHINES: LazyLock<Vec<OnceLock<Machine>>> =
    LazyLock::new(|| FILES.iter().map(|_| OnceLock::new()).collect());

fn load(index: usize) -> &'static Machine {
    let (file, text) = FILES[index];
    MACHINES[index].get_or_init(|| match parse(text, file) {
        Ok(machine) => machine,
        Err(error) => unreachable!("a built-in machine does not load: {error}"),
    })
}

/// The built-in machine of this id. Files are named after the machine that they hold.
pub fn builtin(id: &str) -> Option<&'static Machine> {
    let file = |(file, _): &(&str, &str)| file.strip_suffix(".toml") == Some(id);
    FILES.iter().position(file).map(load)
}

/// All built-in machines: the generic ones, then by vendor.
pub fn builtins() -> impl Iterator<Item = &'static Machine> {
    (0..FILES.len()).map(load)
}

/// Ids of built-in machines that `name` may have meant, best first: ids that contain it
/// (`4090` → `rtx-4090`), else the one that is spelt most like it. Case, spaces and underscores do
/// not matter.
pub fn suggest(name: &str) -> Vec<&'static str> {
    let plain = name.trim().to_lowercase().replace([' ', '_'], "-");
    let ids = || builtins().map(|machine| machine.id.as_str());
    let containing: Vec<&str> = ids()
        .filter(|id| plain.len() >= 2 && (id.contains(&plain) || plain.contains(id)))
        .collect();
    if containing.is_empty() {
        return nearest(&plain, ids()).into_iter().collect();
    }
    containing
}
