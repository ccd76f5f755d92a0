//! The command `cresta`: arguments, files, exit codes. The only crate that prints.
//!
//! Exit codes: 0 fine; 1 findings at or above `--fail-on`, where whatever could not be analysed is
//! an error; 2 bad usage, or nothing at all could be analysed. Start at [`arguments`], then
//! [`analyze`].

mod analyze;
mod arguments;
mod error;
mod explain;
mod files;
mod launch;
mod machine_choice;
mod machines;
mod names;
mod occupancy;
mod output;
mod wrap;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};
use error::Error;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(status) => status.into(),
        Err(error) => {
            output::complain(&error);
            Status::Unusable.into()
        }
    }
}

fn run(arguments: &Arguments) -> Result<Status, Error> {
    match &arguments.command {
        Command::Analyze(of) => analyze::run(of),
        Command::Occupancy(of) => occupancy::run(of),
        Command::Machines(of) => machines::run(of),
        Command::Explain(of) => explain::run(of),
    }
}

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// Nothing at or above `--fail-on`.
    Fine,
    /// Something at or above it.
    Findings,
    /// Bad usage, or nothing at all could be analysed.
    Unusable,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        ExitCode::from(match status {
            Status::Fine => 0,
            Status::Findings => 1,
            Status::Unusable => 2,
        })
    }
}
