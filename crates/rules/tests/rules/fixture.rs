//! Facts of a plain, good kernel on the generic machine, and helpers to make them worse.
//!
//! The kernel is a vector sum of 2²⁰ `f32`: three contiguous accesses, 64 invocations a workgroup. No
//! rule has anything to say about it but that arithmetic does nothing. Start at [`vector_add`].

use cresta_analysis::{
    AccessFacts, Basis, BufferFacts, Facts, Intensity, Location, Operation, RegisterSource,
    Registers, Traffic, TrafficTotal, Uniformity,
};
use cresta_ir::Space;
use cresta_model::machine::Machine;
use cresta_model::occupancy::{GroupDemand, UnitLimits, occupancy};
use cresta_model::prediction::{Demand, predict};
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_model::work::Work;
use cresta_rules::{Diagnostic, Findings, Lever, check};

/// Lines and sectors of the machine, in bytes.
pub(crate) const LINE: f64 = 128.0;
/// Elements of the vectors.
pub(crate) const ELEMENTS: f64 = 1_048_576.0;
/// SIMD groups of the launch.
pub(crate) const SIMD_GROUPS: f64 = ELEMENTS / 32.0;

/// 10 TFLOP/s, 400 GB/s, 32 lanes, lines and sectors of 128 bytes.
pub(crate) fn generic() -> Machine {
    let mut machine = Machine {
        id: "generic-mid".to_owned(),
        simd_width: Some(32),
        ..Machine::default()
    };
    machine.compute.f32_flop_per_second = Some(10e12);
    machine.dram.bytes_per_second = Some(400e9);
    machine.l2.sector_bytes = Some(128);
    machine.l1.line_bytes = Some(128);
    machine.shared.bytes_per_unit = Some(65_536);
    machine.shared.banks = Some(32);
    machine.shared.bank_bytes = Some(4);
    machine.shared.granularity_bytes = Some(1);
    machine.registers.per_unit = Some(65_536);
    machine.registers.granularity = Some(1);
    machine.slots.invocations_per_unit = Some(2_048);
    machine
}

/// The generic machine with 100 units at 1 GHz and a latency of 500 ns.
pub(crate) fn with_units() -> Machine {
    let mut machine = generic();
    machine.compute.units = Some(100);
    machine.compute.clock_hz = Some(1e9);
    machine.dram.latency_seconds = Some(500e-9);
    machine
}

pub(crate) fn at(line: u32) -> Location {
    Location {
        start: line as usize * 100,
        end: line as usize * 100 + 10,
        line,
        column: 5,
        call_chain: Vec::new(),
    }
}

pub(crate) fn traffic(transactions: f64, ideal: f64) -> Traffic {
    Traffic {
        transactions,
        ideal_transactions: ideal,
        sectors: transactions,
        ideal_sectors: ideal,
        efficiency: ideal / transactions,
    }
}

/// A contiguous access of an `f32` a lane that every SIMD group of the launch executes once.
pub(crate) fn access(variable: &str, line: u32, operation: Operation) -> AccessFacts {
    AccessFacts {
        location: at(line),
        space: Space::Storage,
        variable: variable.to_owned(),
        member: None,
        operation,
        atomic: false,
        bytes_per_lane: Some(4),
        pattern: Pattern::Contiguous,
        pattern_share: Some(1.0),
        stride_bytes: Some(4),
        address: "4*gid.x".to_owned(),
        address_base: "4*gid.x".to_owned(),
        address_offset: 0,
        basis: Basis::Counted,
        traffic: Some(traffic(1.0, 1.0)),
        total: Some(total(1.0, SIMD_GROUPS)),
        at_least: None,
        at_most: None,
        assumes: None,
        bank_degree: None,
        rows: None,
        stride_varies: false,
        bank_wavefronts: None,
        executions: Quantity::constant(ELEMENTS),
        simd_executions: Quantity::constant(SIMD_GROUPS),
        uniformity: Uniformity::Lane,
        loop_depth: 0,
        same_address: None,
    }
}

fn total(lines: f64, simd_executions: f64) -> TrafficTotal {
    let transactions = lines * simd_executions;
    TrafficTotal {
        transactions,
        sectors: transactions,
        bytes: transactions * LINE,
    }
}

/// An access with a pattern that takes `lines` lines where `ideal` would do.
pub(crate) fn shaped(
    mut access: AccessFacts,
    pattern: Pattern,
    stride_bytes: Option<i64>,
    (lines, ideal): (f64, f64),
) -> AccessFacts {
    let simd_executions = access.simd_executions.value.unwrap_or(SIMD_GROUPS);
    access.pattern = pattern;
    access.stride_bytes = stride_bytes;
    access.traffic = Some(traffic(lines, ideal));
    access.total = Some(total(lines, simd_executions));
    access
}

/// An access of workgroup memory.
pub(crate) fn workgroup_access(variable: &str, line: u32, operation: Operation) -> AccessFacts {
    AccessFacts {
        space: Space::Workgroup,
        total: None,
        traffic: None,
        bank_degree: Some(1.0),
        bank_wavefronts: Some(SIMD_GROUPS),
        ..access(variable, line, operation)
    }
}

pub(crate) fn buffer(name: &str, binding: u32) -> BufferFacts {
    BufferFacts {
        name: name.to_owned(),
        space: Space::Storage,
        binding: Some((0, binding)),
        writable: false,
        size_bytes: Some(4 * 1_048_576),
        requested: Quantity::constant(4.0 * ELEMENTS),
        transferred: Quantity::constant(4.0 * ELEMENTS),
        compulsory: Quantity::constant(4.0 * ELEMENTS),
        reuse_launch: Some(1.0),
        reuse_workgroup: Some(1.0),
    }
}

