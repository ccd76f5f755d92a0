//! A kernel as the engines would tell it: the tiled matrix product of side 16 at N = 1024 on
//! `generic-mid`, written by hand so that renderers are tested without an engine.

use cresta_analysis::{
    AccessFacts, Basis, BufferFacts, Derivation, Facts, Intensity, Location, Operation,
    RegisterSource, Registers, Traffic, TrafficTotal, Uniformity, Unknown, WorkgroupVariable,
};
use cresta_ir::Space;
use cresta_model::machine::Machine;
use cresta_model::occupancy::{GroupDemand, UnitLimits, occupancy};
use cresta_model::prediction::{Demand, Resource, predict};
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_model::work::{Bytes, Flops, Work};
use cresta_report::{Document, Entry, FileReport, KernelReport, Outcome};
use cresta_rules::{Diagnostic, Findings, Label, Lever, Severity};
use cresta_wgsl::source::SourceFile;

pub(crate) const TEXT: &str = include_str!("tiled.wgsl");
const N: f64 = 1024.0;
/// 2N³/16 reads of four bytes.
const LOADED: f64 = 2.0 * N * N * N / 16.0 * 4.0;
const STORED: f64 = N * N * 4.0;

pub(crate) fn machine() -> Machine {
    cresta_machine::builtin("generic-mid")
        .expect("a built-in machine")
        .clone()
}

/// The first place of `needle` in the fixture's text.
fn place(needle: &str) -> Location {
    let source = SourceFile::new("tiled.wgsl", TEXT);
    let start = TEXT.find(needle).expect("part of the text");
    let (line, column) = source.line_column(start);
    Location {
        start,
        end: start + needle.len(),
        line,
        column,
        call_chain: Vec::new(),
    }
}

fn q(formula: &str, value: f64) -> Quantity {
    Quantity {
        formula: formula.to_owned(),
        value: Some(value),
        ..Quantity::default()
    }
}

fn access(needle: &str, variable: &str, operation: Operation, executions: f64) -> AccessFacts {
    let simd_executions = executions / 32.0;
    AccessFacts {
        location: place(needle),
        space: Space::Storage,
        variable: variable.to_owned(),
        member: None,
        operation,
        atomic: false,
        bytes_per_lane: Some(4),
        pattern: Pattern::Segmented,
        pattern_share: Some(1.0),
        stride_bytes: None,
        address: format!("4·(row·d.K + 16·step + lid.x) in {variable}"),
        address_base: format!("4·(row·d.K + 16·step + lid.x) in {variable}"),
        address_offset: 0,
        basis: Basis::Counted,
        traffic: Some(Traffic {
            transactions: 2.0,
            ideal_transactions: 1.0,
            sectors: 2.0,
            ideal_sectors: 1.0,
            efficiency: 0.5,
        }),
        total: Some(TrafficTotal {
            transactions: 2.0 * simd_executions,
            sectors: 2.0 * simd_executions,
            bytes: 2.0 * 128.0 * simd_executions,
        }),
        at_least: None,
        at_most: None,
        assumes: None,
        bank_degree: None,
        rows: None,
        stride_varies: false,
        bank_wavefronts: None,
        executions: q("256·wg.x·wg.y·d.K/16", executions),
        simd_executions: q("8·wg.x·wg.y·d.K/16", simd_executions),
        uniformity: Uniformity::Lane,
        loop_depth: 1,
        same_address: None,
    }
}

