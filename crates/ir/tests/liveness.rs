//! Register pressure of kernels small enough to count by hand.

mod builder;

use builder::{Builder, constant};
use cresta_ir::{
    Builtin, Kernel, Kind, Label, Operand, Operation, Scalar, Space, register_pressure,
};

const LANE: Operand = Operand::Builtin(Builtin::LocalIndex);

/// Loads `count` values and then adds them up in order.
fn sum_of_loads(count: u32) -> Kernel {
    let mut b = Builder::new();
    let input = b.variable("input", Space::Storage, false);
    let output = b.variable("output", Space::Storage, true);
    let values: Vec<_> = (0..count).map(|i| b.load(input, constant(i))).collect();
    let mut sum = values[0];
    for value in &values[1..] {
        sum = b.compute(Scalar::U32, Operation::Add, &[sum, *value]);
    }
    b.store(output, constant(0), sum);
    b.finish()
}

#[test]
fn nothing_takes_nothing() {
    let pressure = register_pressure(&Builder::new().finish());
    assert_eq!((pressure.registers, pressure.at), (0, None));
}

#[test]
fn values_loaded_before_their_use_are_live_together() {
    // All five are live after the last load; the first sum takes the place of an argument.
    let kernel = sum_of_loads(5);
    let pressure = register_pressure(&kernel);
    assert_eq!(pressure.registers, 5);
    let fifth_load = kernel.body[4].span;
    assert_eq!(pressure.at, Some(fifth_load));
}

#[test]
fn a_running_sum_takes_two() {
    let mut b = Builder::new();
    let input = b.variable("input", Space::Storage, false);
    let output = b.variable("output", Space::Storage, true);
    let mut sum = b.load(input, constant(0));
    for i in 1..8 {
        let value = b.load(input, constant(i));
        sum = b.compute(Scalar::U32, Operation::Add, &[sum, value]);
    }
    b.store(output, constant(0), sum);
    assert_eq!(register_pressure(&b.finish()).registers, 2);
}

#[test]
fn builtins_are_live_throughout_and_wide_scalars_take_two() {
    let mut b = Builder::new();
    let output = b.variable("output", Space::Storage, true);
    let wide = b.compute(Scalar::U64, Operation::Convert, &[LANE]);
    let narrow = b.compute(Scalar::U32, Operation::Convert, &[wide]);
    b.store(output, Operand::Builtin(Builtin::WorkgroupId(0)), narrow);
    // Two built-ins and the 64-bit value; the narrow result takes its place.
    assert_eq!(register_pressure(&b.finish()).registers, 2 + 2);
}

#[test]
fn a_result_that_nothing_reads_still_needs_a_place() {
    let mut b = Builder::new();
    b.compute(Scalar::F32, Operation::Sqrt, &[constant(1)]);
    assert_eq!(register_pressure(&b.finish()).registers, 1);
}

#[test]
fn arms_of_a_branch_do_not_add_up() {
    let mut b = Builder::new();
    let output = b.variable("output", Space::Storage, true);
    let condition = b.compute(Scalar::Bool, Operation::Less, &[LANE, constant(3)]);
    let arm = |b: &mut Builder| {
        let first = b.load(output, constant(0));
        let second = b.load(output, constant(1));
        let sum = b.compute(Scalar::U32, Operation::Add, &[first, second]);
        b.store(output, constant(2), sum);
    };
    let accept = b.block(arm);
    let reject = b.block(arm);
    b.emit(Kind::If {
        condition,
        accept,
        reject,
        short_circuit: false,
    });
    // Two of one arm and the built-in; the condition is dead in the arms.
    assert_eq!(register_pressure(&b.finish()).registers, 2 + 1);
}

/// `loop { if (i >= limit) break; x = load(i); store(i, x); i += 1 }` with both carried round, and
/// optionally a value that is only used after the loop.
fn counting_loop(used_after: bool) -> Kernel {
    let mut b = Builder::new();
    let memory = b.variable("memory", Space::Storage, true);
    let limit = b.load(memory, constant(0));
    let kept = used_after.then(|| b.load(memory, constant(1)));
    let i = b.register(Scalar::U32);
    b.emit(Kind::Copy {
        target: i,
        source: constant(0),
    });
    let i = Operand::Register(i);
    b.repeat(0, |b| {
        let done = b.compute(Scalar::Bool, Operation::GreaterEqual, &[i, limit]);
        b.branch(done, |b| {
            b.emit(Kind::Break(Label(0)));
        });
        let x = b.load(memory, i);
        b.store(memory, i, x);
        let next = b.compute(Scalar::U32, Operation::Add, &[i, constant(1)]);
        let Operand::Register(target) = i else {
            unreachable!("made above");
        };
        b.emit(Kind::Copy {
            target,
            source: next,
        });
    });
    if let Some(kept) = kept {
        b.store(memory, constant(2), kept);
    }
    b.finish()
}

#[test]
fn what_a_loop_carries_is_live_all_round() {
    // i, limit, and either x, the condition or the incremented i.
    assert_eq!(register_pressure(&counting_loop(false)).registers, 3);
}

#[test]
fn what_is_used_after_a_loop_is_live_through_it() {
    assert_eq!(register_pressure(&counting_loop(true)).registers, 4);
}

#[test]
fn a_value_read_in_the_next_turn_is_live_at_the_end_of_the_loop() {
    let mut b = Builder::new();
    let memory = b.variable("memory", Space::Storage, true);
    let carried = b.register(Scalar::U32);
    b.repeat(0, |b| {
        b.store(memory, constant(0), Operand::Register(carried));
        let next = b.load(memory, constant(1));
        let a = b.load(memory, constant(2));
        b.emit(Kind::Copy {
            target: carried,
            source: next,
        });
        b.store(memory, constant(3), a);
        let done = b.compute(Scalar::Bool, Operation::Equal, &[a, constant(0)]);
        b.branch(done, |b| {
            b.emit(Kind::Break(Label(0)));
        });
    });
    // carried and a, or carried and the condition: two, although no turn both writes and reads it.
    assert_eq!(register_pressure(&b.finish()).registers, 2);
}

#[test]
fn long_kernels_take_little_time() {
    // 100,000 instructions in 1,000 branches, with registers that are live across all of them.
    let mut b = Builder::new();
    let memory = b.variable("memory", Space::Storage, true);
    let kept: Vec<_> = (0..50).map(|i| b.load(memory, constant(i))).collect();
    for _ in 0..1_000 {
        let condition = b.compute(Scalar::Bool, Operation::Less, &[LANE, constant(9)]);
        b.branch(condition, |b| {
            let mut value = b.load(memory, LANE);
            for _ in 0..97 {
                value = b.compute(Scalar::U32, Operation::Add, &[value, constant(1)]);
            }
            b.store(memory, LANE, value);
        });
    }
    for value in kept {
        b.store(memory, LANE, value);
    }
    let kernel = b.finish();
    assert_eq!(register_pressure(&kernel).registers, 50 + 1 + 1);
    assert!(cresta_ir::non_uniform_barriers(&kernel).is_empty());
}