/// The good kernel.
pub(crate) fn vector_add() -> Facts {
    let mut facts = Facts {
        file: "kernel.wgsl".to_owned(),
        entry: "main".to_owned(),
        location: at(1),
        workgroup_size: [64, 1, 1],
        workgroups: Some([16_384, 1, 1]),
        machine: generic(),
        simd_width: 32,
        work: Work::default(),
        requested: Quantity::constant(12.0 * ELEMENTS),
        transferred: Quantity::constant(12.0 * ELEMENTS),
        compulsory: Quantity::constant(12.0 * ELEMENTS),
        intensity: Intensity::default(),
        simd_efficiency: Some(1.0),
        accesses: vec![
            access("a", 10, Operation::Load),
            access("b", 10, Operation::Load),
            access("c", 10, Operation::Store),
        ],
        buffers: vec![buffer("a", 0), buffer("b", 1), buffer("c", 2)],
        layouts: Vec::new(),
        workgroup_variables: Vec::new(),
        workgroup_bytes: 0,
        loops: Vec::new(),
        branches: Vec::new(),
        barriers: Vec::new(),
        registers: None,
        occupancy: occupancy(
            &GroupDemand {
                invocations: 64,
                workgroup_memory_bytes: 0,
                registers: None,
            },
            &UnitLimits::default(),
        ),
        demand: Demand {
            f32_flops: Some(ELEMENTS),
            f16_flops: Some(0.0),
            f64_flops: Some(0.0),
            special_ops: Some(0.0),
            integer_ops: Some(0.0),
            workgroup_memory_wavefronts: Some(0.0),
            same_address_atomics: Some(0.0),
            ..Demand::default()
        },
        prediction: predict(&Demand::default(), &Machine::default()),
        assumptions: Vec::new(),
        unknowns: Vec::new(),
        unsupported: Vec::new(),
        portability: Vec::new(),
        derivations: Vec::new(),
    };
    settle(&mut facts);
    facts
}

/// Registers that the person gave.
pub(crate) fn given(value: u32) -> Option<Registers> {
    Some(Registers {
        value,
        source: RegisterSource::Given,
    })
}

/// Makes bytes, occupancy and prediction follow from the accesses, the launch and the machine.
pub(crate) fn settle(facts: &mut Facts) {
    let storage = |facts: &Facts, loads_only: bool| -> Option<f64> {
        facts
            .accesses
            .iter()
            .filter(|access| access.space == Space::Storage)
            .filter(|access| !loads_only || access.operation == Operation::Load)
            .map(|access| access.total.as_ref().map(|total| total.bytes))
            .sum()
    };
    let transferred = storage(facts, false);
    facts.transferred = transferred.map_or_else(|| Quantity::unknown("?"), Quantity::constant);
    facts.demand.transferred_bytes = transferred;
    facts.demand.loaded_bytes = storage(facts, true);
    let invocations: u32 = facts.workgroup_size.iter().product();
    facts.occupancy = occupancy(
        &GroupDemand {
            invocations,
            workgroup_memory_bytes: facts.workgroup_bytes,
            registers: facts.registers.map(|registers| registers.value),
        },
        &UnitLimits::from(&facts.machine),
    );
    facts.demand.groups = facts
        .workgroups
        .map(|groups| groups.iter().map(|&side| f64::from(side)).product());
    facts.demand.simd_groups_per_group = Some(f64::from(invocations.div_ceil(facts.simd_width)));
    facts.demand.resident_simd_groups_per_unit =
        facts.occupancy.simd_groups.map(|groups| groups as f64);
    facts.prediction = predict(&facts.demand, &facts.machine);
}

/// What the rules find after bytes, occupancy and prediction are settled.
pub(crate) fn checked(mut facts: Facts) -> Findings {
    settle(&mut facts);
    check(&facts)
}

pub(crate) fn diagnostics<'a>(findings: &'a Findings, code: &str) -> Vec<&'a Diagnostic> {
    let of_rule = |diagnostic: &&Diagnostic| diagnostic.code == code;
    findings.diagnostics.iter().filter(of_rule).collect()
}

/// The only diagnostic; anything else that fires is a failure.
#[track_caller]
pub(crate) fn only<'a>(findings: &'a Findings, code: &str) -> &'a Diagnostic {
    match findings.diagnostics.as_slice() {
        [one] if one.code == code => one,
        others => panic!("expected only {code}, found {others:#?}"),
    }
}

/// The only lever of a rule.
#[track_caller]
pub(crate) fn lever<'a>(findings: &'a Findings, code: &str) -> &'a Lever {
    let levers: Vec<_> = (findings.levers.iter())
        .filter(|lever| lever.code == code)
        .collect();
    match levers.as_slice() {
        [one] => one,
        others => panic!("expected one lever of {code}, found {others:#?}"),
    }
}

#[track_caller]
pub(crate) fn silent(findings: &Findings) {
    assert!(
        findings.diagnostics.is_empty(),
        "{:#?}",
        findings.diagnostics
    );
}

#[track_caller]
pub(crate) fn close(value: Option<f64>, expected: f64) {
    let value = value.expect("a value is known");
    let error = (value - expected).abs();
    assert!(error <= 1e-9 * expected.abs(), "{value} is not {expected}");
}
