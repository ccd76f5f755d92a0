//! Facts of one entry point, put together from the engines.

use std::collections::BTreeMap;

use cresta_ir::{Kernel, Space, register_pressure};
use cresta_model::occupancy::{GroupDemand, UnitLimits, occupancy};
use cresta_model::prediction::{Resource, predict};
use cresta_model::quantity::Quantity;
use cresta_symbolic::program::Program;
use cresta_symbolic::walk::{Options, walk};
use cresta_wgsl::source::Parsed;
use cresta_wgsl::{EntryPointInfo, Limits, LowerError, Lowered, lower, override_types};

use crate::accesses::{Context, Measured, accesses};
use crate::buffers::buffers;
use crate::demand::{Sums, activity, demand};
use crate::derive::derivations;
use crate::facts::{
    BufferFacts, Facts, Intensity, PortabilityFact, RegisterSource, Registers, Unknown, Unsupported,
};
use crate::locate::Locator;
use crate::options::{ASSUMED_SIMD_WIDTH, shape_options};
use crate::request::{EntryFailure, Request, Symbols};
use crate::value_type::ValueType;
use crate::values::Bindings;
use crate::{control, layouts};

/// Facts of one entry point.
pub(crate) fn facts(
    file: &str,
    parsed: &Parsed,
    entry: &EntryPointInfo,
    locator: &Locator<'_>,
    request: &Request<'_>,
    symbols: &mut Symbols,
) -> Result<Facts, EntryFailure> {
    let mut lowered = lower(
        &parsed.module,
        &parsed.info,
        entry.index,
        &known_overrides(parsed, request),
        Limits::default(),
    )
    .map_err(|error| failure(entry, locator, &error))?;
    locator.refine(&mut lowered.kernel);
    let mut assumptions = Vec::new();
    let simd_width = request
        .simd_width
        .or(request.machine.simd_width)
        .unwrap_or_else(|| {
            assumptions.push(format!(
                "the machine does not tell its SIMD width: {ASSUMED_SIMD_WIDTH} is assumed"
            ));
            ASSUMED_SIMD_WIDTH
        });
    let position = |byte: u32| locator.position(byte);
    let program = walk(
        &lowered.kernel,
        &Options {
            simd_width,
            position: &position,
        },
    );
    collect_symbols(&lowered.kernel, &program, symbols);
    let assembly = Assembly {
        file,
        parsed,
        entry,
        locator,
        request,
        lowered: &lowered,
        simd_width,
    };
    Ok(assembly.facts(program, assumptions))
}

struct Assembly<'a> {
    file: &'a str,
    parsed: &'a Parsed,
    entry: &'a EntryPointInfo,
    locator: &'a Locator<'a>,
    request: &'a Request<'a>,
    lowered: &'a Lowered,
    simd_width: u32,
}

