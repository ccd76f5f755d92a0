//! What a launch asks of a machine, from its facts.

use cresta_ir::{AccessKind, Space};
use cresta_model::occupancy::Occupancy;
use cresta_model::prediction::{Demand, Resource};
use cresta_model::quantity::Quantity;
use cresta_model::work::Work;
use cresta_symbolic::program::Program;
use cresta_symbolic::shape::Shape;

use crate::accesses::{Context, Measured, missing_in_region};
use crate::facts::Basis;

/// Totals that the demand is made of.
pub(crate) struct Sums<'a> {
    pub(crate) work: &'a Work<Quantity>,
    pub(crate) requested: &'a Quantity,
    pub(crate) transferred: &'a Quantity,
    pub(crate) occupancy: &'a Occupancy,
    pub(crate) activity: Option<Activity>,
}

/// What SIMD groups execute over the launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activity {
    /// Instructions, one for a SIMD group; where data decide, the least.
    pub(crate) simd_instructions: f64,
    /// Instructions, one for each active lane, likewise.
    pub(crate) lane_instructions: f64,
    /// Whether the numbers are those of the launch, and no lower bounds.
    pub(crate) is_exact: bool,
}

/// Instructions issued, and lanes active in them; `None` where more than data is unknown.
pub(crate) fn activity(program: &mut Program, context: &Context<'_>) -> Option<Activity> {
    let width = context.options.simd_width;
    let mut sum = Activity {
        simd_instructions: 0.0,
        lane_instructions: 0.0,
        is_exact: true,
    };
    for region in 0..program.regions.len() {
        let instructions = program.regions[region].costs.instructions as f64;
        if instructions == 0.0 {
            continue;
        }
        let settled = missing_in_region(program, context.bindings, region).is_empty();
        let counted = settled
            .then(|| program.activity(region, &context.bindings.stand_in, width))
            .flatten();
        let (groups, lanes) = match counted {
            Some(counted) => counted,
            None => {
                sum.is_exact = false;
                let lanes = &context.totals.executions[region];
                let lanes = context.bindings.quantity(program, lanes).at_least()?;
                ((lanes / f64::from(width)).ceil(), lanes)
            }
        };
        sum.simd_instructions += instructions * groups;
        sum.lane_instructions += instructions * lanes;
    }
    Some(sum)
}

/// What the launch asks at least, and at most where that is known.
pub(crate) struct Demands {
    pub(crate) at_least: Demand,
    pub(crate) at_most: Demand,
}

/// The demand; every field that is not known is `None`, or a lower bound that
/// [`Demand::at_least`] and an assumption name.
pub(crate) fn demand(
    context: &Context<'_>,
    accesses: &[Measured],
    sums: &Sums<'_>,
    assumptions: &mut Vec<String>,
) -> Demands {
    let groups = context
        .bindings
        .workgroups
        .map(|groups| groups.iter().map(|&n| f64::from(n)).product::<f64>());
    let lanes = context.kernel.workgroup_invocations();
    let loads: Vec<&Measured> = accesses
        .iter()
        .filter(|access| access.facts.space == Space::Storage && access.is_load(context))
        .collect();
    let sector = f64::from(context.options.sector_bytes);
    let loaded = sum(&loads, |shape| shape.sectors * sector);
    let load_groups = sum(&loads, |shape| shape.simd_executions);
    let common = Demand {
        same_address_atomics: (sums.work.atomics.value == Some(0.0)).then_some(0.0),
        loaded_bytes: loaded,
        uploaded_bytes: Some(0.0),
        read_back_bytes: Some(0.0),
        groups,
        simd_groups_per_group: Some(lanes.div_ceil(context.options.simd_width.into()) as f64),
        resident_simd_groups_per_unit: resident(sums.occupancy),
        loads_in_flight: Some(1.0),
        bytes_per_load: loaded
            .zip(load_groups.filter(|&n| n > 0.0))
            .map(|(bytes, n)| bytes / n),
        ..Demand::default()
    };
    assumptions.extend(lower_bounds(accesses));
    let at = |end| bounded(context, accesses, sums, end, common.clone());
    let mut at_least = at(End::Least);
    at_least.at_least = uncertain(accesses, sums);
    Demands {
        at_least,
        at_most: at(End::Most),
    }
}

/// Which end of a range.
#[derive(Clone, Copy)]
enum End {
    Least,
    Most,
}

impl End {
    fn of(self, quantity: &Quantity) -> Option<f64> {
        match self {
            End::Least => quantity.at_least(),
            End::Most => quantity.at_most(),
        }
    }
}

