//! Facts of loops, branches and barriers.

use cresta_ir::non_uniform_barriers;
use cresta_symbolic::program::Program;

use crate::accesses::{Context, uniformity};
use crate::facts::{BarrierFacts, BranchFacts, LoopFacts};

pub(crate) fn loops(program: &Program, context: &Context<'_>) -> Vec<LoopFacts> {
    program
        .loops
        .iter()
        .map(|summary| LoopFacts {
            location: context.locator.span(context.kernel, summary.span),
            trips: context.bindings.quantity(program, &summary.trips),
            uniformity: uniformity(summary.uniformity),
        })
        .collect()
}

pub(crate) fn branches(program: &Program, context: &Context<'_>) -> Vec<BranchFacts> {
    program
        .branches
        .iter()
        .map(|summary| BranchFacts {
            location: context.locator.span(context.kernel, summary.span),
            uniformity: uniformity(summary.uniformity),
            unknown: summary.unknown.clone(),
        })
        .collect()
}

pub(crate) fn barriers(program: &Program, context: &Context<'_>) -> Vec<BarrierFacts> {
    let faults = non_uniform_barriers(context.kernel);
    let mut barriers: Vec<BarrierFacts> = program
        .barriers
        .iter()
        .zip(&context.totals.barriers)
        .map(|(barrier, executions)| BarrierFacts {
            location: context.locator.span(context.kernel, barrier.span),
            executions: context.bindings.quantity(program, executions),
            non_uniform_cause: faults
                .iter()
                .find(|fault| fault.barrier == barrier.span)
                .map(|fault| context.locator.span(context.kernel, fault.cause)),
        })
        .collect();
    barriers.sort_by_key(|barrier| barrier.location.start);
    barriers
}
