//! Facts of each access: where, how wide, which shape, how many lines and sectors.

use std::collections::BTreeMap;

use cresta_ir::{Access, AccessKind, Kernel, Space};
use cresta_model::quantity::Quantity;
use cresta_model::transactions::Pattern;
use cresta_symbolic::arena::Uniformity as Symbolic;
use cresta_symbolic::point::Point;
use cresta_symbolic::poly::{AtomId, Poly};
use cresta_symbolic::program::{PlacedAccess, Program};
use cresta_symbolic::shape::{Shape, ShapeOptions};
use cresta_symbolic::totals::{Totals, bytes_per_lane};
use rustc_hash::FxHashMap;

use crate::bounds::is_of_data;
use crate::facts::{AccessFacts, Basis, Operation, Traffic, Uniformity};
use crate::locate::Locator;
use crate::member::member;
use crate::rows::{rows, stride_varies};
use crate::traffic::{Bounded, total, traffic};
use crate::values::Bindings;

/// One access with its sums over the launch, for totals that the facts do not carry.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) placed: PlacedAccess,
    pub(crate) facts: AccessFacts,
    /// Sums over the launch; `None` where the launch or the addresses are not known.
    pub(crate) shape: Option<Shape>,
    /// Whether everything that its executions and addresses mention has a value.
    pub(crate) is_settled: bool,
}

pub(crate) struct Context<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) totals: &'a Totals,
    pub(crate) bindings: &'a Bindings,
    /// As for a known launch.
    pub(crate) options: ShapeOptions,
    pub(crate) locator: &'a Locator<'a>,
    /// Elements of runtime-sized arrays, by variable.
    pub(crate) lengths: &'a BTreeMap<String, u64>,
}

/// What a region's accesses share.
struct Shared {
    executions: Quantity,
    simd_executions: Quantity,
    /// Symbols without a value that its executions mention.
    missing: Vec<AtomId>,
}

/// Shapes by region, address, bytes of a lane and whether it is workgroup memory: a load and a store of
/// one element have the same.
type Shapes = FxHashMap<(usize, Poly, u32, bool), Option<StandingShape>>;

/// A shape, with the parameters that are not at their first stand-in.
type StandingShape = (Shape, Vec<(AtomId, i128)>);

/// Facts of every access, in the order of the source.
pub(crate) fn accesses(program: &mut Program, context: &Context<'_>) -> Vec<Measured> {
    let placed = program.accesses.clone();
    let mut regions: FxHashMap<usize, Shared> = FxHashMap::default();
    for access in &placed {
        regions
            .entry(access.region)
            .or_insert_with(|| shared(program, context, access.region));
    }
    let mut shapes = Shapes::default();
    let mut accesses: Vec<Measured> = placed
        .into_iter()
        .filter_map(|placed| {
            let shared = regions.get(&placed.region)?;
            Some(measure(program, context, shared, &mut shapes, placed))
        })
        .collect();
    accesses.sort_by_key(|access| (access.facts.location.start, access.facts.location.end));
    accesses
}

fn shared(program: &mut Program, context: &Context<'_>, region: usize) -> Shared {
    let bindings = context.bindings;
    let executions = bindings.quantity(program, &context.totals.executions[region]);
    let formula = program.simd_executions(region, context.options.simd_width);
    Shared {
        simd_executions: simd_executions(program, context, formula.as_ref(), &executions),
        missing: missing_in_region(program, bindings, region),
        executions,
    }
}

/// Symbols without a value on which it depends when a region runs. The number of workgroups is one of
/// them for every region.
pub(crate) fn missing_in_region(
    program: &mut Program,
    bindings: &Bindings,
    region: usize,
) -> Vec<AtomId> {
    let parts = program.parts(region);
    let groups = program.groups.map(Poly::atom);
    let indicators = parts.iter().map(|part| &part.indicator);
    bindings.missing_in(program, indicators.chain(&groups))
}

