//! Numbers that no buffer has: counts are right or unknown, and nothing overflows.

use std::collections::BTreeMap;

use cresta_ir::Kernel;
use cresta_symbolic::Values;
use cresta_symbolic::point::Point;
use cresta_symbolic::poly::Poly;
use cresta_symbolic::program::Program;
use cresta_symbolic::ratio::Ratio;
use cresta_symbolic::shape::{Shape, ShapeOptions};
use cresta_symbolic::walk::{Options, walk};
use cresta_wgsl::source::{SourceFile, parse};
use rustc_hash::FxHashMap;

const OPTIONS: ShapeOptions = ShapeOptions {
    simd_width: 32,
    line_bytes: 128,
    sector_bytes: 128,
    banks: 32,
    bank_bytes: 4,
    lines_per_wavefront: None,
    representative: false,
};

fn lowered(body: &str) -> Kernel {
    let source = format!(
        "struct Parameters {{ n: u32, m: u32 }}
        @group(0) @binding(0) var<uniform> d: Parameters;
        @group(0) @binding(1) var<storage, read_write> a: array<f32>;
        @compute @workgroup_size(64)
        fn main(@builtin(global_invocation_id) id: vec3u,
            @builtin(local_invocation_id) local: vec3u) {{ {body} }}"
    );
    let file = SourceFile::new("extreme.wgsl", &source);
    let parsed = parse(&file).expect("the kernel is valid");
    let (module, info) = (&parsed.module, &parsed.info);
    let limits = cresta_wgsl::Limits::default();
    let lowered = cresta_wgsl::lower(module, info, "main", &BTreeMap::new(), limits);
    lowered.expect("the kernel lowers").kernel
}

/// The shape of the only access to `a`, and the bytes that it touches, with one workgroup and every
/// parameter at a value.
fn at(body: &str, parameter: i128) -> (Option<Shape>, Option<u64>) {
    with(body, parameter, 1, &OPTIONS)
}

fn with(
    body: &str,
    parameter: i128,
    workgroups: i128,
    options: &ShapeOptions,
) -> (Option<Shape>, Option<u64>) {
    let shapes = options;
    let kernel = lowered(body);
    let options = Options {
        simd_width: 32,
        position: &|at| (1, at + 1),
    };
    let mut program: Program = walk(&kernel, &options);
    let totals = program.totals(&kernel);
    let mut values = FxHashMap::default();
    for (axis, count) in [workgroups, 1, 1].into_iter().enumerate() {
        values.insert(program.groups[axis], Poly::integer(count));
    }
    for named in &program.named {
        values.insert(named.symbol, Poly::integer(parameter));
    }
    let ratios: Values = values
        .iter()
        .filter_map(|(&id, value)| Some((id, Ratio::integer(value.as_integer()?))))
        .collect();
    // whatever it is, it is found without overflow
    let _ = program.arena.evaluate(&totals.work.integer_ops, &ratios);
    let placed = program
        .accesses
        .iter()
        .find(|placed| {
            let access = kernel.access(placed.access);
            kernel.variable(access.variable).name == "a"
        })
        .expect("there is an access to a")
        .clone();
    let point = Point::new(values);
    let shape = program.shape(&placed, 4, false, &point, shapes);
    let bytes = program.footprint(&[(placed, 4)], &point);
    (shape, bytes)
}

#[test]
fn addresses_up_to_2_to_the_34th_have_lines() {
    // Element x << ((x + 8) mod 32), modulo 2³². Lanes 0 and 24 (shifted by none) lie below element 32,
    // in one line; lanes 22 and 23, as 54 and 55, keep but the highest bit: 30 lines and 31.
    let (shape, _) = at("a[id.x << (local.x + 40u)] = 1.0;", 0);
    let shape = shape.expect("the addresses of one workgroup are known");
    assert_eq!((shape.lanes, shape.simd_executions), (64.0, 2.0));
    assert_eq!(shape.lines, 61.0);
}

#[test]
fn a_far_start_does_not_change_the_shape() {
    // 2³² - 1 elements of an offset by rows of 2³² - 1: 64 neighbours in two groups, one line each as
    // (2³² - 1)² is 1 modulo 32.
    let (shape, bytes) = at("a[d.n * d.m + id.x] = 1.0;", 4_294_967_295);
    let shape = shape.expect("neighbours have a shape");
    assert_eq!((shape.lines, shape.ideal_lines), (4.0, 2.0));
    assert_eq!(bytes, Some(256));
}

#[test]
fn parameters_beyond_any_type_are_no_reason_to_overflow() {
    for body in [
        "a[d.n * d.m * id.x + d.m] = 1.0;",
        "for (var i = 0u; i < d.n; i++) { a[d.n * i * i + d.m * id.x] = 1.0; }",
        "if (id.x * d.n * d.m < d.n) { a[min(d.n * id.x, d.m * d.m)] = 1.0; }",
        "a[(id.x << (d.n & 31u)) * d.n * d.n] = 1.0;",
        "for (var i = d.n; i > 0u; i -= d.m) { a[i * d.n + id.x] = 1.0; }",
    ] {
        for parameter in [
            9_000_000_000_000_000_000,
            i128::from(u64::MAX),
            1 << 100,
            i128::MAX,
            -1,
            i128::MIN + 1,
        ] {
            let (shape, bytes) = at(body, parameter);
            let lanes = shape.map_or(0.0, |shape| shape.lanes);
            assert!(lanes >= 0.0, "{body} at {parameter}: {lanes} {bytes:?}");
        }
    }
}

#[test]
fn means_are_over_all_simd_groups_or_marked() {
    // Group k reads from (32 k - 1) mod 600 on: two lines each, but for three of group 18, which reads
    // 575, 576 … 599 and 0 … 6. The first 8 of 12 workgroups do not have that group.
    let representative = ShapeOptions {
        representative: true,
        ..OPTIONS
    };
    let body = "a[(id.x - 1u) % d.n] = 1.0;";
    let (shape, _) = with(body, 600, 12, &representative);
    let shape = shape.expect("the parameter has a value");
    assert_eq!((shape.lines, shape.simd_executions), (49.0, 24.0));
    assert!(!shape.sampled);
    let (shape, _) = with(body, 600, 100_000, &representative);
    assert!(shape.expect("a few stand for all").sampled);
}