impl Assembly<'_> {
    fn facts(&self, mut program: Program, mut assumptions: Vec<String>) -> Facts {
        let kernel = &self.lowered.kernel;
        let machine = self.request.machine;
        let totals = program.totals(kernel);
        let bindings = Bindings::new(kernel, &program, self.request.launch);
        let options = shape_options(machine, self.simd_width, &mut assumptions);
        let context = Context {
            kernel,
            totals: &totals,
            bindings: &bindings,
            options,
            locator: self.locator,
            lengths: &self.request.launch.lengths,
        };
        let measured = accesses(&mut program, &context);
        let buffers = buffers(&mut program, &context, &measured);
        let work = totals.work.map(|poly| bindings.quantity(&program, poly));
        let requested = requested(&program, &context, &buffers);
        let transferred = over_storage(
            &buffers,
            |buffer| &buffer.transferred,
            "sectors × sector size",
        );
        let compulsory = over_storage(&buffers, |buffer| &buffer.compulsory, "distinct bytes");
        let registers = self.registers();
        let workgroup_variables = layouts::workgroup_variables(kernel, self.locator);
        let workgroup_bytes = workgroup_variables
            .iter()
            .map(|variable| variable.bytes)
            .sum();
        let invocations = u32::try_from(kernel.workgroup_invocations()).unwrap_or(u32::MAX);
        let group = GroupDemand {
            invocations,
            workgroup_memory_bytes: workgroup_bytes,
            registers: Some(registers.value),
        };
        let occupancy = occupancy(&group, &UnitLimits::from(machine));
        let activity = activity(&mut program, &context);
        let sums = Sums {
            work: &work,
            requested: &requested,
            transferred: &transferred,
            occupancy: &occupancy,
            activity,
        };
        let demand = demand(&context, &measured, &sums, &mut assumptions);
        let prediction =
            predict(&demand.at_least, machine).bounded_by(&predict(&demand.at_most, machine));
        let demand = demand.at_least;
        let intensity = intensity(&program, &context, &measured, &compulsory, &mut assumptions);
        assumptions.extend(program.assumptions.iter().cloned());
        assumptions.extend(occupancy.assumptions.iter().cloned());
        assumptions.extend(prediction.assumptions.iter().cloned());
        if prediction.time(Resource::Latency).is_some() {
            assumptions.push("each SIMD group has one load in flight at a time".to_owned());
        }
        if registers.source == RegisterSource::Estimate {
            assumptions.push(
                "registers are an estimate by liveness over the IR; --registers N sets them"
                    .to_owned(),
            );
        }
        let mut facts = Facts {
            file: self.file.to_owned(),
            entry: self.entry.name.clone(),
            location: self.locator.declared(kernel.declared),
            workgroup_size: kernel.workgroup_size,
            workgroups: bindings.workgroups,
            machine: machine.clone(),
            simd_width: self.simd_width,
            work,
            requested,
            transferred,
            compulsory,
            intensity,
            simd_efficiency: activity
                .filter(|activity| activity.is_exact && activity.simd_instructions > 0.0)
                .map(|a| a.lane_instructions / (a.simd_instructions * f64::from(self.simd_width))),
            accesses: measured
                .into_iter()
                .map(|measured| measured.facts)
                .collect(),
            buffers,
            layouts: layouts::layouts(kernel, self.parsed, self.locator),
            workgroup_variables,
            workgroup_bytes,
            loops: control::loops(&program, &context),
            branches: control::branches(&program, &context),
            barriers: control::barriers(&program, &context),
            registers: Some(registers),
            occupancy,
            demand,
            prediction,
            unknowns: unknowns(&program, &context),
            unsupported: self.unsupported(),
            portability: self.portability(),
            assumptions: Vec::new(),
            derivations: Vec::new(),
        };
        facts.assumptions = without_repetition(assumptions);
        facts.derivations = derivations(&facts);
        facts
    }

    fn registers(&self) -> Registers {
        match self.request.registers {
            Some(value) => Registers {
                value,
                source: RegisterSource::Given,
            },
            None => Registers {
                value: register_pressure(&self.lowered.kernel).registers,
                source: RegisterSource::Estimate,
            },
        }
    }

    fn unsupported(&self) -> Vec<Unsupported> {
        let notes = self.lowered.unsupported.iter();
        notes
            .map(|note| Unsupported {
                what: note.what.clone(),
                location: Some(self.locator.declared((note.span.start, note.span.end))),
            })
            .collect()
    }

    fn portability(&self) -> Vec<PortabilityFact> {
        let notes = self.parsed.portability.iter();
        notes
            .map(|note| PortabilityFact {
                code: note.code,
                message: match &note.help {
                    Some(help) => format!("{}; {help}", note.message),
                    None => note.message.clone(),
                },
                location: self.locator.range(note.span.clone()),
            })
            .collect()
    }
}

/// The launch's overrides that the module declares.
fn known_overrides(parsed: &Parsed, request: &Request<'_>) -> BTreeMap<String, f64> {
    let declared = override_types(&parsed.module);
    let given = request.launch.overrides.iter();
    given
        .filter(|&(name, _)| declared.iter().any(|(known, _)| known == name))
        .map(|(name, &value)| (name.clone(), value))
        .collect()
}

fn failure(entry: &EntryPointInfo, locator: &Locator<'_>, error: &LowerError) -> EntryFailure {
    let help = match error {
        LowerError::TooLarge { .. } | LowerError::TooDeep { .. } => Some(
            "split the kernel, or turn repeated calls into a loop, so that less is inlined"
                .to_owned(),
        ),
        _ => None,
    };
    EntryFailure {
        entry: entry.name.clone(),
        location: entry.extent.map(|extent| locator.declared(extent)),
        message: error.to_string(),
        help,
    }
}

