//! Facts of each access: where, how wide, which shape, how many lines and sectors.

use std::collections::BTreeMap;

use cresta_ir::{Access, AccessKind, Kernel, Space, Type};
use cresta_model::machine::Machine;
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_symbolic::arena::Uniformity as Symbolic;
use cresta_symbolic::poly::Poly;
use cresta_symbolic::program::{PlacedAccess, Program};
use cresta_symbolic::shape::{Shape, ShapeOptions};
use cresta_symbolic::totals::{Totals, bytes_per_lane};
use rustc_hash::FxHashMap;

use crate::facts::{AccessFacts, Operation, Traffic, TrafficTotal, Uniformity};
use crate::locate::Locator;
use crate::values::Bindings;

/// Line, bank and SIMD sizes that stand in where a machine does not tell, each an assumption.
const ASSUMED_LINE_BYTES: u32 = 128;
const ASSUMED_BANKS: u32 = 32;
const ASSUMED_BANK_BYTES: u32 = 4;
pub(crate) const ASSUMED_SIMD_WIDTH: u32 = 32;

/// Shape options of a machine, with what had to be assumed; `representative` where values stand in for
/// what is not set.
pub(crate) fn shape_options(
    machine: &Machine,
    simd_width: u32,
    representative: bool,
    assumptions: &mut Vec<String>,
) -> ShapeOptions {
    let mut or = |value: Option<u32>, assumed: u32, what: &str| {
        value.unwrap_or_else(|| {
            assumptions.push(format!(
                "the machine does not tell its {what}: {assumed} is assumed"
            ));
            assumed
        })
    };
    let line_bytes = or(
        machine.l1.line_bytes,
        ASSUMED_LINE_BYTES,
        "line size in bytes",
    );
    ShapeOptions {
        simd_width,
        line_bytes,
        sector_bytes: machine.l2.sector_bytes.unwrap_or(line_bytes),
        banks: or(machine.shared.banks, ASSUMED_BANKS, "number of banks"),
        bank_bytes: or(
            machine.shared.bank_bytes,
            ASSUMED_BANK_BYTES,
            "bank width in bytes",
        ),
        lines_per_wavefront: machine.l1.lines_per_wavefront,
        representative,
    }
}

/// One access with its sums over the launch, for totals that the facts do not carry.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) placed: PlacedAccess,
    pub(crate) facts: AccessFacts,
    /// Sums over the launch; `None` where the launch or the addresses are not known.
    pub(crate) shape: Option<Shape>,
}

pub(crate) struct Context<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) totals: &'a Totals,
    pub(crate) bindings: &'a Bindings,
    pub(crate) options: ShapeOptions,
    pub(crate) locator: &'a Locator<'a>,
    /// Elements of runtime-sized arrays, by variable.
    pub(crate) lengths: &'a BTreeMap<String, u64>,
}

/// SIMD executions of regions as formulas, where there is a closed form.
type SimdFormulas = FxHashMap<usize, Option<Poly>>;

/// Facts of every access, in the order of the source.
pub(crate) fn accesses(program: &mut Program, context: &Context<'_>) -> Vec<Measured> {
    let placed = program.accesses.clone();
    let mut formulas = SimdFormulas::default();
    for access in &placed {
        formulas
            .entry(access.region)
            .or_insert_with(|| program.simd_executions(access.region, context.options.simd_width));
    }
    let mut accesses: Vec<Measured> = placed
        .into_iter()
        .map(|placed| measure(program, context, &formulas, placed))
        .collect();
    accesses.sort_by_key(|access| (access.facts.location.start, access.facts.location.end));
    accesses
}

