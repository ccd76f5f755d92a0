//! Compares what the two engines say of one launch. Start at [`compare`].
//!
//! An access is named by direction and variable, with a number from the second such access on:
//! `load a`, `load a 2`, `store c`, in the order of the kernel's access list.

use std::collections::{BTreeMap, BTreeSet};

use cresta_ir::{AccessKind, Kernel, Space};
use cresta_symbolic::Values;
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::point::Point;
use cresta_symbolic::poly::Poly;
use cresta_symbolic::program::{PlacedAccess, Program};
use cresta_symbolic::ratio::Ratio;
use cresta_symbolic::shape::{Shape, ShapeOptions};
use cresta_symbolic::totals::{Totals, bytes_per_lane};
use cresta_symbolic::walk::{Options, walk};

use crate::brute::{Counts, Device};

/// What the symbolic engine makes of a kernel for one SIMD width.
pub(crate) struct Formulas {
    pub(crate) program: Program,
    pub(crate) totals: Totals,
}

impl Formulas {
    /// Walks a kernel; `source` gives names such as `trips@42:7` their positions.
    pub(crate) fn new(kernel: &Kernel, source: &str, simd_width: u32) -> Formulas {
        let position = |at: u32| {
            let before = &source[..at as usize];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = before.matches('\n').count() as u32 + 1;
            (line, (before.len() - line_start) as u32 + 1)
        };
        let options = Options {
            simd_width,
            position: &position,
        };
        let mut program = walk(kernel, &options);
        let totals = program.totals(kernel);
        Formulas { program, totals }
    }
}

/// Values of symbols, for formulas and for shapes.
pub(crate) struct Known {
    ratios: Values,
    point: Point,
}

impl Known {
    /// Workgroup counts, and what `value` knows of the named symbols.
    pub(crate) fn new(
        program: &Program,
        workgroups: [u32; 3],
        value: impl Fn(&SymbolKind, &str) -> Option<Ratio>,
    ) -> Known {
        let mut ratios = Values::default();
        for (axis, count) in workgroups.into_iter().enumerate() {
            ratios.insert(program.groups[axis], Ratio::integer(count.into()));
        }
        for named in &program.named {
            let symbol = program.arena.symbol(named.symbol);
            let kind = &symbol.expect("named symbols exist").kind;
            if let Some(value) = value(kind, &named.name) {
                ratios.insert(named.symbol, value);
            }
        }
        let polys = ratios.iter().map(|(&id, &value)| (id, poly(value)));
        Known {
            point: Point::new(polys.collect()),
            ratios,
        }
    }
}

/// A ratio as a constant polynomial.
fn poly(value: Ratio) -> Poly {
    (1..)
        .find_map(|denominator| {
            let whole = value.mul(Ratio::integer(denominator))?.to_integer()?;
            Some(Poly::integer(whole).divide_by(denominator))
        })
        .expect("a ratio has a denominator")
}

/// What differs, and what only the brute-force counter knows.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) differences: Vec<String>,
    pub(crate) unknown: BTreeSet<String>,
}

impl Outcome {
    fn exact(&mut self, what: &str, symbolic: Option<Ratio>, brute: u64) {
        match symbolic {
            None => {
                self.unknown.insert(what.to_owned());
            }
            Some(value) if value == Ratio::integer(brute.into()) => {}
            Some(value) => {
                let value = value.to_f64();
                self.differences
                    .push(format!("{what}: symbolic {value}, brute force {brute}"));
            }
        }
    }

    /// Counts that went through fractions of lanes are compared to within rounding.
    fn near(&mut self, what: &str, symbolic: f64, brute: u64) {
        let brute = brute as f64;
        if (symbolic - brute).abs() > 1e-9 * brute {
            self.differences
                .push(format!("{what}: symbolic {symbolic}, brute force {brute}"));
        }
    }
}

/// Names of a kernel's accesses.
pub(crate) fn access_names(kernel: &Kernel) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let names = kernel.accesses.iter().map(|access| {
        let direction = match access.kind {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
            AccessKind::Atomic => "atomic",
        };
        let name = format!("{direction} {}", kernel.variable(access.variable).name);
        let number = seen.entry(name.clone()).or_default();
        *number += 1;
        match *number {
            1 => name,
            number => format!("{name} {number}"),
        }
    });
    names.collect()
}

