//! `cresta occupancy`: the occupancy calculator, from numbers or from a kernel.

use std::path::Path;

use cresta_analysis::{Facts, RegisterSource, Registers, Request};
use cresta_model::launch::Launch;
use cresta_model::littles_law;
use cresta_model::occupancy::{GroupDemand, Occupancy, UnitLimits, occupancy};
use cresta_report::schema::{
    IdleAt, LatencyHiding, Machine, OCCUPANCY_SCHEMA, OccupancyReport, OccupancySteps,
};
use cresta_report::{json, schema, text};

use crate::Status;
use crate::arguments::{Format, LatencyOptions, OccupancyArguments, UnitOptions};
use crate::error::Error;
use crate::files;
use crate::launch::overrides;
use crate::machine_choice::{self, Choice};
use crate::names;
use crate::output;

/// Occupancies at which waiting is shown.
const QUARTERS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];

/// What to say where nothing tells of a workgroup.
const NEEDS: &str = "\
occupancy needs a workgroup: a shader file, or --workgroup-size X,Y,Z
(with --workgroup-memory BYTES and --registers N, where they are known), such as
  cresta occupancy kernel.wgsl
  cresta occupancy --workgroup-size 256 --workgroup-memory 4096 --registers 40";

pub(crate) fn run(arguments: &OccupancyArguments) -> Result<Status, Error> {
    if arguments.file.is_none() && arguments.workgroup_size.is_none() {
        return Err(Error::Usage(NEEDS.to_owned()));
    }
    let choice = machine_choice::choose(arguments.machine.machine.as_deref())?;
    let (group, source) = group(arguments, &choice)?;
    let limits = unit(&arguments.unit, UnitLimits::from(&choice.machine));
    let result = occupancy(&group, &limits);
    let registers = group.registers.map(|value| schema::Registers {
        value,
        source: source.name().to_owned(),
    });
    let report = OccupancyReport {
        schema: OCCUPANCY_SCHEMA.to_owned(),
        machine: Machine::new(&choice.machine, Some(&choice.reason)),
        workgroup_invocations: group.invocations,
        workgroup_memory_bytes: group.workgroup_memory_bytes,
        occupancy: schema::Occupancy::new(&result, registers),
        steps: OccupancySteps::new(&result),
        latency_hiding: latency_hiding(&arguments.latency, &limits, &result),
        assumptions: result.assumptions.clone(),
    };
    let shown = match arguments.output.format {
        Format::Json => json::to_text(&report),
        Format::Text => text::occupancy(&report, &result, output::text_options(false)),
    };
    output::write(&arguments.output, &shown)?;
    Ok(Status::Fine)
}

/// The group: what the flags say, else what the kernel says.
fn group(
    arguments: &OccupancyArguments,
    choice: &Choice,
) -> Result<(GroupDemand, RegisterSource), Error> {
    let kernel = match &arguments.file {
        Some(path) => Some(facts(path, arguments, choice)?),
        None => None,
    };
    let size = arguments
        .workgroup_size
        .or(kernel.as_ref().map(|facts| facts.workgroup_size))
        .unwrap_or([1; 3]);
    let invocations = size
        .iter()
        .try_fold(1_u32, |product, &side| product.checked_mul(side))
        .ok_or_else(|| Error::Usage("--workgroup-size: too many invocations".to_owned()))?;
    let registers = arguments
        .registers
        .map(|value| Registers {
            value,
            source: RegisterSource::Given,
        })
        .or(kernel.as_ref().and_then(|facts| facts.registers));
    let memory = kernel.as_ref().map_or(0, |facts| facts.workgroup_bytes);
    let group = GroupDemand {
        invocations,
        workgroup_memory_bytes: arguments.workgroup_memory.unwrap_or(memory),
        registers: registers.map(|registers| registers.value),
    };
    let source = registers.map_or(RegisterSource::Given, |registers| registers.source);
    Ok((group, source))
}

fn facts(path: &Path, arguments: &OccupancyArguments, choice: &Choice) -> Result<Facts, Error> {
    let input = files::file(path);
    let bytes = input
        .read()
        .map_err(|reason| Error::Drawn(text::unreadable(&input.name, &reason)))?;
    let launch = Launch {
        overrides: overrides(&arguments.overrides)?,
        ..Launch::default()
    };
    let request = Request {
        entry: arguments.entry.as_deref(),
        machine: &choice.machine,
        launch: &launch,
        registers: arguments.registers,
        simd_width: arguments.unit.simd,
    };
    let source = files::source(&input.name, &bytes);
    let analysis = cresta_analysis::analyze(&input.name, bytes, &request)
        .map_err(|error| Error::Drawn(text::source_error(&input.name, source.as_ref(), &error)))?;
    let known = &analysis.symbols.overrides;
    let complaints = names::complaints("--override", &launch.overrides, known);
    if !complaints.is_empty() {
        return Err(Error::Names(complaints));
    }
    let mut kernels = analysis.kernels;
    if kernels.len() > 1 {
        let names: Vec<String> = kernels
            .iter()
            .map(|kernel| match kernel {
                Ok(facts) => facts.entry.clone(),
                Err(failure) => failure.entry.clone(),
            })
            .collect();
        return Err(Error::Usage(format!(
            "{} has several entry points, choose one with --entry: {}",
            input.name,
            names.join(", ")
        )));
    }
    match kernels.pop() {
        Some(Ok(facts)) => Ok(facts),
        Some(Err(failure)) => Err(Error::Drawn(text::entry_refused(
            &input.name,
            source.as_ref(),
            &failure,
        ))),
        None => Err(Error::Usage(format!("{} has no entry point", input.name))),
    }
}

/// The machine's limits with what the flags put in their place.
fn unit(options: &UnitOptions, machine: UnitLimits) -> UnitLimits {
    UnitLimits {
        simd_width: options.simd.or(machine.simd_width),
        registers: options.unit_registers.or(machine.registers),
        workgroup_memory_bytes: options.unit_memory.or(machine.workgroup_memory_bytes),
        invocations: options.unit_invocations.or(machine.invocations),
        groups: options.unit_groups.or(machine.groups),
        simd_groups: options.unit_simd_groups.or(machine.simd_groups),
        ..machine
    }
}

fn latency_hiding(
    options: &LatencyOptions,
    limits: &UnitLimits,
    result: &Occupancy,
) -> Option<LatencyHiding> {
    let latency = options.latency_cycles?;
    let in_flight = match options.instructions_per_load {
        Some(instructions) => littles_law::simd_groups_to_hide(latency, instructions),
        None => littles_law::needed_in_flight(latency, options.requests_per_cycle.unwrap_or(1.0)),
    };
    let needed = littles_law::simd_groups_needed(in_flight, options.loads);
    let most = limits.simd_groups.map(f64::from).or_else(|| {
        let invocations = limits.invocations?;
        Some(f64::from(invocations / limits.simd_width?))
    });
    Some(LatencyHiding {
        latency_cycles: latency,
        simd_groups_needed: needed,
        simd_groups_resident: result.simd_groups,
        needed_fraction: most.map(|most| littles_law::needed_share(needed, most)),
        idle_fraction: result
            .simd_groups
            .map(|resident| littles_law::idle_fraction(resident as f64, needed)),
        by_occupancy: most
            .into_iter()
            .flat_map(|most| {
                QUARTERS.map(|fraction| IdleAt {
                    fraction,
                    idle_fraction: littles_law::idle_fraction(fraction * most, needed),
                })
            })
            .collect(),
    })
}
