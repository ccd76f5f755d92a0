//! What keeps an entry point from being lowered, and what the person is told.

mod lower;

use cresta_wgsl::{Entry, Limits, LowerError, entry_points, lower as lower_entry};
use lower::wgsl;
use std::collections::BTreeMap;

const SIZED: &str = "override T: u32; override H: u32 = T / 2; @id(9) override flag: bool = true;
    override rate: f32 = 0.5; override shift: i32 = -1;
    @group(0) @binding(0) var<storage, read_write> data: array<f32>;
    var<workgroup> tile: array<f32, T>;
    @compute @workgroup_size(H) fn main(@builtin(local_invocation_index) i: u32) {
      tile[i] = data[i]; if (flag) { data[i] = tile[0] * rate * f32(shift); }
    }
    @compute @workgroup_size(1) fn other() { data[0] = 1.0; }
    @vertex fn corner() -> @builtin(position) vec4f { return vec4f(); }";

fn message(overrides: &[(&str, f64)]) -> String {
    wgsl(SIZED)
        .lower(overrides)
        .expect_err("it does not lower")
        .to_string()
}

#[test]
fn sizes_need_values() {
    assert_eq!(
        message(&[]),
        "override `T` sets the length of an array type but has no value; \
         give one with `--override T=VALUE`"
    );
    let given = wgsl(SIZED).lower(&[("T", 64.0)]).expect("it lowers").kernel;
    assert_eq!(given.workgroup_size, [32, 1, 1]);
    assert_eq!(
        given.variables[0].ty.as_ref().and_then(|ty| ty.bytes()),
        Some(256)
    );
}

#[test]
fn sizes_that_an_entry_point_does_not_use_need_none() {
    let valid = wgsl(SIZED);
    let none = BTreeMap::new();
    let lowered = lower_entry(
        &valid.module,
        &valid.info,
        "other",
        &none,
        Limits::default(),
    );
    assert_eq!(lowered.expect("it lowers").kernel.workgroup_size, [1, 1, 1]);
}

#[test]
fn sizes_are_positive() {
    // H = 1 / 2 = 0.
    assert_eq!(
        message(&[("T", 1.0)]),
        "workgroup size x is 0, which is not a positive 32-bit number"
    );
    assert_eq!(
        message(&[("T", 0.0)]),
        "the length of an array type is 0, which is not a positive 32-bit number"
    );
}

#[test]
fn unknown_overrides_are_named_with_the_known_ones() {
    assert_eq!(
        message(&[("TILE", 8.0)]),
        "there is no override `TILE`; the module has: `T`, `H`, `flag`, `9`, `rate`, `shift`"
    );
}

#[test]
fn values_must_fit_their_type() {
    for (name, value) in [
        ("T", 1.5),
        ("T", -1.0),
        ("T", 4_294_967_296.0),
        ("9", 2.0),
        ("rate", 1e39),
        ("rate", f64::NAN),
        ("shift", -2_147_483_649.0),
    ] {
        let error = wgsl(SIZED)
            .lower(&[(name, value)])
            .expect_err("it does not fit");
        assert!(
            matches!(error, LowerError::OverrideOutOfRange { .. }),
            "{name}={value}: {error}"
        );
    }
    let fits = [
        ("T", 4.0),
        ("9", 0.0),
        ("rate", 1e-3),
        ("shift", -2_147_483_648.0),
    ];
    let kernel = wgsl(SIZED).lower(&fits).expect("it fits").kernel;
    let value = |name: &str| {
        let found = kernel.overrides.iter().find(|o| o.name == name);
        found.and_then(|found| found.value).expect("it has a value")
    };
    assert_eq!(value("flag").bits, 0);
    assert_eq!(value("shift").integer(), Some(-2_147_483_648));
    assert_eq!(f32::from_bits(value("rate").bits as u32), 1e-3);
}

#[test]
fn only_compute_entry_points_count() {
    let valid = wgsl(SIZED);
    let names: Vec<_> = entry_points(&valid.module)
        .into_iter()
        .map(|e| (e.index, e.name))
        .collect();
    assert_eq!(names, [(0, "main".to_owned()), (1, "other".to_owned())]);
    for entry in [Entry::Name("corner"), Entry::Index(2)] {
        let none = BTreeMap::new();
        let error = lower_entry(&valid.module, &valid.info, entry, &none, Limits::default())
            .expect_err("there is none")
            .to_string();
        assert!(
            error.ends_with("the module has: `main`, `other`"),
            "{error}"
        );
    }
}

/// Runs on a stack of the size that threads have by default.
fn on_a_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let running = thread.spawn_scoped(scope, work).expect("a thread");
        running.join().expect("no panic")
    })
}

/// Parses on a stack that is large enough for naga.
fn parsed(source: &str) -> lower::Valid {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(1 << 28);
        let running = thread
            .spawn_scoped(scope, || wgsl(source))
            .expect("a thread");
        running.join().expect("no panic")
    })
}

const HEAD: &str = "@group(0) @binding(0) var<storage, read_write> A: array<f32>;\n";

#[test]
fn long_expressions_take_no_stack() {
    let sum = "+a".repeat(10_000);
    let source =
        format!("{HEAD}@compute @workgroup_size(1) fn main() {{ let a = A[0]; A[1] = a{sum}; }}");
    let valid = parsed(&source);
    let kernel = on_a_small_stack(|| valid.lower(&[]))
        .expect("it lowers")
        .kernel;
    // One load, ten thousand additions, one store.
    assert_eq!(kernel.body.len(), 10_002);
}

#[test]
fn deep_nesting_is_an_error_and_no_overflow() {
    let chain = |length: usize| {
        let branches: String = (0..length)
            .map(|i| format!("if A[{i}] > 0.0 {{ A[{i}] = 1.0; }} else "))
            .collect();
        format!("{HEAD}@compute @workgroup_size(1) fn main() {{ {branches} {{ A[0] = 2.0; }} }}")
    };
    let fine = parsed(&chain(300));
    assert!(on_a_small_stack(|| fine.lower(&[])).is_ok());
    let deep = parsed(&chain(1_000));
    let error = on_a_small_stack(|| deep.lower(&[]));
    assert!(matches!(error, Err(LowerError::TooDeep { .. })));
}

#[test]
fn doubling_calls_hit_the_limit() {
    let mut source = HEAD.to_owned();
    source.push_str("fn g0(x: f32) -> f32 { return x * 2.0; }\n");
    for level in 1..30 {
        let inner = level - 1;
        source.push_str(&format!(
            "fn g{level}(x: f32) -> f32 {{ return g{inner}(x) + g{inner}(x + 1.0); }}\n"
        ));
    }
    source.push_str("@compute @workgroup_size(1) fn main() { A[0] = g29(A[1]); }");
    let limits = Limits {
        max_instructions: 10_000,
    };
    let error = wgsl(&source)
        .lower_within(&[], limits)
        .expect_err("it is too large");
    assert_eq!(error, LowerError::TooLarge { limit: 10_000 });
    assert_eq!(
        error.to_string(),
        "inlining every call gives more than 10000 instructions"
    );
}