fn measure(
    program: &mut Program,
    context: &Context<'_>,
    formulas: &SimdFormulas,
    placed: PlacedAccess,
) -> Measured {
    let access = context.kernel.access(placed.access);
    let space = context.kernel.variable(access.variable).space;
    // what caches and registers serve costs no lines
    let shape = matches!(space, Space::Storage | Space::Workgroup).then(|| {
        program.shape(
            &placed,
            access.bytes(),
            space == Space::Workgroup,
            &context.bindings.stand_in,
            &context.options,
        )
    });
    let shape = shape.flatten();
    let known = context.bindings.is_complete()
        && shape
            .as_ref()
            .is_some_and(|s| !s.assumes_alignment && !s.diverges_on_data && !s.sampled);
    let assumes = shape
        .as_ref()
        .and_then(|shape| assumption(program, context, &placed, shape));
    let facts = facts(
        program,
        context,
        formulas,
        &placed,
        shape.as_ref(),
        known,
        assumes,
    );
    Measured {
        placed,
        facts,
        shape: shape.filter(|_| known),
    }
}

fn facts(
    program: &mut Program,
    context: &Context<'_>,
    formulas: &SimdFormulas,
    placed: &PlacedAccess,
    shape: Option<&Shape>,
    known: bool,
    assumes: Option<String>,
) -> AccessFacts {
    let access = context.kernel.access(placed.access);
    let variable = context.kernel.variable(access.variable);
    let in_workgroup = variable.space == Space::Workgroup;
    let per_execution = |sum: f64| shape.map(|shape| sum / shape.simd_executions);
    let executed = shape.filter(|shape| shape.simd_executions > 0.0);
    let address = placed.address.as_ref();
    AccessFacts {
        location: context.locator.span(context.kernel, access.span),
        space: variable.space,
        variable: variable.name.clone(),
        member: member(variable.ty.as_ref(), access),
        operation: match access.kind {
            AccessKind::Load => Operation::Load,
            AccessKind::Store => Operation::Store,
            AccessKind::Atomic => Operation::Atomic,
        },
        atomic: access.atomic,
        bytes_per_lane: bytes_per_lane(context.kernel, access),
        pattern: executed
            .and_then(|shape| shape.pattern)
            .unwrap_or_else(|| unshaped_pattern(program, variable.space, address)),
        stride_bytes: executed.and_then(|shape| shape.stride_bytes),
        address: address.map_or_else(String::new, |address| program.arena.format(address)),
        traffic: executed
            .map(traffic)
            .or_else(|| broadcast_traffic(program, variable.space, access, address)),
        total: shape
            .filter(|_| known)
            .map(|shape| total(shape, &context.options)),
        assumes,
        bank_degree: executed
            .filter(|_| in_workgroup)
            .map(|shape| shape.wavefronts / shape.ideal_wavefronts),
        bank_wavefronts: shape
            .filter(|_| in_workgroup && known)
            .map(|shape| shape.wavefronts),
        executions: context
            .bindings
            .quantity(program, &context.totals.executions[placed.region]),
        simd_executions: simd_executions(program, context, formulas, placed.region, shape, known),
        uniformity: address.map_or(Uniformity::Lane, |address| {
            uniformity(program.arena.uniformity(address))
        }),
        loop_depth: program.regions[placed.region].loops.len() as u32,
        same_address: executed
            .filter(|_| access.kind == AccessKind::Atomic)
            .and_then(|shape| per_execution(shape.lanes / shape.addresses * shape.simd_executions)),
    }
}

/// Whether all lanes of a SIMD group read one place of a uniform buffer.
fn is_uniform_broadcast(program: &Program, space: Space, address: Option<&Poly>) -> bool {
    let uniform = |a: &Poly| program.arena.uniformity(a) >= Symbolic::SimdGroup;
    space == Space::Uniform && address.is_some_and(uniform)
}

/// The pattern of an access whose lines are not counted.
fn unshaped_pattern(program: &Program, space: Space, address: Option<&Poly>) -> Pattern {
    match is_uniform_broadcast(program, space, address) {
        true => Pattern::Broadcast,
        false => Pattern::Unknown,
    }
}

/// A scalar or vector of a uniform buffer is aligned, and so lies in one sector.
fn broadcast_traffic(
    program: &Program,
    space: Space,
    access: &Access,
    address: Option<&Poly>,
) -> Option<Traffic> {
    const SMALLEST_SECTOR_BYTES: u32 = 16;
    let fits = access.bytes() <= SMALLEST_SECTOR_BYTES;
    (fits && is_uniform_broadcast(program, space, address)).then_some(Traffic {
        transactions: 1.0,
        ideal_transactions: 1.0,
        sectors: 1.0,
        ideal_sectors: 1.0,
        efficiency: 1.0,
    })
}

