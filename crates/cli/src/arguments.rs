//! The command line, as types. Values are parsed here, so that the commands see no bad ones.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::launch::{Assignment, Extent, Extent64, parse_assignment, parse_extent, parse_extent64};

/// Tells what limits a WebGPU compute kernel, which optimisations will pay, and which will do
/// nothing. Needs the source and no GPU.
#[derive(Debug, Parser)]
#[command(name = "cresta", version, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say what limits the kernels of shader files, and what will pay
    Analyze(AnalyzeArguments),
    /// Compute how many workgroups a compute unit holds, and what stops the next one
    Occupancy(OccupancyArguments),
    /// List, show, compare and validate machine descriptions
    Machines(MachinesArguments),
    /// Explain a code of a finding; without one, list all codes
    Explain(ExplainArguments),
}

#[derive(Debug, Args)]
pub(crate) struct AnalyzeArguments {
    /// Shader files, folders to search for *.wgsl, *.spv, *.comp and *.glsl, or - for standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only this entry point
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,
    #[command(flatten)]
    pub(crate) machine: MachineOption,
    #[command(flatten)]
    pub(crate) launch: LaunchOptions,
    /// 32-bit registers of one invocation, when a compiler told them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) registers: Option<u32>,
    /// Lanes of a SIMD group, in place of the machine's
    #[arg(long, value_name = "LANES", value_parser = parse_simd_width)]
    pub(crate) simd: Option<u32>,
    /// How to count; symbolic needs no data, auto takes the best that the launch allows
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    pub(crate) engine: Engine,
    /// Exit with 1 when a finding is at least this bad
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    pub(crate) fail_on: FailOn,
    /// Show every access, formula, sum and assumption
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// What the kernel is launched with.
#[derive(Debug, Args)]
pub(crate) struct LaunchOptions {
    /// Value of a parameter, or of an unknown that a report named: d.K=1024, trips@42:7=8
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub(crate) values: Vec<Assignment>,
    /// Value of an override constant, by name or @id: TILE=16
    #[arg(long = "override", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub(crate) overrides: Vec<Assignment>,
    /// Elements of a runtime-sized array: A=1048576
    #[arg(long = "len", value_name = "ARRAY=N", value_parser = parse_assignment)]
    pub(crate) lengths: Vec<Assignment>,
    /// Workgroups along x, y, z; what is left out is 1
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_extent, conflicts_with = "invocations")]
    pub(crate) workgroups: Option<Extent>,
    /// Invocations along x, y, z, rounded up to whole workgroups
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_extent64)]
    pub(crate) invocations: Option<Extent64>,
}

#[derive(Debug, Args)]
pub(crate) struct MachineOption {
    /// Built-in machine, or a machine file [default: generic-mid]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) machine: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct OutputOptions {
    /// How to write the result
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Write to a file in place of standard output
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    Symbolic,
    Auto,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Error,
    Warning,
    Note,
}

#[derive(Debug, Args)]
pub(crate) struct OccupancyArguments {
    /// Shader file to take workgroup size, workgroup memory and registers from
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Entry point of the file, where there are several
    #[arg(long, value_name = "NAME", requires = "file")]
    pub(crate) entry: Option<String>,
    /// Value of an override constant of the file
    #[arg(long = "override", value_name = "NAME=VALUE", value_parser = parse_assignment, requires = "file")]
    pub(crate) overrides: Vec<Assignment>,
    #[command(flatten)]
    pub(crate) machine: MachineOption,
    /// Invocations of a workgroup along x, y, z; what is left out is 1
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_extent)]
    pub(crate) workgroup_size: Option<Extent>,
    /// Bytes of workgroup memory of a workgroup
    #[arg(long, value_name = "BYTES")]
    pub(crate) workgroup_memory: Option<u64>,
    /// 32-bit registers of one invocation
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) registers: Option<u32>,
    #[command(flatten)]
    pub(crate) unit: UnitOptions,
    #[command(flatten)]
    pub(crate) latency: LatencyOptions,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

/// What one compute unit has, in place of what the machine says.
#[derive(Debug, Args)]
#[command(next_help_heading = "In place of what the machine says of a unit")]
pub(crate) struct UnitOptions {
    /// Lanes of a SIMD group
    #[arg(long, value_name = "LANES", value_parser = parse_simd_width)]
    pub(crate) simd: Option<u32>,
    /// 32-bit registers, all lanes together
    #[arg(long, value_name = "N")]
    pub(crate) unit_registers: Option<u64>,
    /// Bytes of workgroup memory
    #[arg(long, value_name = "BYTES")]
    pub(crate) unit_memory: Option<u64>,
    /// Resident invocations at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unit_invocations: Option<u32>,
    /// Resident workgroups at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unit_groups: Option<u32>,
    /// Resident SIMD groups at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unit_simd_groups: Option<u32>,
}

/// Little's law.
#[derive(Debug, Args)]
#[command(next_help_heading = "Hiding latency (Little's law)")]
pub(crate) struct LatencyOptions {
    /// Cycles that a load takes
    #[arg(long, value_name = "CYCLES", value_parser = parse_positive)]
    pub(crate) latency_cycles: Option<f64>,
    /// Instructions that a SIMD group issues for each load, one a cycle
    #[arg(long, value_name = "N", value_parser = parse_positive, requires = "latency_cycles", conflicts_with = "requests_per_cycle")]
    pub(crate) instructions_per_load: Option<f64>,
    /// Loads that the unit can start in a cycle [default: 1]
    #[arg(long, value_name = "N", value_parser = parse_positive, requires = "latency_cycles")]
    pub(crate) requests_per_cycle: Option<f64>,
    /// Independent loads that one SIMD group has in flight
    #[arg(long, value_name = "N", value_parser = parse_positive, default_value = "1")]
    pub(crate) loads: f64,
}

#[derive(Debug, Args)]
pub(crate) struct MachinesArguments {
    #[command(subcommand)]
    pub(crate) action: Option<MachinesAction>,
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MachinesAction {
    /// List the built-in machines
    List,
    /// Show every field of one machine, with its source
    Show {
        /// Built-in machine or machine file
        #[arg(value_name = "NAME|FILE")]
        machine: String,
    },
    /// Show machines side by side
    Compare {
        /// Built-in machines or machine files
        #[arg(value_name = "NAME|FILE", num_args = 2.., required = true)]
        machines: Vec<String>,
    },
    /// Check a machine file
    Validate {
        /// The file
        file: PathBuf,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Code as it stands in a finding, such as memory/strided-access
    pub(crate) code: Option<String>,
}

fn parse_simd_width(text: &str) -> Result<u32, String> {
    let width: u32 = text.parse().map_err(|_| "not a whole number".to_owned())?;
    if width.is_power_of_two() && width <= 128 {
        Ok(width)
    } else {
        Err("must be a power of two from 1 to 128".to_owned())
    }
}

fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() && value > 0.0 => Ok(value),
        _ => Err("must be a number above zero".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// clap's own check of the declarations.
    #[test]
    fn the_declarations_are_consistent() {
        Arguments::command().debug_assert();
    }

    /// WGSL's subgroup sizes are powers of two up to 128.
    #[test]
    fn simd_widths() {
        assert_eq!(parse_simd_width("64"), Ok(64));
        assert!(parse_simd_width("48").is_err());
        assert!(parse_simd_width("0").is_err());
        assert!(parse_simd_width("256").is_err());
    }
}
