//! Bytes of each buffer: requested, transferred, compulsory, reused.

use cresta_ir::{AccessKind, Space, Variable};
use cresta_model::quantity::Quantity;
use cresta_symbolic::poly::Poly;
use cresta_symbolic::program::{PlacedAccess, Program};
use cresta_symbolic::totals::bytes_per_lane;

use crate::accesses::{Context, Measured};
use crate::facts::BufferFacts;

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
        .filter(|(_, v)| matches!(v.space, Space::Storage | Space::Uniform | Space::Texture));
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
    let transferred = transferred(context, accesses);
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
        quantity.lower = quantity.value.take();
        quantity.formula = format!("at least {}", quantity.formula);
    }
    quantity
}

/// Sectors times their size. Where addresses depend on data, between one sector a SIMD group and one
/// for each lane.
fn transferred(context: &Context<'_>, accesses: &[&Measured]) -> Quantity {
    let sector = f64::from(context.options.sector_bytes);
    let (mut lower, mut upper, mut exact) = (Some(0.0), Some(0.0), true);
    for access in accesses {
        let (low, high) = match &access.shape {
            Some(shape) => (Some(shape.sectors), Some(shape.sectors)),
            None => {
                exact = false;
                let simd = &access.facts.simd_executions;
                let width = access.facts.bytes_per_lane.map(f64::from);
                let per_lane = width.map(|width| (width / sector).ceil());
                let low = simd.at_least();
                let high = access
                    .facts
                    .executions
                    .value
                    .zip(per_lane)
                    .map(|(n, s)| n * s);
                (low, high)
            }
        };
        lower = lower.zip(low).map(|(sum, low)| sum + low * sector);
        upper = upper.zip(high).map(|(sum, high)| sum + high * sector);
    }
    let mut quantity = Quantity::unknown("sectors × sector size");
    if exact {
        quantity.value = lower;
    } else {
        (quantity.lower, quantity.upper) = (lower, upper);
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
    if context.bindings.is_complete() {
        let placed = placed_with_width(context, accesses);
        let bytes = program.footprint(&placed, &context.bindings.stand_in);
        quantity.value = bytes.map(|bytes| bytes as f64);
    }
    quantity
}

/// Distinct bytes that the first workgroup touches.
fn of_one_workgroup(
    program: &mut Program,
    context: &Context<'_>,
    accesses: &[&Measured],
) -> Option<f64> {
    if !context.bindings.is_complete() {
        return None;
    }
    let mut values = context.bindings.stand_in.clone();
    for axis in 0..3 {
        values.insert(program.workgroup[axis], Poly::zero());
    }
    let placed = placed_with_width(context, accesses);
    program
        .footprint(&placed, &values)
        .map(|bytes| bytes as f64)
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
