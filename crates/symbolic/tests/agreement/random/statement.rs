//! What made-up kernels are made of, and how it is made up. Start at [`Statement`].

use proptest::prelude::*;

use super::odd::{Odd, odd};

/// A whole number that is never negative.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Constant(u32),
    Parameter(u8),
    /// A built-in value, by its place in [`BUILTINS`].
    Builtin(u8),
    /// The counter of a loop around it, if there is one.
    Counter(u8),
    /// What [`Statement::Carry`] changes.
    Carried,
    Sum(Box<Number>, Box<Number>),
    Times(Box<Number>, u32),
    Over(Box<Number>, u32),
    Modulo(Box<Number>, u32),
    Bits(Box<Number>, &'static str, u32),
    Least(Box<Number>, Box<Number>),
    Greatest(Box<Number>, Box<Number>),
    /// What wraps or is negative before it is an index.
    Odd(Odd),
    /// The distance between two numbers.
    Apart(Box<Number>, Box<Number>),
}

pub(super) const BUILTINS: [&str; 8] = [
    "id.x", "id.y", "local.x", "local.y", "lane", "group.x", "group.y", "groups.x",
];

#[derive(Clone, Debug)]
pub(super) enum Condition {
    Compare(&'static str, Number, Number),
    /// What may have wrapped, against a number.
    CompareOdd(&'static str, Odd, u32),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// How a loop counts.
#[derive(Clone, Debug)]
pub(super) enum Counting {
    Up {
        from: u32,
        step: u32,
        at_most: bool,
    },
    Down,
    Halving,
    Doubling,
    TestedLast,
    /// Down to zero, and once around.
    DownAround,
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Arithmetic,
    Load(Number),
    Store(Number),
    LoadTile(Number),
    StoreTile(Number),
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// A switch on a number modulo four: bodies for 0, for 1 and 3, and for the rest.
    Switch(Number, [Vec<Statement>; 3]),
    Loop(Counting, Number, Vec<Statement>),
    Carry(Change),
    Break(Condition),
    Continue(Condition),
    Return(Condition),
}

/// What becomes of the number that is carried along.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Add(Number),
    AddModulo(u32, u32),
    Flip,
    Halve,
    Reset(Number),
}

fn leaf() -> impl Strategy<Value = Number> {
    prop_oneof![
        1 => (0u32..9).prop_map(Number::Constant),
        2 => (0u8..3).prop_map(Number::Parameter),
        4 => (0u8..8).prop_map(Number::Builtin),
        3 => (0u8..3).prop_map(Number::Counter),
        1 => Just(Number::Carried),
        1 => odd().prop_map(Number::Odd),
    ]
}

fn number() -> impl Strategy<Value = Number> {
    leaf().prop_recursive(2, 6, 2, |inner| {
        let pair = || (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        let with = |range: std::ops::Range<u32>| {
            (inner.clone(), range).prop_map(|(a, by)| (Box::new(a), by))
        };
        prop_oneof![
            5 => pair().prop_map(|(a, b)| Number::Sum(a, b)),
            3 => with(2..34).prop_map(|(a, by)| Number::Times(a, by)),
            1 => with(2..17).prop_map(|(a, by)| Number::Over(a, by)),
            1 => with(2..33).prop_map(|(a, by)| Number::Modulo(a, by)),
            1 => (with(0..64), prop::sample::select(vec!["&", "|", "^", ">>"]))
                .prop_map(|((a, by), operator)| {
                    let by = if operator == ">>" { by % 6 } else { by };
                    Number::Bits(a, operator, by)
                }),
            1 => pair().prop_map(|(a, b)| Number::Least(a, b)),
            1 => pair().prop_map(|(a, b)| Number::Apart(a, b)),
            1 => pair().prop_map(|(a, b)| Number::Greatest(a, b)),
        ]
    })
}

/// Something small enough to bound a loop.
fn bound() -> impl Strategy<Value = Number> {
    let parameter = || (0u8..3).prop_map(Number::Parameter);
    let counter = || (0u8..3).prop_map(|at| Box::new(Number::Counter(at)));
    prop_oneof![
        2 => (0u32..6).prop_map(Number::Constant),
        5 => parameter(),
        2 => (counter(), 0u32..3)
            .prop_map(|(counter, more)| Number::Sum(counter, Box::new(Number::Constant(more)))),
        2 => (0u8..8, 5u32..9).prop_map(|(builtin, over)| {
            Number::Over(Box::new(Number::Builtin(builtin)), over)
        }),
        1 => (parameter(), 1u32..5).prop_map(|(parameter, over)| {
            let raised = Number::Sum(Box::new(parameter), Box::new(Number::Constant(over)));
            Number::Over(Box::new(raised), over + 1)
        }),
        1 => (parameter(), counter())
            .prop_map(|(parameter, counter)| Number::Least(Box::new(parameter), counter)),
    ]
}

fn condition() -> impl Strategy<Value = Condition> {
    let relation = prop::sample::select(vec!["<", "<=", ">", ">=", "==", "!="]);
    let compare = (relation.clone(), number(), number())
        .prop_map(|(relation, a, b)| Condition::Compare(relation, a, b));
    let wrapped = (relation, odd(), 0u32..70)
        .prop_map(|(relation, a, b)| Condition::CompareOdd(relation, a, b));
    let compare = prop_oneof![5 => compare, 1 => wrapped];
    compare.prop_recursive(2, 4, 2, |inner| {
        let pair = || (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            2 => pair().prop_map(|(a, b)| Condition::Both(a, b)),
            1 => pair().prop_map(|(a, b)| Condition::Either(a, b)),
            1 => inner.clone().prop_map(|a| Condition::Not(Box::new(a))),
        ]
    })
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => leaf().prop_map(|number| match number {
            // doubling would soon leave the buffers, and 32 bits
            Number::Carried => Change::Halve,
            number => Change::Add(number),
        }),
        1 => (1u32..9, 9u32..40).prop_map(|(step, modulus)| Change::AddModulo(step, modulus)),
        1 => Just(Change::Flip),
        1 => Just(Change::Halve),
        1 => leaf().prop_map(Change::Reset),
    ]
}

fn counting() -> impl Strategy<Value = Counting> {
    prop_oneof![
        6 => (0u32..3, 1u32..4, any::<bool>())
            .prop_map(|(from, step, at_most)| Counting::Up { from, step, at_most }),
        1 => Just(Counting::Down),
        1 => Just(Counting::Halving),
        1 => Just(Counting::Doubling),
        1 => Just(Counting::TestedLast),
        1 => Just(Counting::DownAround),
    ]
}

/// A body with so many constructs, and loops among them, within one another.
pub(super) fn statements(depth: u32, loops: u32) -> BoxedStrategy<Vec<Statement>> {
    let mut choices: Vec<(u32, BoxedStrategy<Statement>)> = vec![
        (2, Just(Statement::Arithmetic).boxed()),
        (4, number().prop_map(Statement::Load).boxed()),
        (3, number().prop_map(Statement::Store).boxed()),
        (2, number().prop_map(Statement::LoadTile).boxed()),
        (1, number().prop_map(Statement::StoreTile).boxed()),
        (2, change().prop_map(Statement::Carry).boxed()),
        (1, condition().prop_map(Statement::Break).boxed()),
        (1, condition().prop_map(Statement::Continue).boxed()),
        (1, condition().prop_map(Statement::Return).boxed()),
    ];
    if depth > 0 {
        let branch = (
            condition(),
            statements(depth - 1, loops),
            statements(depth - 1, loops),
        );
        let branch = branch.prop_map(|(condition, yes, no)| Statement::If(condition, yes, no));
        choices.push((4, branch.boxed()));
        let body = || statements(depth - 1, loops);
        let switch = (number(), [body(), body(), body()]);
        let switch = switch.prop_map(|(selector, bodies)| Statement::Switch(selector, bodies));
        choices.push((1, switch.boxed()));
        if loops > 0 {
            let repeated = (counting(), bound(), statements(depth - 1, loops - 1));
            let repeated =
                repeated.prop_map(|(counting, bound, body)| Statement::Loop(counting, bound, body));
            choices.push((5, repeated.boxed()));
        }
    }
    let statement = proptest::strategy::Union::new_weighted(choices);
    prop::collection::vec(statement, 1..4).boxed()
}
