//! What a launch asks of a machine, from its facts.

use cresta_ir::{AccessKind, Space};
use cresta_model::occupancy::Occupancy;
use cresta_model::prediction::Demand;
use cresta_model::quantity::Quantity;
use cresta_model::work::Work;
use cresta_symbolic::program::Program;

use crate::accesses::{Context, Measured};

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
    /// Instructions, one for a SIMD group.
    pub(crate) simd_instructions: f64,
    /// Instructions, one for each active lane.
    pub(crate) lane_instructions: f64,
}

/// Instructions issued, and lanes active in them; `None` where data decide.
pub(crate) fn activity(program: &mut Program, context: &Context<'_>) -> Option<Activity> {
    if !context.bindings.is_complete() {
        return None;
    }
    let mut sum = Activity {
        simd_instructions: 0.0,
        lane_instructions: 0.0,
    };
    for region in 0..program.regions.len() {
        let instructions = program.regions[region].costs.instructions as f64;
        if instructions == 0.0 {
            continue;
        }
        let width = context.options.simd_width;
        let (groups, lanes) = program.activity(region, &context.bindings.stand_in, width)?;
        sum.simd_instructions += instructions * groups;
        sum.lane_instructions += instructions * lanes;
    }
    Some(sum)
}

/// The demand; every field that is not known is `None`, or a lower bound that an assumption names.
pub(crate) fn demand(
    context: &Context<'_>,
    accesses: &[Measured],
    sums: &Sums<'_>,
    assumptions: &mut Vec<String>,
) -> Demand {
    let work = sums.work;
    let groups = context
        .bindings
        .workgroups
        .map(|groups| groups.iter().map(|&n| f64::from(n)).product::<f64>());
    let all_flops = work.flops.total.value;
    let narrow = work.flops.f16.value.zip(work.flops.f64.value);
    let lanes = context.kernel.workgroup_invocations();
    let lower_bound = sums.transferred.value.is_none() && sums.transferred.lower.is_some();
    if lower_bound {
        assumptions.push(
            "transferred bytes are a lower bound: some addresses depend on data, and each SIMD group \
             is taken to touch one sector there"
                .to_owned(),
        );
    }
    let storage = |access: &&Measured| access.facts.space == Space::Storage;
    let loads: Vec<&Measured> = accesses
        .iter()
        .filter(storage)
        .filter(|a| a.is_load(context))
        .collect();
    let sector = f64::from(context.options.sector_bytes);
    let loaded = sum(&loads, |shape| shape.sectors * sector);
    let load_groups = sum(&loads, |shape| shape.simd_executions);
    Demand {
        f32_flops: all_flops
            .zip(narrow)
            .map(|(all, (f16, f64))| all - f16 - f64),
        f16_flops: work.flops.f16.value,
        f64_flops: work.flops.f64.value,
        special_ops: work.special_ops.value,
        integer_ops: work.integer_ops.value,
        simd_instructions: sums.activity.map(|activity| activity.simd_instructions),
        requested_bytes: sums.requested.at_least(),
        transferred_bytes: sums.transferred.at_least(),
        l2_bytes: None,
        dram_bytes: None,
        l1_wavefronts: context
            .options
            .lines_per_wavefront
            .and_then(|_| sum_where(accesses, Space::Storage, |shape| shape.l1_wavefronts)),
        l1_lines: sum_where(accesses, Space::Storage, |shape| shape.lines),
        workgroup_memory_wavefronts: sum_where(accesses, Space::Workgroup, |s| s.wavefronts),
        same_address_atomics: (work.atomics.value == Some(0.0)).then_some(0.0),
        loaded_bytes: loaded,
        uploaded_bytes: Some(0.0),
        read_back_bytes: Some(0.0),
        groups,
        simd_groups_per_group: Some(lanes.div_ceil(context.options.simd_width.into()) as f64),
        resident_simd_groups_per_unit: sums.occupancy.simd_groups.map(|groups| groups as f64),
        loads_in_flight: Some(1.0),
        bytes_per_load: loaded
            .zip(load_groups.filter(|&n| n > 0.0))
            .map(|(bytes, n)| bytes / n),
    }
}

impl Measured {
    fn is_load(&self, context: &Context<'_>) -> bool {
        context.kernel.access(self.placed.access).kind == AccessKind::Load
    }
}

fn sum(accesses: &[&Measured], of: impl Fn(&cresta_symbolic::shape::Shape) -> f64) -> Option<f64> {
    accesses
        .iter()
        .map(|access| access.shape.as_ref().map(&of))
        .sum()
}

fn sum_where(
    accesses: &[Measured],
    space: Space,
    of: impl Fn(&cresta_symbolic::shape::Shape) -> f64,
) -> Option<f64> {
    let own: Vec<&Measured> = accesses.iter().filter(|a| a.facts.space == space).collect();
    sum(&own, of)
}