fn measure(
    program: &mut Program,
    context: &Context<'_>,
    shared: &Shared,
    shapes: &mut Shapes,
    placed: PlacedAccess,
) -> Measured {
    let access = context.kernel.access(placed.access);
    let space = context.kernel.variable(access.variable).space;
    let mut missing = shared.missing.clone();
    missing.extend(context.bindings.missing_in(program, placed.address.iter()));
    // what caches and registers serve costs no lines
    let counted = matches!(space, Space::Storage | Space::Workgroup);
    let address = placed.address.as_ref().filter(|_| counted);
    let shape = address.and_then(|address| {
        let in_workgroup = space == Space::Workgroup;
        let key = (placed.region, address.clone(), access.bytes(), in_workgroup);
        let known = shapes.entry(key);
        known
            .or_insert_with(|| shape(program, context, &placed, &missing))
            .clone()
    });
    let (shape, chosen) = shape.unzip();
    let chosen = chosen.unwrap_or_default();
    let known = missing.is_empty()
        && shape
            .as_ref()
            .is_some_and(|s| !s.assumes_alignment && !s.diverges_on_data && !s.sampled);
    let facts = facts(
        program,
        context,
        shared,
        &Seen {
            placed: &placed,
            shape: shape.as_ref(),
            known,
            missing: &missing,
            chosen: &chosen,
        },
    );
    Measured {
        placed,
        facts,
        shape: shape.filter(|_| known),
        is_settled: missing.is_empty(),
    }
}

/// The shape over the launch, or at the first stand-ins at which some lane runs.
fn shape(
    program: &mut Program,
    context: &Context<'_>,
    placed: &PlacedAccess,
    missing: &[AtomId],
) -> Option<StandingShape> {
    let access = context.kernel.access(placed.access);
    let in_workgroup = context.kernel.variable(access.variable).space == Space::Workgroup;
    let only_data = missing
        .iter()
        .all(|&symbol| is_of_data(&program.arena, symbol));
    let options = ShapeOptions {
        representative: !only_data,
        ..context.options
    };
    let bindings = context.bindings;
    let at = |program: &mut Program, point: &Point| {
        program.shape(placed, access.bytes(), in_workgroup, point, &options)
    };
    let first = at(program, &bindings.stand_in)?;
    if first.simd_executions > 0.0 || only_data {
        return Some((first, Vec::new()));
    }
    for alternative in bindings.alternatives(program, placed) {
        let shape = at(program, &alternative.point)?;
        if shape.simd_executions > 0.0 {
            return Some((shape, alternative.chosen));
        }
    }
    Some((first, Vec::new()))
}

/// An access with what was found of its shape.
struct Seen<'a> {
    placed: &'a PlacedAccess,
    shape: Option<&'a Shape>,
    /// Whether the shape is that of the launch.
    known: bool,
    /// Symbols without a value that the access depends on.
    missing: &'a [AtomId],
    /// Parameters that are not at their first stand-in in the shape.
    chosen: &'a [(AtomId, i128)],
}

fn facts(
    program: &mut Program,
    context: &Context<'_>,
    shared: &Shared,
    seen: &Seen<'_>,
) -> AccessFacts {
    let access = context.kernel.access(seen.placed.access);
    let variable = context.kernel.variable(access.variable);
    let in_workgroup = variable.space == Space::Workgroup;
    let executed = seen.shape.filter(|shape| shape.simd_executions > 0.0);
    let address = seen.placed.address.as_ref();
    let lanes = &context.totals.executions[seen.placed.region];
    let executions = shared.executions.clone();
    let mut simd_executions = shared.simd_executions.clone();
    if let Some(shape) = seen.shape.filter(|_| seen.known) {
        simd_executions.value = Some(shape.simd_executions);
        (simd_executions.lower, simd_executions.upper) = (None, None);
    }
    let bytes_per_lane = bytes_per_lane(context.kernel, access);
    let bounded = Bounded {
        executions: &executions,
        simd_executions: &simd_executions,
        bytes: bytes_per_lane,
        shape: executed.map(|shape| (shape, context.bindings.at_most(program, lanes))),
        options: &context.options,
    };
    let (base, offset) = address.map_or((None, 0), split);
    let moves_lines = matches!(variable.space, Space::Storage | Space::Texture);
    let unsure = moves_lines && !seen.known;
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
        bytes_per_lane,
        pattern: executed
            .and_then(|shape| shape.pattern)
            .unwrap_or_else(|| unshaped_pattern(program, variable.space, address)),
        pattern_share: executed.and_then(|shape| shape.pattern_share),
        stride_bytes: executed.and_then(|shape| shape.stride_bytes),
        address: address.map_or_else(String::new, |address| program.arena.format(address)),
        address_base: base.map_or_else(String::new, |base| program.arena.format(&base)),
        address_offset: offset,
        basis: basis(program, variable.space, seen, &executions),
        traffic: executed
            .map(traffic)
            .or_else(|| broadcast_traffic(program, variable.space, access, address)),
        total: seen
            .shape
            .filter(|_| seen.known)
            .map(|shape| total(shape, &context.options)),
        at_least: bounded.at_least().filter(|_| unsure),
        at_most: bounded.at_most().filter(|_| unsure),
        assumes: seen
            .shape
            .and_then(|shape| assumption(program, context, seen, shape)),
        bank_degree: executed
            .filter(|_| in_workgroup)
            .map(|shape| shape.wavefronts / shape.ideal_wavefronts),
        rows: in_workgroup
            .then(|| executed?.stride_bytes.zip(bytes_per_lane).zip(address))
            .flatten()
            .and_then(|(lanes, address)| rows(program, variable, address, lanes)),
        stride_varies: address.is_some_and(|address| stride_varies(program, address)),
        bank_wavefronts: seen
            .shape
            .filter(|_| in_workgroup && seen.known)
            .map(|shape| shape.wavefronts),
        uniformity: address.map_or(Uniformity::Lane, |address| {
            uniformity(program.arena.uniformity(address))
        }),
        loop_depth: program.regions[seen.placed.region].loops.len() as u32,
        same_address: executed
            .filter(|_| access.kind == AccessKind::Atomic)
            .map(|shape| shape.lanes / shape.addresses),
        executions,
        simd_executions,
    }
}

