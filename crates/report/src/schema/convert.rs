//! From a [`Document`](crate::Document) to a [`Report`].

use cresta_analysis::Facts;
use cresta_model::machine as model;
use cresta_model::quantity::Quantity;

use super::convert_parts::{
    accesses, buffers, diagnostic, entry_failure, file_failures, lever, workgroup_memory,
};
use super::quantity::ratio;
use super::{
    Bytes, Intensity, Kernel, Layout, Machine, MachineField, Modelled, Occupancy, Prediction, Q,
    REPORT_SCHEMA, Registers, Report, ResourceTime, Skipped, Unknown, Work,
};
use crate::document::{Document, Entry, KernelReport, Outcome};

impl Report {
    /// Everything of the document, as data.
    pub fn new(document: &Document) -> Self {
        let mut kernels = Vec::new();
        let mut failures = Vec::new();
        let mut skipped = Vec::new();
        for file in &document.files {
            match &file.outcome {
                Outcome::Kernels(entries) => {
                    for entry in entries {
                        match entry {
                            Entry::Kernel(kernel) => kernels.push(Kernel::new(kernel)),
                            Entry::Refused(failure) => {
                                failures.push(entry_failure(&file.name, failure));
                            }
                        }
                    }
                }
                Outcome::Invalid(_) | Outcome::Unreadable(_) => {
                    failures.extend(file_failures(file));
                }
                Outcome::Skipped(reason) => skipped.push(Skipped {
                    file: file.name.clone(),
                    reason: reason.clone(),
                }),
            }
        }
        Report {
            schema: REPORT_SCHEMA.to_owned(),
            machine: Machine::new(&document.machine, Some(&document.machine_reason)),
            kernels,
            failures,
            skipped,
        }
    }
}

impl Machine {
    /// A machine with the reason why it was taken.
    pub fn new(machine: &model::Machine, reason: Option<&str>) -> Self {
        let fields = cresta_machine::fields(machine)
            .into_iter()
            .filter_map(|field| {
                let value = MachineField {
                    value: field.value?.as_f64(),
                    provenance: field.provenance.map(|known| known.name().to_owned()),
                    source: field.source.map(str::to_owned),
                };
                Some((field.key.to_owned(), value))
            });
        Machine {
            id: machine.id.clone(),
            name: machine.name.clone(),
            reason: reason.map(str::to_owned),
            fields: fields.collect(),
        }
    }
}

impl Kernel {
    /// One kernel.
    pub fn new(kernel: &KernelReport) -> Self {
        let facts = &kernel.facts;
        let file = facts.file.as_str();
        Kernel {
            file: facts.file.clone(),
            entry: facts.entry.clone(),
            workgroup_size: facts.workgroup_size,
            workgroups: facts.workgroups,
            engine: "symbolic".to_owned(),
            work: work(facts),
            accesses: accesses(facts),
            workgroup_memory: workgroup_memory(facts),
            layout: facts.layouts.iter().map(layout).collect(),
            occupancy: Occupancy::new(
                &facts.occupancy,
                facts.registers.map(|registers| Registers {
                    value: registers.value,
                    source: registers.source.name().to_owned(),
                }),
            ),
            prediction: prediction(facts),
            measurement: None,
            levers: kernel
                .findings
                .levers
                .iter()
                .map(|of| lever(file, of))
                .collect(),
            assumptions: all_assumptions(kernel),
            unknowns: facts.unknowns.iter().map(unknown).collect(),
            diagnostics: kernel
                .findings
                .diagnostics
                .iter()
                .map(|of| diagnostic(file, of))
                .collect(),
        }
    }
}

/// Assumptions of counting, of occupancy, of prediction and of the rules, each once.
pub(crate) fn all_assumptions(kernel: &KernelReport) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let sources = [
        &kernel.facts.assumptions,
        &kernel.facts.occupancy.assumptions,
        &kernel.facts.prediction.assumptions,
        &kernel.findings.assumptions,
    ];
    for assumption in sources.into_iter().flatten() {
        if !all.contains(assumption) {
            all.push(assumption.clone());
        }
    }
    all
}