/// What is known at N = 1024.
pub(crate) fn facts() -> Facts {
    let machine = machine();
    let requested = LOADED + STORED;
    // Runs of 64 bytes in lines of 128: half of what moves is asked for.
    let transferred = 2.0 * requested;
    let flops = 2.0 * N * N * N;
    let demand = Demand {
        f32_flops: Some(flops),
        f16_flops: Some(0.0),
        f64_flops: Some(0.0),
        special_ops: Some(0.0),
        requested_bytes: Some(requested),
        transferred_bytes: Some(transferred),
        ..Demand::default()
    };
    let group = GroupDemand {
        invocations: 256,
        workgroup_memory_bytes: 2048,
        registers: Some(40),
    };
    let step = N * N * N / 16.0;
    Facts {
        file: "tiled.wgsl".to_owned(),
        entry: "main".to_owned(),
        location: place("fn main"),
        workgroup_size: [16, 16, 1],
        workgroups: Some([64, 64, 1]),
        simd_width: 32,
        work: work(flops),
        requested: q("4·(wg.x·wg.y·32·d.K + 256·wg.x·wg.y)", requested),
        transferred: q("8·(wg.x·wg.y·32·d.K + 256·wg.x·wg.y)", transferred),
        compulsory: q("4·(d.M·d.K + d.K·d.N + d.M·d.N)", 3.0 * STORED),
        intensity: Intensity {
            requested: Some(flops / requested),
            transferred: Some(flops / transferred),
            compulsory: Some(flops / (3.0 * STORED)),
        },
        simd_efficiency: Some(1.0),
        accesses: vec![
            access(
                "A[row * d.K + step * 16u + lid.x]",
                "A",
                Operation::Load,
                step,
            ),
            access(
                "B[(step * 16u + lid.y) * d.N + col]",
                "B",
                Operation::Load,
                step,
            ),
            tile_access(),
            access("C[row * d.N + col]", "C", Operation::Store, N * N),
        ],
        buffers: vec![BufferFacts {
            name: "A".to_owned(),
            space: Space::Storage,
            binding: Some((0, 1)),
            writable: false,
            size_bytes: Some(4 << 20),
            requested: q("2·d.N³/16·4", LOADED / 2.0),
            transferred: q("2·d.N³/16·8", LOADED),
            compulsory: q("4·d.M·d.K", STORED),
            reuse_launch: Some(64.0),
            reuse_workgroup: Some(1.0),
        }],
        layouts: Vec::new(),
        workgroup_variables: vec![WorkgroupVariable {
            name: "tile_a".to_owned(),
            bytes: 1024,
            location: Some(place("tile_a")),
        }],
        workgroup_bytes: 2048,
        loops: Vec::new(),
        branches: Vec::new(),
        barriers: Vec::new(),
        registers: Some(Registers {
            value: 40,
            source: RegisterSource::Given,
        }),
        occupancy: occupancy(&group, &UnitLimits::from(&machine)),
        prediction: predict(&demand, &machine),
        demand,
        machine,
        assumptions: vec!["index arithmetic does not wrap at 2³²".to_owned()],
        unknowns: Vec::new(),
        unsupported: Vec::new(),
        portability: Vec::new(),
        derivations: vec![Derivation {
            subject: "dram".to_owned(),
            text: "1.08 GB / 400 GB/s = 2.71 ms".to_owned(),
        }],
    }
}

fn work(flops: f64) -> Work<Quantity> {
    let none = || q("0", 0.0);
    Work {
        invocations: q("256·wg.x·wg.y·wg.z", N * N),
        flops: Flops {
            total: q("512·wg.x·wg.y·d.K", flops),
            f16: none(),
            f64: none(),
        },
        special_ops: none(),
        integer_ops: q("…", 1e9),
        other_ops: none(),
        atomics: none(),
        barriers: q("2·wg.x·wg.y·d.K/16", 524_288.0),
        subgroup_ops: none(),
        bytes: Bytes {
            requested_read: q("4·wg.x·wg.y·32·d.K", LOADED),
            requested_write: q("4·256·wg.x·wg.y", STORED),
            uniform: none(),
            workgroup: none(),
            private: none(),
        },
    }
}

