//! Facts of loops, branches and barriers.

use cresta_ir::{Block, Kind, Label, Operand, SpanId, non_uniform_barriers};
use cresta_symbolic::program::Program;

use crate::accesses::{Context, uniformity};
use crate::facts::{BarrierFacts, BranchFacts, LoopFacts};

pub(crate) fn loops(program: &Program, context: &Context<'_>) -> Vec<LoopFacts> {
    let mut endless = Vec::new();
    endless_loops(&context.kernel.body, &mut endless);
    program
        .loops
        .iter()
        .map(|summary| LoopFacts {
            location: context.locator.span(context.kernel, summary.span),
            trips: context.bindings.quantity(program, &summary.trips),
            uniformity: uniformity(summary.uniformity),
            never_ends: endless.contains(&summary.span),
        })
        .collect()
}

/// Loops that nothing in them leaves, by the place of the loop.
fn endless_loops(block: &Block, found: &mut Vec<SpanId>) {
    for instruction in block {
        match &instruction.kind {
            Kind::Loop {
                body,
                continuing,
                break_if,
                ..
            } => {
                let may_end = break_if.is_some_and(|condition| constant(condition) != Some(false))
                    || leaves(body, &mut Vec::new())
                    || leaves(continuing, &mut Vec::new());
                if !may_end {
                    found.push(instruction.span);
                }
                endless_loops(body, found);
                endless_loops(continuing, found);
            }
            Kind::If { accept, reject, .. } => {
                endless_loops(accept, found);
                endless_loops(reject, found);
            }
            Kind::Switch { cases, .. } => {
                cases
                    .iter()
                    .for_each(|case| endless_loops(&case.body, found));
            }
            Kind::Block { body, .. } => endless_loops(body, found),
            _ => {}
        }
    }
}

/// Whether something in a loop's block leaves the loop: a return, or a break from a construct that the
/// block does not hold. `within` are the constructs between the loop and the block.
fn leaves(block: &Block, within: &mut Vec<Label>) -> bool {
    block.iter().any(|instruction| match &instruction.kind {
        Kind::Return => true,
        Kind::Break(label) => !within.contains(label),
        Kind::If {
            condition,
            accept,
            reject,
            ..
        } => {
            let known = constant(*condition);
            (known != Some(false) && leaves(accept, within))
                || (known != Some(true) && leaves(reject, within))
        }
        Kind::Switch { label, cases, .. } => inside(*label, within, |within| {
            cases.iter().any(|case| leaves(&case.body, within))
        }),
        Kind::Loop {
            label,
            body,
            continuing,
            ..
        } => inside(*label, within, |within| {
            leaves(body, within) || leaves(continuing, within)
        }),
        Kind::Block { label, body } => inside(*label, within, |within| leaves(body, within)),
        _ => false,
    })
}

fn inside(label: Label, within: &mut Vec<Label>, ask: impl Fn(&mut Vec<Label>) -> bool) -> bool {
    within.push(label);
    let answer = ask(within);
    within.pop();
    answer
}

/// The truth of a condition that is a constant.
fn constant(condition: Operand) -> Option<bool> {
    match condition {
        Operand::Constant(constant) => constant.integer().map(|value| value != 0),
        _ => None,
    }
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
