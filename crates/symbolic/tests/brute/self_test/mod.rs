//! Tests of the counter itself, on kernels small enough to count by hand.

mod control;
mod memory;
mod operations;
mod subgroups;

use cresta_ir::{Kernel, Space};

use super::{Counts, Device, Launch, count};

fn compile(source: &str) -> Kernel {
    super::compile(source, "main")
}

fn run(source: &str, launch: &Launch) -> Counts {
    count(&compile(source), launch, &Device::GENERIC)
}

const VECTOR_ADD: &str = "
    struct Parameters { n: u32, scale: f32 }
    @group(0) @binding(0) var<uniform> d: Parameters;
    @group(0) @binding(1) var<storage, read> a: array<f32>;
    @group(0) @binding(2) var<storage, read_write> b: array<f32>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3u) {
      if (id.x < d.n) { b[id.x] = a[id.x] * d.scale; }
    }";

#[test]
fn a_guarded_stream() {
    let input: Vec<f32> = (0..100_u8).map(f32::from).collect();
    let launch = Launch::new([2, 1, 1])
        .set("d.n", 100)
        .set("d.scale", 2.5_f32.to_bits().into())
        .f32s("a", &input)
        .length("b", 100);
    let counts = run(VECTOR_ADD, &launch);
    assert_eq!(counts.f32s("b")[..3], [0.0, 2.5, 5.0]);
    assert_eq!(counts.f32s("b")[99], 247.5);
    // 100 of 128 lanes pass the guard: all of three SIMD groups and four lanes of the last, which
    // needs but one line, as the others do.
    assert_eq!(counts.invocations, 128);
    assert_eq!((counts.flops, counts.integer), (100, 128));
    for access in counts
        .accesses
        .iter()
        .filter(|access| access.executions == 100)
    {
        assert_eq!(access.simd_executions, 4);
        assert_eq!(access.out_of_bounds, 0);
    }
    let storage = counts.requested(Space::Storage);
    assert_eq!((storage.read, storage.written), (400, 400));
    assert_eq!(counts.requested(Space::Uniform).read, 4 * (128 + 100));
    let lines: u64 = counts.accesses.iter().map(|access| access.lines).sum();
    // Four lines read, four written, and two loads of a parameter by four SIMD groups each.
    assert_eq!(lines, 4 + 4 + 8);
    assert_eq!(counts.footprint["a"].read, 400);
    assert_eq!(counts.footprint["a"].written, 0);
    assert_eq!(counts.footprint["b"].touched, 400);
    // Load and compare run in 128 lanes; two loads, a product and a store in 100.
    assert_eq!(counts.active_lanes, 2 * 128 + 4 * 100);
    assert_eq!(counts.lanes, 6 * 128);
    assert!((counts.simd_efficiency() - 656.0 / 768.0).abs() < 1e-12);
}

#[test]
fn each_launch_starts_afresh() {
    let launch = Launch::new([1, 1, 1])
        .set_at("d", 0, 64)
        .set_at("d", 4, 1.0_f32.to_bits().into())
        .f32s("a", &[3.0; 64])
        .length("b", 64);
    let first = run(VECTOR_ADD, &launch);
    assert_eq!(first.f32s("b"), [3.0; 64]);
    assert_eq!(run(VECTOR_ADD, &launch), first);
}

#[test]
fn a_large_launch_is_counted_to_the_end() {
    let source = "
        @group(0) @binding(0) var<storage, read> a: array<u32>;
        @group(0) @binding(1) var<storage, read_write> b: array<u32>;
        @compute @workgroup_size(256)
        fn main(@builtin(global_invocation_id) id: vec3u) {
          var sum = 0u;
          for (var i = 0u; i < 100u; i++) { sum += a[id.x + i] * a[i]; }
          b[id.x] = sum;
        }";
    let launch = Launch::new([64, 1, 1])
        .length("a", 64 * 256 + 100)
        .length("b", 64 * 256);
    let counts = run(source, &launch);
    // Compare, increment, index, product and sum in each of the turns, and one compare more.
    assert_eq!(counts.integer, 64 * 256 * (100 * 5 + 1));
}
