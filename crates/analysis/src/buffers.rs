//! Bytes of each buffer: requested, transferred, compulsory, reused.

use cresta_ir::{AccessKind, Space, Variable};
use cresta_model::quantity::Quantity;
use cresta_symbolic::poly::Poly;
use cresta_symbolic::program::{PlacedAccess, Program};
use cresta_symbolic::totals::bytes_per_lane;

use crate::accesses::{Context, Measured};
use crate::facts::{AccessFacts, BufferFacts, TrafficTotal};

/// Facts of every variable with a binding, in the order of the kernel.
pub(crate) fn buffers(
    program: &mut Program,
    context: &Context<'_>,
    accesses: &[Measured],
) -> Vec<BufferFacts> {
    let kernel = context.kernel;
    let bound = kernel
        .variables
        .iter()
        .enumerate()
        .filter(|(_, v)| matches!(v.space, Space::Storage | Space::Uniform | Space::Texture))
        .filter(|(_, v)| v.texture.as_ref().is_none_or(|texture| !texture.sampler));
    bound
        .map(|(index, variable)| {
            let own: Vec<&Measured> = accesses
                .iter()
                .filter(|a| kernel.access(a.placed.access).variable.0 as usize == index)
                .collect();
            buffer(program, context, variable, &own)
        })
        .collect()
}

fn buffer(
    program: &mut Program,
    context: &Context<'_>,
    variable: &Variable,
    accesses: &[&Measured],
) -> BufferFacts {
    let requested = requested(program, context, accesses);
    let transferred = transferred(accesses);
    let compulsory = compulsory(program, context, variable, accesses);
    let ratio = |a: Option<f64>, b: Option<f64>| Some(a? / b.filter(|&b| b > 0.0)?);
    let of_group = of_one_workgroup(program, context, accesses);
    let groups = context
        .bindings
        .workgroups
        .map(|groups| groups.iter().map(|&n| f64::from(n)).product::<f64>());
    let per_group = ratio(requested.value, groups);
    BufferFacts {
        name: variable.name.clone(),
        space: variable.space,
        binding: variable.binding,
        writable: variable.writable,
        size_bytes: size(context, variable),
        reuse_launch: ratio(requested.value, compulsory.value),
        reuse_workgroup: ratio(per_group, of_group),
        requested,
        transferred,
        compulsory,
    }
}

fn requested(program: &Program, context: &Context<'_>, accesses: &[&Measured]) -> Quantity {
    let mut sum = Poly::zero();
    let mut complete = true;
    for access in accesses {
        let ir = context.kernel.access(access.placed.access);
        let directions = 1 + i128::from(ir.kind == AccessKind::Atomic);
        match bytes_per_lane(context.kernel, ir) {
            Some(bytes) => {
                let times = &context.totals.executions[access.placed.region];
                sum = sum.add(&times.scale(i128::from(bytes) * directions));
            }
            None => complete = false,
        }
    }
    let mut quantity = context.bindings.quantity(program, &sum);
    if !complete {
        quantity = Quantity {
            lower: quantity.at_least(),
            value: None,
            upper: None,
            ..quantity
        };
        quantity.formula = format!("at least {}", quantity.formula);
    }
    quantity
}

/// Sectors times their size; bounds where data decide.
fn transferred(accesses: &[&Measured]) -> Quantity {
    let bytes = |of: fn(&AccessFacts) -> Option<&TrafficTotal>| -> Option<f64> {
        let moved = accesses.iter().map(|access| Some(of(&access.facts)?.bytes));
        moved.sum()
    };
    let mut quantity = Quantity::unknown("sectors × sector size");
    quantity.value = bytes(|access| access.total.as_ref());
    if quantity.value.is_none() {
        quantity.lower = bytes(|access| access.total.as_ref().or(access.at_least.as_ref()));
        quantity.upper = bytes(|access| access.total.as_ref().or(access.at_most.as_ref()));
    }
    quantity
}

fn placed_with_width(context: &Context<'_>, accesses: &[&Measured]) -> Vec<(PlacedAccess, u32)> {
    accesses
        .iter()
        .map(|access| {
            let bytes = context.kernel.access(access.placed.access).bytes();
            (access.placed.clone(), bytes)
        })
        .collect()
}

fn compulsory(
    program: &mut Program,
    context: &Context<'_>,
    variable: &Variable,
    accesses: &[&Measured],
) -> Quantity {
    let mut quantity = Quantity::unknown(format!("distinct bytes of {}", variable.name));
    let mut footprint = |accesses: &[&Measured]| {
        let placed = placed_with_width(context, accesses);
        let bytes = program.footprint(&placed, &context.bindings.stand_in)?;
        Some(bytes as f64)
    };
    if accesses.iter().all(|access| access.is_settled) {
        quantity.value = footprint(accesses);
    }
    if quantity.value.is_none() && context.bindings.workgroups.is_some() {
        let known = accesses.iter().copied().filter(|a| a.shape.is_some());
        quantity.lower = footprint(&known.collect::<Vec<_>>());
        quantity.upper = size(context, variable).map(|bytes| bytes as f64);
    }
    quantity
}

/// Distinct bytes that the first workgroup touches.
fn of_one_workgroup(
    program: &mut Program,
    context: &Context<'_>,
    accesses: &[&Measured],
) -> Option<f64> {
    if !accesses.iter().all(|access| access.is_settled) {
        return None;
    }
    let placed = placed_with_width(context, accesses);
    let bytes = program.footprint(&placed, &context.bindings.first_group);
    bytes.map(|bytes| bytes as f64)
}

/// Size of the whole buffer: fixed by its type, or by the launch's length.
fn size(context: &Context<'_>, variable: &Variable) -> Option<u64> {
    let ty = variable.ty.as_ref()?;
    if let Some(bytes) = ty.bytes() {
        return Some(bytes);
    }
    let (offset, stride) = ty.runtime_array()?;
    let elements = context.lengths.get(&variable.name)?;
    Some(u64::from(offset) + elements * u64::from(stride))
}