fn collect_symbols(kernel: &Kernel, program: &Program, symbols: &mut Symbols) {
    for named in &program.named {
        let symbol = program.arena.symbol(named.symbol);
        if let Some(ty) = symbol.and_then(ValueType::of) {
            symbols.values.insert(named.name.clone(), ty);
        }
    }
    let arrays = kernel.variables.iter().filter(|variable| {
        variable
            .ty
            .as_ref()
            .is_some_and(|ty| ty.runtime_array().is_some())
    });
    symbols
        .lengths
        .extend(arrays.map(|variable| variable.name.clone()));
}

fn requested(program: &Program, context: &Context<'_>, buffers: &[BufferFacts]) -> Quantity {
    let bytes = &context.totals.work.bytes;
    let sum = bytes.requested_read.add(&bytes.requested_write);
    let mut quantity = context.bindings.quantity(program, &sum);
    let storage = buffers.iter().filter(|b| b.space != Space::Uniform);
    if storage
        .clone()
        .any(|buffer| buffer.requested.formula.starts_with("at least"))
    {
        quantity = Quantity {
            lower: quantity.at_least(),
            value: None,
            upper: None,
            ..quantity
        };
        quantity.formula = format!("at least {}", quantity.formula);
    }
    quantity
}

/// A sum over storage buffers and textures; bounds where a part is only bounded.
fn over_storage(
    buffers: &[BufferFacts],
    of: impl Fn(&BufferFacts) -> &Quantity,
    what: &str,
) -> Quantity {
    let parts: Vec<&Quantity> = buffers
        .iter()
        .filter(|buffer| buffer.space != Space::Uniform)
        .map(of)
        .collect();
    let mut quantity = Quantity::unknown(what);
    quantity.value = parts.iter().map(|part| part.value).sum();
    if quantity.value.is_none() {
        quantity.lower = parts.iter().map(|part| part.at_least()).sum();
        quantity.upper = parts.iter().map(|part| part.at_most()).sum();
    }
    quantity
}

/// FLOP per byte at the launch, or at large values of whatever has none.
fn intensity(
    program: &Program,
    context: &Context<'_>,
    measured: &[Measured],
    compulsory: &Quantity,
    assumptions: &mut Vec<String>,
) -> Intensity {
    let bindings = context.bindings;
    let work = &context.totals.work;
    let at = |poly| bindings.at_large_values(program, poly);
    let requested = work.bytes.requested_read.add(&work.bytes.requested_write);
    let (flops, requested) = (at(&work.flops.total), at(&requested));
    let ratio = |bytes: Option<f64>| Some(flops? / bytes.filter(|&bytes| bytes > 0.0)?);
    let sector = f64::from(context.options.sector_bytes);
    let transferred: Option<f64> = measured
        .iter()
        .filter(|access| access.facts.space == Space::Storage)
        .map(|access| {
            let executions = at(&context.totals.executions[access.placed.region])?;
            let traffic = access.facts.traffic.as_ref()?;
            match &access.shape {
                Some(shape) => Some(shape.sectors * sector),
                None => Some(
                    executions / f64::from(context.options.simd_width) * traffic.sectors * sector,
                ),
            }
        })
        .sum();
    let textures = measured
        .iter()
        .any(|access| access.facts.space == Space::Texture);
    if !bindings.is_complete() {
        assumptions.push("FLOP per byte are those at large values of what is not set".to_owned());
    }
    Intensity {
        requested: ratio(requested.filter(|_| !textures)),
        transferred: ratio(transferred.filter(|_| !textures)),
        compulsory: ratio(compulsory.value),
    }
}

fn unknowns(program: &Program, context: &Context<'_>) -> Vec<Unknown> {
    let mut unknowns = context.bindings.unknowns(program);
    for access in &program.accesses {
        let ir = context.kernel.access(access.access);
        let variable = context.kernel.variable(ir.variable);
        let Some(texture) = &variable.texture else {
            continue;
        };
        let name = format!("texel({})", variable.name);
        if texture.texel_bytes.is_none() && !unknowns.iter().any(|unknown| unknown.name == name) {
            unknowns.push(Unknown {
                name,
                meaning: "bytes of one texel: the type does not fix the format; accesses are counted, their bytes are not".to_owned(),
                settle: String::new(),
                of_data: false,
            });
        }
    }
    unknowns
}

fn without_repetition(assumptions: Vec<String>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for assumption in assumptions {
        if !unique.contains(&assumption) {
            unique.push(assumption);
        }
    }
    unique
}