/// An address without its constant, and the constant; all of it is base where that is no whole number.
fn split(address: &Poly) -> (Option<Poly>, i64) {
    let constant = address.terms().iter().find(|(atoms, _)| atoms.is_empty());
    let whole = constant.filter(|_| address.denominator() == 1);
    let offset = whole.and_then(|(_, constant)| i64::try_from(*constant).ok());
    let offset = offset.unwrap_or(0);
    (Some(address.add_integer(-i128::from(offset))), offset)
}

/// What the shape of an access rests on.
fn basis(program: &Program, space: Space, seen: &Seen<'_>, executions: &Quantity) -> Basis {
    if executions.value == Some(0.0) {
        return Basis::NeverRuns;
    }
    if !matches!(space, Space::Storage | Space::Workgroup) {
        return Basis::NotCounted;
    }
    match seen.shape {
        Some(shape) if shape.simd_executions > 0.0 => Basis::Counted,
        Some(_) if seen.missing.is_empty() => Basis::NeverRuns,
        Some(_) => Basis::NotReached,
        None if addresses_depend_on_data(program, seen.placed.address.as_ref()) => Basis::Data,
        None => Basis::TooManyCases,
    }
}

/// Whether data decide which addresses the lanes of a SIMD group have.
fn addresses_depend_on_data(program: &Program, address: Option<&Poly>) -> bool {
    address.is_some_and(|address| {
        let data = program.data_in(address).into_iter();
        let symbols = data.filter_map(|id| program.arena.symbol(id));
        symbols
            .map(|symbol| symbol.uniformity)
            .any(|uniformity| uniformity < Symbolic::SimdGroup)
    })
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

/// SIMD executions: the closed form where there is one, and bounds where data decide.
fn simd_executions(
    program: &Program,
    context: &Context<'_>,
    formula: Option<&Poly>,
    lanes: &Quantity,
) -> Quantity {
    let mut quantity = match formula {
        Some(formula) => context.bindings.quantity(program, formula),
        None => Quantity::unknown("simd_executions"),
    };
    if quantity.value.is_none() {
        let width = f64::from(context.options.simd_width);
        quantity.lower = lanes.at_least().map(|lanes| (lanes / width).ceil());
        quantity.upper = lanes.at_most();
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
    seen: &Seen<'_>,
    shape: &Shape,
) -> Option<String> {
    let mut parts = Vec::new();
    let address = seen.placed.address.as_ref()?;
    let name = |symbol: AtomId| Some(program.arena.symbol(symbol)?.name.clone());
    let mentioned = |symbol: AtomId| program.arena.mentions(address, symbol);
    let chosen = seen.chosen.iter().filter(|(symbol, _)| mentioned(*symbol));
    for &(symbol, value) in chosen {
        parts.push(format!("{} is {value}", name(symbol)?));
    }
    let is_chosen = |symbol| seen.chosen.iter().any(|&(chosen, _)| chosen == symbol);
    let missing = context.bindings.missing.iter().copied();
    let missing: Vec<String> = missing
        .filter(|&symbol| mentioned(symbol) && !is_chosen(symbol))
        .filter_map(name)
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