/// Compares everything that both engines count.
pub(crate) fn compare(
    kernel: &Kernel,
    formulas: &mut Formulas,
    known: &Known,
    counts: &Counts,
    device: &Device,
) -> Outcome {
    let mut outcome = Outcome::default();
    compare_totals(&mut outcome, formulas, known, counts);
    compare_accesses(&mut outcome, kernel, formulas, known, counts, device);
    compare_activity(&mut outcome, &mut formulas.program, known, counts, device);
    compare_footprints(&mut outcome, kernel, &mut formulas.program, known, counts);
    outcome
}

/// Totals of the brute-force counter, by the names that cases use.
pub(crate) fn brute_totals(counts: &Counts) -> [(&'static str, u64); 15] {
    let bytes = |space| counts.requested(space);
    let both = |space| bytes(space).read + bytes(space).written;
    let (storage, texture) = (bytes(Space::Storage), bytes(Space::Texture));
    [
        ("invocations", counts.invocations),
        ("flops", counts.flops),
        ("flops_f16", counts.flops_f16),
        ("flops_f64", counts.flops_f64),
        ("special", counts.special),
        ("integer", counts.integer),
        ("other", counts.other),
        ("atomics", counts.atomics),
        ("barriers", counts.barriers),
        ("subgroup", counts.subgroup_operations),
        ("read", storage.read + texture.read),
        ("written", storage.written + texture.written),
        ("uniform", both(Space::Uniform)),
        ("workgroup", both(Space::Workgroup)),
        ("private", both(Space::Private)),
    ]
}

/// Formulas of the totals, by the same names.
pub(crate) fn formula_totals(totals: &Totals) -> [(&'static str, &Poly); 15] {
    let work = &totals.work;
    [
        ("invocations", &work.invocations),
        ("flops", &work.flops.total),
        ("flops_f16", &work.flops.f16),
        ("flops_f64", &work.flops.f64),
        ("special", &work.special_ops),
        ("integer", &work.integer_ops),
        ("other", &work.other_ops),
        ("atomics", &work.atomics),
        ("barriers", &work.barriers),
        ("subgroup", &work.subgroup_ops),
        ("read", &work.bytes.requested_read),
        ("written", &work.bytes.requested_write),
        ("uniform", &work.bytes.uniform),
        ("workgroup", &work.bytes.workgroup),
        ("private", &work.bytes.private),
    ]
}

fn compare_totals(outcome: &mut Outcome, formulas: &Formulas, known: &Known, counts: &Counts) {
    let totals = formula_totals(&formulas.totals);
    for ((name, formula), (_, brute)) in totals.into_iter().zip(brute_totals(counts)) {
        let value = formulas.program.arena.evaluate(formula, &known.ratios);
        outcome.exact(name, value, brute);
    }
}

fn compare_accesses(
    outcome: &mut Outcome,
    kernel: &Kernel,
    formulas: &mut Formulas,
    known: &Known,
    counts: &Counts,
    device: &Device,
) {
    let Formulas { program, totals } = formulas;
    let placed = program.accesses.clone();
    for (index, name) in access_names(kernel).into_iter().enumerate() {
        let brute = &counts.accesses[index];
        let mut here = placed
            .iter()
            .filter(|placed| placed.access.0 as usize == index);
        let Some(placed) = here.next() else {
            outcome.exact(
                &format!("executions of {name}"),
                Some(Ratio::ZERO),
                brute.executions,
            );
            continue;
        };
        assert!(here.next().is_none(), "{name} is placed twice");
        let executions = &totals.executions[placed.region];
        let executions = program.arena.evaluate(executions, &known.ratios);
        outcome.exact(
            &format!("executions of {name}"),
            executions,
            brute.executions,
        );
        let closed = program
            .simd_executions(placed.region, device.simd_width)
            .and_then(|formula| program.arena.evaluate(&formula, &known.ratios));
        outcome.exact(
            &format!("simd_executions of {name}"),
            closed,
            brute.simd_executions,
        );
        compare_shape(
            outcome, kernel, program, known, &name, placed, counts, device,
        );
    }
}

#[expect(clippy::too_many_arguments, reason = "one access seen by both engines")]
fn compare_shape(
    outcome: &mut Outcome,
    kernel: &Kernel,
    program: &mut Program,
    known: &Known,
    name: &str,
    placed: &PlacedAccess,
    counts: &Counts,
    device: &Device,
) {
    let access = kernel.access(placed.access);
    let space = kernel.variable(access.variable).space;
    if matches!(space, Space::Private | Space::Texture) {
        return;
    }
    let workgroup = space == Space::Workgroup;
    let shape = shape_at(program, known, placed, access.bytes(), workgroup, device);
    let Some(shape) = shape.filter(|shape| !shape.diverges_on_data && !shape.assumes_alignment)
    else {
        outcome.unknown.insert(format!("shape of {name}"));
        return;
    };
    let brute = &counts.accesses[placed.access.0 as usize];
    let mut near = |what: &str, symbolic: f64, brute: u64| {
        outcome.near(&format!("{what} of {name}"), symbolic, brute);
    };
    near("lanes", shape.lanes, brute.executions);
    near("SIMD groups", shape.simd_executions, brute.simd_executions);
    near("addresses", shape.addresses, brute.addresses);
    if access.atomic {
        near("same address", shape.same_address, brute.same_address);
    }
    if workgroup {
        near("wavefronts", shape.wavefronts, brute.wavefronts);
        near(
            "ideal wavefronts",
            shape.ideal_wavefronts,
            brute.ideal_wavefronts,
        );
    } else {
        near("lines", shape.lines, brute.lines);
        near("ideal lines", shape.ideal_lines, brute.ideal_lines);
        near("sectors", shape.sectors, brute.sectors);
        near("ideal sectors", shape.ideal_sectors, brute.ideal_sectors);
    }
}

/// The shape of an access on a device.
pub(crate) fn shape_at(
    program: &mut Program,
    known: &Known,
    placed: &PlacedAccess,
    width_bytes: u32,
    workgroup_memory: bool,
    device: &Device,
) -> Option<Shape> {
    let options = ShapeOptions {
        simd_width: device.simd_width,
        line_bytes: device.line_bytes as u32,
        sector_bytes: device.sector_bytes as u32,
        banks: device.banks as u32,
        bank_bytes: device.bank_bytes as u32,
        lines_per_wavefront: None,
        representative: false,
    };
    program.shape(
        placed,
        width_bytes,
        workgroup_memory,
        &known.point,
        &options,
    )
}

/// SIMD efficiency, as its two parts.
fn compare_activity(
    outcome: &mut Outcome,
    program: &mut Program,
    known: &Known,
    counts: &Counts,
    device: &Device,
) {
    let (mut lanes, mut active) = (0.0, 0.0);
    for region in 0..program.regions.len() {
        let instructions = program.regions[region].costs.instructions;
        if instructions == 0 {
            continue;
        }
        let Some(activity) = program.activity(region, &known.point, device.simd_width) else {
            outcome.unknown.insert("activity".to_owned());
            return;
        };
        let (groups, lanes_of_region) = activity;
        lanes += groups * instructions as f64 * f64::from(device.simd_width);
        active += lanes_of_region * instructions as f64;
    }
    outcome.near("lanes of SIMD groups", lanes, counts.lanes);
    outcome.near("active lanes", active, counts.active_lanes);
}

/// Accesses that read.
pub(crate) const READS: &[AccessKind] = &[AccessKind::Load, AccessKind::Atomic];
/// Accesses that write.
pub(crate) const WRITES: &[AccessKind] = &[AccessKind::Store, AccessKind::Atomic];
const ANY: &[AccessKind] = &[AccessKind::Load, AccessKind::Store, AccessKind::Atomic];

/// Accesses of some kinds to a variable, with their widths.
pub(crate) fn accesses_of(
    kernel: &Kernel,
    program: &Program,
    variable: &str,
    kinds: &[AccessKind],
) -> Vec<(PlacedAccess, u32)> {
    let accesses = program.accesses.iter().filter_map(|placed| {
        let access = kernel.access(placed.access);
        let mine = kernel.variable(access.variable).name == variable;
        let width = bytes_per_lane(kernel, access)?;
        (mine && kinds.contains(&access.kind)).then(|| (placed.clone(), width))
    });
    accesses.collect()
}

/// Distinct bytes that accesses touch.
pub(crate) fn footprint_at(
    program: &mut Program,
    known: &Known,
    accesses: &[(PlacedAccess, u32)],
) -> Option<u64> {
    program.footprint(accesses, &known.point)
}

fn compare_footprints(
    outcome: &mut Outcome,
    kernel: &Kernel,
    program: &mut Program,
    known: &Known,
    counts: &Counts,
) {
    for (variable, footprint) in &counts.footprint {
        for (what, kinds, brute) in [
            ("bytes read", READS, footprint.read),
            ("bytes written", WRITES, footprint.written),
            ("bytes touched", ANY, footprint.touched),
        ] {
            let accesses = accesses_of(kernel, program, variable, kinds);
            let bytes = footprint_at(program, known, &accesses);
            let bytes = bytes.map(|bytes| Ratio::integer(bytes.into()));
            outcome.exact(&format!("{what} of {variable}"), bytes, brute);
        }
    }
}
