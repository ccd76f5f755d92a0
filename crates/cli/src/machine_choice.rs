//! Which machine: a built-in one by name, a file by path, or the default.

use std::fs;
use std::path::Path;

use cresta_model::machine::Machine;
use cresta_report::text;

use crate::error::Error;

/// The machine when none is named.
const DEFAULT: &str = "generic-mid";

/// A machine and why it was taken, in words that follow its name.
pub(crate) struct Choice {
    pub(crate) machine: Machine,
    pub(crate) reason: String,
}

/// The machine that `--machine` names, or the default.
///
/// # Errors
///
/// [`Error::UnknownMachine`], [`Error::Read`], or [`Error::Drawn`] for a file with a fault.
pub(crate) fn choose(name: Option<&str>) -> Result<Choice, Error> {
    match name {
        None => Ok(Choice {
            machine: find(DEFAULT)?,
            reason: "the default (see --machine)".to_owned(),
        }),
        Some(name) => {
            let machine = find(name)?;
            let reason = if machine.id == name {
                "named by --machine".to_owned()
            } else {
                format!("from {name}")
            };
            Ok(Choice { machine, reason })
        }
    }
}

/// A built-in machine by name, or a machine file by path.
///
/// # Errors
///
/// As [`choose`].
pub(crate) fn find(name: &str) -> Result<Machine, Error> {
    if let Some(machine) = cresta_machine::builtin(name) {
        return Ok(machine.clone());
    }
    let path = Path::new(name);
    let is_path = path.extension().is_some() || path.components().count() > 1 || path.is_file();
    if is_path {
        return load(path);
    }
    Err(Error::UnknownMachine {
        name: name.to_owned(),
        suggestions: cresta_machine::suggest(name)
            .into_iter()
            .map(str::to_owned)
            .collect(),
    })
}

/// A machine file.
///
/// # Errors
///
/// [`Error::Read`], or [`Error::Drawn`] for a file with a fault.
pub(crate) fn load(path: &Path) -> Result<Machine, Error> {
    let read = |reason| Error::Read {
        path: path.to_owned(),
        reason,
    };
    let text = fs::read_to_string(path).map_err(read)?;
    let name = path.display().to_string();
    cresta_machine::parse(&text, &name).map_err(|error| {
        Error::Drawn(text::fault(
            "machine-file",
            &name,
            &text,
            error.span.clone(),
            &format!("failed to load the machine: {}", error.problem),
            &error.problem.help(),
        ))
    })
}