fn tile_access() -> AccessFacts {
    AccessFacts {
        space: Space::Workgroup,
        pattern: Pattern::Broadcast,
        traffic: None,
        total: None,
        bank_degree: Some(2.0),
        bank_wavefronts: Some(1e6),
        loop_depth: 2,
        ..access("tile_a[lid.y][k]", "tile_a", Operation::Load, N * N * N)
    }
}

/// The same kernel before a person has said anything about the launch.
pub(crate) fn facts_at_unknown_launch() -> Facts {
    let known = facts();
    let open = |quantity: &Quantity| Quantity {
        value: None,
        unknown: vec!["wg.x".to_owned(), "d.K".to_owned()],
        ..quantity.clone()
    };
    let mut accesses = known.accesses.clone();
    for access in &mut accesses {
        access.total = None;
        access.executions = open(&access.executions);
        access.simd_executions = open(&access.simd_executions);
    }
    let demand = Demand::default();
    Facts {
        workgroups: None,
        work: known.work.map(open),
        requested: open(&known.requested),
        transferred: open(&known.transferred),
        compulsory: open(&known.compulsory),
        accesses,
        prediction: predict(&demand, &known.machine),
        demand,
        unknowns: vec![
            Unknown {
                name: "wg.x".to_owned(),
                meaning: "workgroups along x".to_owned(),
                settle: "--workgroups X,Y,Z".to_owned(),
                of_data: false,
            },
            Unknown {
                name: "d.K".to_owned(),
                meaning: "parameter of the uniform `d`".to_owned(),
                settle: "--set d.K=…".to_owned(),
                of_data: false,
            },
        ],
        ..known
    }
}

/// One warning with a label, one note, one lever that pays and one that does nothing.
pub(crate) fn findings() -> Findings {
    let at_a = place("A[row * d.K + step * 16u + lid.x]");
    Findings {
        diagnostics: vec![
            Diagnostic {
                code: "access/short-runs",
                severity: Severity::Warning,
                location: at_a.clone(),
                labels: vec![Label {
                    location: at_a.clone(),
                    text: "runs of 64 B, half a line".to_owned(),
                }],
                message: "half of each line is fetched for nothing".to_owned(),
                notes: vec!["each SIMD group reads two rows of 16 elements".to_owned()],
                help: Some("make the workgroup 32 wide".to_owned()),
            },
            Diagnostic {
                code: "compute/nothing",
                severity: Severity::Note,
                location: place("fma("),
                labels: Vec::new(),
                message: "arithmetic is not the limit".to_owned(),
                notes: Vec::new(),
                help: None,
            },
        ],
        levers: vec![
            lever("access/short-runs", 4, Some(2.0), true),
            lever("compute/nothing", 7, Some(1.0), false),
        ],
        assumptions: vec!["reuse in caches is not modelled".to_owned()],
    }
}

fn lever(code: &'static str, step: u8, gain: Option<f64>, pays: bool) -> Lever {
    Lever {
        code,
        step,
        title: if pays {
            "read whole lines"
        } else {
            "fewer operations"
        }
        .to_owned(),
        gain,
        gain_low: None,
        gain_high: None,
        resource: Some(if pays {
            Resource::Dram
        } else {
            Resource::Compute
        }),
        pays,
        why: if pays {
            "the two tiles' loads move 1.07 GB for 537 MB"
        } else {
            "DRAM bandwidth takes 2.71 ms whatever the arithmetic does"
        }
        .to_owned(),
        location: None,
    }
}

pub(crate) fn document(facts: Facts, findings: Findings) -> Document {
    let kernel = KernelReport { facts, findings };
    document_of(vec![FileReport {
        name: "tiled.wgsl".to_owned(),
        source: Some(SourceFile::new("tiled.wgsl", TEXT)),
        outcome: Outcome::Kernels(vec![Entry::Kernel(Box::new(kernel))]),
    }])
}

pub(crate) fn document_of(files: Vec<FileReport>) -> Document {
    Document {
        machine: machine(),
        machine_reason: "the default".to_owned(),
        files,
    }
}
