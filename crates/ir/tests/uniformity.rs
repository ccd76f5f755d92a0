//! Uniformity on kernels built by hand: what the corpus of sources cannot say, such as causes.

mod builder;

use builder::{Builder, constant};
use cresta_ir::{
    BarrierScope, Builtin, Kind, Label, NonUniformBarrier, Operand, Operation, Scalar, Space,
    non_uniform_barriers,
};

const LANE: Operand = Operand::Builtin(Builtin::LocalIndex);
const GROUP: Operand = Operand::Builtin(Builtin::WorkgroupId(0));

fn barrier(b: &mut Builder) -> cresta_ir::SpanId {
    b.emit(Kind::Barrier(BarrierScope {
        workgroup: true,
        ..BarrierScope::default()
    }))
}

fn less(b: &mut Builder, value: Operand) -> Operand {
    b.compute(Scalar::Bool, Operation::Less, &[value, constant(7)])
}

#[test]
fn the_cause_is_the_outermost_branch() {
    let mut b = Builder::new();
    let by_group = less(&mut b, GROUP);
    let by_lane = less(&mut b, LANE);
    let mut spans = Vec::new();
    b.branch(by_group, |b| {
        let outer = b.branch(by_lane, |b| {
            b.branch(by_lane, |b| spans.push(barrier(b)));
        });
        spans.push(outer);
    });
    assert_eq!(
        non_uniform_barriers(&b.finish()),
        [NonUniformBarrier {
            barrier: spans[0],
            cause: spans[1]
        }]
    );
}

#[test]
fn an_early_return_causes_every_later_barrier() {
    let mut b = Builder::new();
    let by_lane = less(&mut b, LANE);
    let before = barrier(&mut b);
    let exit = b.branch(by_lane, |b| {
        b.emit(Kind::Return);
    });
    let first = barrier(&mut b);
    let second = barrier(&mut b);
    let found = non_uniform_barriers(&b.finish());
    assert_eq!(
        found,
        [first, second].map(|barrier| NonUniformBarrier {
            barrier,
            cause: exit
        })
    );
    assert!(found.iter().all(|found| found.barrier != before));
}

#[test]
fn control_meets_again_at_the_end_of_an_inlined_function() {
    let mut b = Builder::new();
    let by_lane = less(&mut b, LANE);
    let mut inside = None;
    let body = b.block(|b| {
        b.branch(by_lane, |b| {
            b.emit(Kind::Break(Label(0)));
        });
        inside = Some(barrier(b));
    });
    b.emit(Kind::Block {
        label: Label(0),
        body,
    });
    barrier(&mut b);
    let found: Vec<_> = non_uniform_barriers(&b.finish())
        .iter()
        .map(|found| found.barrier)
        .collect();
    assert_eq!(found, [inside.expect("set above")]);
}

#[test]
fn a_barrier_of_a_simd_group_is_not_judged() {
    let mut b = Builder::new();
    let by_lane = less(&mut b, LANE);
    b.branch(by_lane, |b| {
        b.emit(Kind::Barrier(BarrierScope {
            subgroup: true,
            ..BarrierScope::default()
        }));
    });
    assert!(non_uniform_barriers(&b.finish()).is_empty());
}

#[test]
fn taint_travels_as_many_turns_as_it_needs() {
    // Each turn moves the lane's value one register on, so the barrier turns bad in the fifth pass.
    let mut b = Builder::new();
    let chain: Vec<_> = (0..5).map(|_| b.register(Scalar::U32)).collect();
    let mut spans = Vec::new();
    b.repeat(0, |b| {
        let last = less(b, Operand::Register(chain[4]));
        let cause = b.branch(last, |b| spans.push(barrier(b)));
        spans.push(cause);
        for pair in chain.windows(2).rev() {
            b.emit(Kind::Copy {
                target: pair[1],
                source: Operand::Register(pair[0]),
            });
        }
        b.emit(Kind::Copy {
            target: chain[0],
            source: LANE,
        });
        let done = less(b, GROUP);
        b.branch(done, |b| {
            b.emit(Kind::Break(Label(0)));
        });
    });
    assert_eq!(
        non_uniform_barriers(&b.finish()),
        [NonUniformBarrier {
            barrier: spans[0],
            cause: spans[1]
        }]
    );
}

#[test]
fn stored_private_memory_keeps_what_any_store_left() {
    for (value, expected) in [(GROUP, 0), (LANE, 1)] {
        let mut b = Builder::new();
        let array = b.variable("array", Space::Private, true);
        b.store(array, constant(0), value);
        b.store(array, constant(0), GROUP);
        let read = b.load(array, constant(0));
        let condition = less(&mut b, read);
        b.branch(condition, |b| {
            barrier(b);
        });
        assert_eq!(non_uniform_barriers(&b.finish()).len(), expected);
    }
}