fn traffic(shape: &Shape) -> Traffic {
    let mean = |sum: f64| sum / shape.simd_executions;
    Traffic {
        transactions: mean(shape.lines),
        ideal_transactions: mean(shape.ideal_lines),
        sectors: mean(shape.sectors),
        ideal_sectors: mean(shape.ideal_sectors),
        efficiency: shape.ideal_sectors / shape.sectors,
    }
}

fn total(shape: &Shape, options: &ShapeOptions) -> TrafficTotal {
    TrafficTotal {
        transactions: shape.lines,
        sectors: shape.sectors,
        bytes: shape.sectors * f64::from(options.sector_bytes),
    }
}

/// SIMD executions: the closed form where there is one, and the exact value at a known launch.
fn simd_executions(
    program: &Program,
    context: &Context<'_>,
    formulas: &SimdFormulas,
    region: usize,
    shape: Option<&Shape>,
    known: bool,
) -> Quantity {
    let width = context.options.simd_width;
    let mut quantity = match formulas.get(&region) {
        Some(Some(formula)) => context.bindings.quantity(program, formula),
        _ => Quantity::unknown("simd_executions"),
    };
    if known && let Some(shape) = shape {
        quantity.value = Some(shape.simd_executions);
    }
    if quantity.value.is_none() {
        let lanes = &context.totals.executions[region];
        if let Some(lanes) = program.arena.evaluate(lanes, &context.bindings.known) {
            quantity.lower = Some((lanes.to_f64() / f64::from(width)).ceil());
            quantity.upper = Some(lanes.to_f64());
        }
    }
    quantity
}

pub(crate) fn uniformity(uniformity: Symbolic) -> Uniformity {
    match uniformity {
        Symbolic::Lane => Uniformity::Lane,
        Symbolic::SimdGroup => Uniformity::SimdGroup,
        Symbolic::Workgroup => Uniformity::Workgroup,
        Symbolic::Launch => Uniformity::Launch,
    }
}

/// What the shape takes for granted.
fn assumption(
    program: &Program,
    context: &Context<'_>,
    placed: &PlacedAccess,
    shape: &Shape,
) -> Option<String> {
    let mut parts = Vec::new();
    let address = placed.address.as_ref()?;
    let missing: Vec<String> = context
        .bindings
        .missing
        .iter()
        .filter(|&&symbol| program.arena.mentions(address, symbol))
        .filter_map(|&symbol| Some(program.arena.symbol(symbol)?.name.clone()))
        .collect();
    if !missing.is_empty() {
        let (verb, noun) = if missing.len() == 1 {
            ("is", "a multiple")
        } else {
            ("are", "multiples")
        };
        parts.push(format!(
            "{} {verb} large and {noun} of the line",
            missing.join(", ")
        ));
    }
    if shape.assumes_alignment {
        parts.push("an offset read from memory is a multiple of the line".to_owned());
    }
    if shape.sampled {
        parts.push("a few of its SIMD groups stand for all".to_owned());
    }
    if shape.diverges_on_data {
        parts.push("all lanes take the data-dependent branches around it".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The member path within an array's element that an access reads, when the element is a structure.
fn member(ty: Option<&Type>, access: &Access) -> Option<String> {
    let mut ty = ty?;
    let mut offset = access.address.constant;
    let mut prefix = String::new();
    loop {
        match ty {
            Type::Array {
                element, stride, ..
            } => {
                offset %= u64::from(*stride);
                ty = element;
            }
            Type::Struct { members, .. } => {
                let member = members
                    .iter()
                    .rev()
                    .find(|m| u64::from(m.offset) <= offset)?;
                offset -= u64::from(member.offset);
                if !prefix.is_empty() {
                    prefix.push('.');
                }
                prefix.push_str(&member.name);
                ty = &member.ty;
            }
            _ => return (!prefix.is_empty()).then_some(prefix),
        }
    }
}