/// `common` with the amounts that have a range.
fn bounded(
    context: &Context<'_>,
    accesses: &[Measured],
    sums: &Sums<'_>,
    end: End,
    common: Demand,
) -> Demand {
    let work = sums.work;
    let narrow = end.of(&work.flops.f16).zip(end.of(&work.flops.f64));
    // where data decide, one line or wavefront for a SIMD group at least, and one for a lane at most
    let total = |space: Space, of: fn(&Shape) -> f64| -> Option<f64> {
        let own = accesses.iter().filter(|a| a.facts.space == space);
        own.map(|access| match (&access.shape, end) {
            (Some(shape), _) => Some(of(shape)),
            (None, End::Least) => access.facts.simd_executions.at_least(),
            (None, End::Most) => access.facts.executions.at_most(),
        })
        .sum()
    };
    let activity = sums.activity;
    Demand {
        f32_flops: end
            .of(&work.flops.total)
            .zip(narrow)
            .map(|(all, (f16, f64))| all - f16 - f64),
        f16_flops: end.of(&work.flops.f16),
        f64_flops: end.of(&work.flops.f64),
        special_ops: end.of(&work.special_ops),
        integer_ops: end.of(&work.integer_ops),
        simd_instructions: activity
            .filter(|activity| activity.is_exact || matches!(end, End::Least))
            .map(|activity| activity.simd_instructions),
        requested_bytes: end.of(sums.requested),
        transferred_bytes: end.of(sums.transferred),
        l1_wavefronts: (context.options.lines_per_wavefront)
            .and_then(|_| total(Space::Storage, |shape| shape.l1_wavefronts)),
        l1_lines: total(Space::Storage, |shape| shape.lines),
        workgroup_memory_wavefronts: total(Space::Workgroup, |shape| shape.wavefronts),
        ..common
    }
}

/// Resources of which only a lower bound is known.
fn uncertain(accesses: &[Measured], sums: &Sums<'_>) -> Vec<Resource> {
    let work = sums.work;
    let open = |quantity: &Quantity| quantity.value.is_none() && quantity.lower.is_some();
    let unshaped = |space: Space| {
        let mut own = accesses.iter().filter(|a| a.facts.space == space);
        own.any(|access| {
            access.shape.is_none() && access.facts.simd_executions.at_least().is_some()
        })
    };
    let inexact = sums.activity.is_some_and(|activity| !activity.is_exact);
    [
        (Resource::Dram, open(sums.transferred)),
        (Resource::L2, open(sums.transferred)),
        (Resource::L1, unshaped(Space::Storage)),
        (Resource::Shared, unshaped(Space::Workgroup)),
        (Resource::Compute, open(&work.flops.total)),
        (Resource::Special, open(&work.special_ops)),
        (Resource::Integer, open(&work.integer_ops)),
        (Resource::Issue, inexact),
    ]
    .into_iter()
    .filter_map(|(resource, uncertain)| uncertain.then_some(resource))
    .collect()
}

/// Places that a reason for a lower bound names at most.
const PLACES: usize = 3;

/// Why transferred bytes are a lower bound, a reason a line.
fn lower_bounds(accesses: &[Measured]) -> Vec<String> {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for access in accesses {
        if access.facts.at_least.is_none() {
            continue;
        }
        let why = match (access.facts.space, access.facts.basis) {
            (Space::Texture, _) => "texels are counted as one sector a SIMD group",
            (_, Basis::Data) => {
                "the address depends on data, and a SIMD group needs one sector or more"
            }
            _ if access.facts.executions.value.is_none() => "data decide how often it runs",
            _ => "data decide which lanes run, or where their lines start",
        };
        let place = format!(
            "`{}` at line {}",
            access.facts.variable, access.facts.location.line
        );
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, places)) if places.contains(&place) => {}
            Some((_, places)) => places.push(place),
            None => reasons.push((why, vec![place])),
        }
    }
    reasons
        .into_iter()
        .map(|(why, places)| {
            let rest = places.len().saturating_sub(PLACES);
            let shown: Vec<String> = places.into_iter().take(PLACES).collect();
            let more = match rest {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!(
                "transferred bytes are a lower bound: {why} ({}{more})",
                shown.join(", ")
            )
        })
        .collect()
}

/// SIMD groups that a unit holds; none at all where no workgroup fits, whatever the SIMD width.
fn resident(occupancy: &Occupancy) -> Option<f64> {
    let nothing_fits = occupancy.groups == Some(0);
    let held = occupancy.simd_groups.map(|groups| groups as f64);
    if nothing_fits { Some(0.0) } else { held }
}

impl Measured {
    fn is_load(&self, context: &Context<'_>) -> bool {
        context.kernel.access(self.placed.access).kind == AccessKind::Load
    }
}

fn sum(accesses: &[&Measured], of: impl Fn(&Shape) -> f64) -> Option<f64> {
    accesses
        .iter()
        .map(|access| access.shape.as_ref().map(&of))
        .sum()
}
