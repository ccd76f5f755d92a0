//! Kernels made up on the spot: nested loops, guards, exits and addresses of all sorts, as WGSL text,
//! through both engines.
//!
//! The kernels of a run are always the same ones. To look further, set `AGREEMENT_SEED` to a number and
//! `AGREEMENT_KERNELS` to how many; a disagreement is shrunk, printed as WGSL, and belongs in
//! `corpus/cases` once it is understood. Start at [`Statement`].

use std::collections::BTreeMap;
use std::fmt::Write;

use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::ratio::Ratio;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::brute::{self, Device, Launch};
use crate::compare::{Formulas, Known, Outcome, compare};
use crate::device;

/// Kernels of a run.
const KERNELS: u32 = 200;
/// Elements of each buffer: more than any address.
const ELEMENTS: u64 = 1 << 18;
/// Words of workgroup memory.
const TILE: u32 = 256;

/// A whole number that is never negative.
#[derive(Clone, Debug)]
enum Number {
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
    Least(Box<Number>, Box<Number>),
    Greatest(Box<Number>, Box<Number>),
}

const BUILTINS: [&str; 8] = [
    "id.x", "id.y", "local.x", "local.y", "lane", "group.x", "group.y", "groups.x",
];

#[derive(Clone, Debug)]
enum Condition {
    Compare(&'static str, Number, Number),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
    Not(Box<Condition>),
}

/// How a loop counts.
#[derive(Clone, Debug)]
enum Counting {
    Up { from: u32, step: u32, at_most: bool },
    Down,
    Halving,
    Doubling,
    TestedLast,
}

#[derive(Clone, Debug)]
enum Statement {
    Arithmetic,
    Load(Number),
    Store(Number),
    LoadTile(Number),
    StoreTile(Number),
    If(Condition, Vec<Statement>, Vec<Statement>),
    Loop(Counting, Number, Vec<Statement>),
    Carry(Change),
    Break(Condition),
    Continue(Condition),
    Return(Condition),
}

/// What becomes of the number that is carried along.
#[derive(Clone, Debug)]
enum Change {
    Add(Number),
    AddModulo(u32, u32),
    Flip,
    Halve,
    Reset(Number),
}

/// A kernel with its launch.
#[derive(Clone, Debug)]
struct Sample {
    workgroup_size: [u32; 3],
    workgroups: [u32; 3],
    parameters: [u32; 3],
    body: Vec<Statement>,
    device: Device,
}

fn leaf() -> impl Strategy<Value = Number> {
    prop_oneof![
        1 => (0u32..9).prop_map(Number::Constant),
        2 => (0u8..3).prop_map(Number::Parameter),
        4 => (0u8..8).prop_map(Number::Builtin),
        3 => (0u8..3).prop_map(Number::Counter),
        1 => Just(Number::Carried),
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
            1 => pair().prop_map(|(a, b)| Number::Least(a, b)),
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
    let compare = (relation, number(), number())
        .prop_map(|(relation, a, b)| Condition::Compare(relation, a, b));
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
        4 => leaf().prop_map(Change::Add),
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
    ]
}

fn statements(depth: u32, loops: u32) -> BoxedStrategy<Vec<Statement>> {
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

fn sample() -> impl Strategy<Value = Sample> {
    let size = prop::sample::select(vec![
        [32, 1, 1],
        [64, 1, 1],
        [48, 1, 1],
        [8, 8, 1],
        [12, 5, 1],
        [16, 4, 1],
        [4, 3, 3],
    ]);
    let machine = prop::sample::select(vec![
        Device::GENERIC,
        device(8, 32, 32),
        device(16, 64, 32),
        device(64, 128, 64),
    ]);
    let launch = ([1u32..4, 1..3, 1..2], [0u32..8, 0..20, 0..70]);
    (size, launch, statements(2, 2), machine).prop_map(
        |(workgroup_size, (workgroups, parameters), body, device)| Sample {
            workgroup_size,
            workgroups,
            parameters,
            body,
            device,
        },
    )
}

/// Writes a kernel as WGSL.
#[derive(Default)]
struct Writer {
    text: String,
    /// Counters of the loops around the current place.
    counters: Vec<String>,
    loops: usize,
}

impl Writer {
    fn number(&self, number: &Number) -> String {
        let both = |a: &Number, b: &Number| (self.number(a), self.number(b));
        match number {
            Number::Constant(value) => format!("{value}u"),
            Number::Parameter(which) => format!("d.p{which}"),
            Number::Builtin(which) => BUILTINS[usize::from(*which)].to_owned(),
            Number::Counter(which) => match self.counters.len() {
                0 => format!("d.p{which}"),
                loops => self.counters[usize::from(*which) % loops].clone(),
            },
            Number::Carried => "carried".to_owned(),
            Number::Sum(a, b) => {
                let (a, b) = both(a, b);
                format!("({a} + {b})")
            }
            Number::Times(a, by) => format!("({} * {by}u)", self.number(a)),
            Number::Over(a, by) => format!("({} / {by}u)", self.number(a)),
            Number::Modulo(a, by) => format!("({} % {by}u)", self.number(a)),
            Number::Least(a, b) => {
                let (a, b) = both(a, b);
                format!("min({a}, {b})")
            }
            Number::Greatest(a, b) => {
                let (a, b) = both(a, b);
                format!("max({a}, {b})")
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(relation, a, b) => {
                format!("({} {relation} {})", self.number(a), self.number(b))
            }
            Condition::Both(a, b) => format!("({} && {})", self.condition(a), self.condition(b)),
            Condition::Either(a, b) => format!("({} || {})", self.condition(a), self.condition(b)),
            Condition::Not(a) => format!("!{}", self.condition(a)),
        }
    }

    fn line(&mut self, text: &str) {
        writeln!(self.text, "{text}").expect("strings can be written to");
    }

    fn block(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Arithmetic => self.line("sum = sum * 2.0 + 1.0;"),
            Statement::Load(at) => self.line(&format!("sum += a[{}];", self.number(at))),
            Statement::Store(at) => self.line(&format!("b[{}] = sum;", self.number(at))),
            Statement::LoadTile(at) => {
                self.line(&format!("sum += tile[{} % {TILE}u];", self.number(at)));
            }
            Statement::StoreTile(at) => {
                self.line(&format!("tile[{} % {TILE}u] = sum;", self.number(at)));
            }
            Statement::If(condition, yes, no) => {
                self.line(&format!("if {} {{", self.condition(condition)));
                self.block(yes);
                self.line("} else {");
                self.block(no);
                self.line("}");
            }
            Statement::Loop(counting, bound, body) => self.repeat(counting, bound, body),
            Statement::Carry(change) => {
                let value = match change {
                    Change::Add(number) => format!("carried + {}", self.number(number)),
                    Change::AddModulo(step, modulus) => format!("(carried + {step}u) % {modulus}u"),
                    Change::Flip => "carried ^ 1u".to_owned(),
                    Change::Halve => "carried >> 1u".to_owned(),
                    Change::Reset(number) => self.number(number),
                };
                self.line(&format!("carried = {value};"));
            }
            Statement::Break(condition) if !self.counters.is_empty() => {
                self.line(&format!("if {} {{ break; }}", self.condition(condition)));
            }
            Statement::Continue(condition) if !self.counters.is_empty() => {
                self.line(&format!("if {} {{ continue; }}", self.condition(condition)));
            }
            Statement::Return(condition) => {
                self.line(&format!("if {} {{ return; }}", self.condition(condition)));
            }
            Statement::Break(_) | Statement::Continue(_) => {}
        }
    }

    fn repeat(&mut self, counting: &Counting, bound: &Number, body: &[Statement]) {
        let bound = self.number(bound);
        let i = format!("i{}", self.loops);
        self.loops += 1;
        let (head, tail) = match counting {
            Counting::Up {
                from,
                step,
                at_most,
            } => {
                let relation = if *at_most { "<=" } else { "<" };
                let head =
                    format!("for (var {i} = {from}u; {i} {relation} {bound}; {i} += {step}u) {{");
                (head, "}".to_owned())
            }
            Counting::Down => {
                let head = format!("for (var {i} = {bound}; {i} > 0u; {i}--) {{");
                (head, "}".to_owned())
            }
            Counting::Halving => {
                let head = format!("for (var {i} = {bound}; {i} > 0u; {i} >>= 1u) {{");
                (head, "}".to_owned())
            }
            Counting::Doubling => {
                let head = format!("for (var {i} = 1u; {i} < {bound}; {i} <<= 1u) {{");
                (head, "}".to_owned())
            }
            Counting::TestedLast => {
                let tail = format!("continuing {{ {i}++; break if {i} >= {bound}; }} }}");
                (format!("var {i} = 0u; loop {{"), tail)
            }
        };
        self.line(&head);
        self.counters.push(i);
        self.block(body);
        self.counters.pop();
        self.line(&tail);
    }
}

impl Sample {
    fn source(&self) -> String {
        let mut writer = Writer::default();
        let [x, y, z] = self.workgroup_size;
        writer.line("struct Parameters { p0: u32, p1: u32, p2: u32 }");
        writer.line("@group(0) @binding(0) var<uniform> d: Parameters;");
        writer.line("@group(0) @binding(1) var<storage, read> a: array<f32>;");
        writer.line("@group(0) @binding(2) var<storage, read_write> b: array<f32>;");
        writer.line(&format!("var<workgroup> tile: array<f32, {TILE}>;"));
        writer.line(&format!("@compute @workgroup_size({x}, {y}, {z})"));
        writer.line(
            "fn main(@builtin(global_invocation_id) id: vec3u,
            @builtin(local_invocation_id) local: vec3u,
            @builtin(local_invocation_index) lane: u32,
            @builtin(workgroup_id) group: vec3u,
            @builtin(num_workgroups) groups: vec3u) {
            var sum = 0.0;
            var carried = local.x;",
        );
        writer.block(&self.body);
        writer.line("b[0] = sum; }");
        writer.text
    }

    fn outcome(&self) -> Outcome {
        let source = self.source();
        let kernel = brute::compile(&source, "main");
        let mut formulas = Formulas::new(&kernel, &source, self.device.simd_width);
        let names = ["d.p0", "d.p1", "d.p2"];
        let parameters: BTreeMap<&str, u32> = names.into_iter().zip(self.parameters).collect();
        let mut launch = Launch::new(self.workgroups);
        for (&name, &value) in &parameters {
            let bound = kernel.variables.iter().any(|variable| variable.name == "d");
            if bound {
                launch = launch.set(name, value.into());
            }
        }
        for buffer in ["a", "b"] {
            launch = launch.length(buffer, ELEMENTS);
        }
        let counts = brute::count(&kernel, &launch, &self.device);
        let outside = counts
            .accesses
            .iter()
            .any(|access| access.out_of_bounds > 0);
        assert!(!outside, "an address is outside: {source}");
        let known = Known::new(&formulas.program, self.workgroups, |kind, name| {
            let parameter = parameters
                .get(name)
                .filter(|_| *kind == SymbolKind::Parameter);
            parameter.map(|&value| Ratio::integer(value.into()))
        });
        compare(&kernel, &mut formulas, &known, &counts, &self.device)
    }
}

fn from_environment<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn made_up_kernels_count_alike() {
    let config = Config {
        cases: from_environment("AGREEMENT_KERNELS").unwrap_or(KERNELS),
        failure_persistence: None,
        max_shrink_iters: 4000,
        ..Config::default()
    };
    let seed: u64 = from_environment("AGREEMENT_SEED").unwrap_or(0);
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&sample(), |sample| {
        let outcome = sample.outcome();
        if outcome.differences.is_empty() {
            return Ok(());
        }
        Err(TestCaseError::fail(outcome.differences.join("\n")))
    });
    if let Err(error) = result {
        let TestError::Fail(reason, sample) = error else {
            panic!("{error}");
        };
        let Sample {
            workgroups,
            parameters,
            device,
            ..
        } = &sample;
        let launch = format!("{workgroups:?} workgroups, parameters {parameters:?}, {device:?}");
        panic!("{reason}\n{launch}\n{}", sample.source());
    }
}