/// The rate that the roofline allows: at modelled DRAM bytes, else at transferred bytes.
pub(crate) fn attainable_flop_per_second(facts: &Facts) -> Option<f64> {
    let flop_per_byte = roofline_intensity(facts)?;
    facts.machine.attainable_flop_per_second(flop_per_byte)
}

/// FLOP over modelled DRAM bytes, else over transferred bytes.
pub(crate) fn roofline_intensity(facts: &Facts) -> Option<f64> {
    let modelled = ratio(facts.work.flops.total.value, facts.demand.dram_bytes);
    modelled.or(facts.intensity.transferred)
}

fn work(facts: &Facts) -> Work {
    let work = &facts.work;
    let invocations = work.invocations.value;
    let q = |quantity: &Quantity| Q::new(quantity, invocations);
    Work {
        invocations,
        flops: q(&work.flops.total),
        flops_f16: q(&work.flops.f16),
        flops_f64: q(&work.flops.f64),
        special_ops: q(&work.special_ops),
        integer_ops: q(&work.integer_ops),
        other_ops: q(&work.other_ops),
        subgroup_ops: q(&work.subgroup_ops),
        atomics: q(&work.atomics),
        barriers: q(&work.barriers),
        simd_efficiency: facts.simd_efficiency,
        bytes: Bytes {
            requested: q(&facts.requested),
            requested_read: q(&work.bytes.requested_read),
            requested_write: q(&work.bytes.requested_write),
            transferred: q(&facts.transferred),
            compulsory: q(&facts.compulsory),
            modelled: Modelled {
                l1: None,
                l2: facts.demand.l2_bytes,
                dram: facts.demand.dram_bytes,
            },
            uniform: q(&work.bytes.uniform),
            workgroup: q(&work.bytes.workgroup),
            private: q(&work.bytes.private),
            by_buffer: buffers(facts),
        },
        intensity: Intensity {
            requested: intensity(facts, facts.intensity.requested, &facts.requested),
            transferred: intensity(facts, facts.intensity.transferred, &facts.transferred),
            compulsory: intensity(facts, facts.intensity.compulsory, &facts.compulsory),
        },
    }
}

fn intensity(facts: &Facts, value: Option<f64>, bytes: &Quantity) -> Q {
    Q {
        value,
        per_invocation: None,
        formula: format!("({}) / ({})", facts.work.flops.total.formula, bytes.formula),
        lower: None,
        upper: None,
        source: Some("symbolic".to_owned()),
        spread: None,
    }
}

fn layout(of: &cresta_analysis::LayoutFacts) -> Layout {
    Layout {
        name: of.name.clone(),
        size_bytes: of.size_bytes,
        padding_bytes: of.padding_bytes,
        padding_fraction: of.padding_fraction,
    }
}

fn prediction(facts: &Facts) -> Prediction {
    let of = &facts.prediction;
    let slowest = of.bound.map(|bound| bound.name().to_owned());
    // Where nothing binds, all that could be counted is nothing: that is no time.
    let seconds = of.bound.and(of.seconds);
    let most = of.seconds_at_most();
    let at_least = seconds.is_some() && most != seconds;
    Prediction {
        bound: slowest.clone().filter(|_| of.is_decided()),
        slowest_known: slowest,
        seconds,
        at_least,
        seconds_at_most: most.filter(|_| at_least),
        resources: of
            .resources
            .iter()
            .map(|time| {
                let at_least = of.is_at_least(time.resource);
                ResourceTime {
                    name: time.resource.name().to_owned(),
                    seconds: time.seconds,
                    at_least,
                    seconds_at_most: of.greatest(time.resource).filter(|_| at_least),
                }
            })
            .collect(),
        attainable_flops_per_second: attainable_flop_per_second(facts),
        seconds_at_requested_bytes: of.seconds_at_requested_bytes,
    }
}

fn unknown(of: &cresta_analysis::Unknown) -> Unknown {
    Unknown {
        name: of.name.clone(),
        meaning: of.meaning.clone(),
        settle: of.settle.clone(),
    }
}
