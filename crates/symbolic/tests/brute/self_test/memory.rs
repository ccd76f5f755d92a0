//! Address spaces, bounds, banks, atomics, textures, overrides.

use cresta_ir::Space;

use super::{Device, Launch, compile, count, run};

#[test]
fn outside_reads_zero_and_writes_nothing() {
    let source = "
        struct Parameters { n: u32, inner: array<vec4u, 2> }
        @group(0) @binding(0) var<uniform> d: Parameters;
        @group(0) @binding(1) var<storage, read> a: array<u32>;
        @group(0) @binding(2) var<storage, read_write> b: array<u32>;
        @compute @workgroup_size(32)
        fn main(@builtin(local_invocation_index) lane: u32) {
          b[lane - 4u] = a[lane] + d.inner[lane / 8u].y;
        }";
    let launch = Launch::new([1, 1, 1])
        .set("d.inner[0].y", 100)
        .set("d.inner[1].y", 200)
        .u32s("a", &[1; 20])
        .length("b", 24);
    let counts = run(source, &launch);
    let expected = (4..28_u32).map(|lane| {
        let a = u32::from(lane < 20);
        a + [100, 200, 0, 0][lane as usize / 8]
    });
    assert_eq!(counts.u32s("b"), expected.collect::<Vec<_>>());
    let outside: Vec<u64> = counts
        .accesses
        .iter()
        .map(|access| access.out_of_bounds)
        .collect();
    let mut sorted = outside.clone();
    sorted.sort_unstable();
    // Lanes 0 to 3 and 28 to 31 of the store, 20 to 31 of the load, 16 to 31 of the parameter.
    assert_eq!(sorted, [8, 12, 16], "{outside:?}");
    assert_eq!(counts.footprint["a"].read, 80);
}

#[test]
fn bank_conflicts_and_barriers() {
    let source = "
        var<workgroup> tile: array<u32, 1024>;
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(32)
        fn main(@builtin(local_invocation_index) lane: u32) {
          tile[lane * 32u] = lane;
          workgroupBarrier();
          out[lane] = tile[(31u - lane) * 32u];
          storageBarrier();
          out[lane] += tile[0];
        }";
    let counts = run(source, &Launch::new([2, 1, 1]).length("out", 32));
    let expected: Vec<u32> = (0..32).rev().collect();
    assert_eq!(counts.u32s("out"), expected);
    assert_eq!(counts.barriers, 4);
    let shared = counts
        .accesses
        .iter()
        .filter(|access| access.wavefronts > 0);
    let wavefronts: Vec<_> = shared.map(|a| (a.wavefronts, a.ideal_wavefronts)).collect();
    // Two workgroups: 32 words of one bank, twice, and one word for all.
    assert_eq!(wavefronts, [(64, 2), (64, 2), (2, 2)]);
    let bytes = counts.requested(Space::Workgroup);
    assert_eq!((bytes.written, bytes.read), (2 * 128, 2 * 2 * 128));
}

#[test]
fn workgroup_memory_starts_as_zeros_in_every_workgroup() {
    let source = "
        var<workgroup> total: atomic<u32>;
        @group(0) @binding(0) var<storage, read_write> out: array<atomic<u32>>;
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
          atomicAdd(&total, lane);
          workgroupBarrier();
          if (lane == 0u) { atomicMax(&out[0], atomicLoad(&total) + group.x); }
          _ = atomicSub(&out[1], 1u);
          _ = atomicCompareExchangeWeak(&out[2], lane, lane + 1u);
        }";
    let counts = run(source, &Launch::new([3, 1, 1]).length("out", 3));
    let total = 63 * 64 / 2;
    // The third runs through once: every lane finds the number that the one before it left.
    assert_eq!(counts.u32s("out"), [total + 2, 0_u32.wrapping_sub(192), 64]);
    assert_eq!(counts.atomics, 3 * 64 + 3 + 2 * 3 * 64);
    let same = |index: usize| counts.accesses[index].same_address;
    let most = (0..counts.accesses.len()).map(same).max();
    // 32 lanes of each of two SIMD groups of three workgroups, all at one address.
    assert_eq!(most, Some(32 * 2 * 3));
    let storage = counts.requested(Space::Storage);
    assert_eq!(storage.read, storage.written);
    assert_eq!(storage.read, 4 * (3 + 2 * 3 * 64));
}

#[test]
fn private_memory_is_each_lanes_own() {
    let source = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(32)
        fn main(@builtin(local_invocation_index) lane: u32) {
          var a: array<u32, 8>;
          for (var i = 0u; i < 8u; i++) { a[i] = i * lane; }
          out[lane] = a[lane % 8u];
        }";
    let counts = run(source, &Launch::new([1, 1, 1]).length("out", 32));
    let expected: Vec<u32> = (0..32).map(|lane| (lane % 8) * lane).collect();
    assert_eq!(counts.u32s("out"), expected);
    let bytes = counts.requested(Space::Private);
    assert_eq!((bytes.written, bytes.read), (8 * 32 * 4, 32 * 4));
}

#[test]
fn wide_accesses_and_misaligned_runs() {
    let source = "
        @group(0) @binding(0) var<storage, read> a: array<vec4f>;
        @group(0) @binding(1) var<storage, read_write> b: array<f32>;
        @compute @workgroup_size(32)
        fn main(@builtin(local_invocation_index) lane: u32) {
          let v = a[lane];
          b[lane + 8u] = v.w - v.x;
        }";
    let input: Vec<f32> = (0..128_u8).map(f32::from).collect();
    let kernel = compile(source);
    let launch = Launch::new([1, 1, 1]).f32s("a", &input).length("b", 40);
    let device = Device {
        sector_bytes: 32,
        ..Device::GENERIC
    };
    let counts = count(&kernel, &launch, &device);
    assert_eq!(counts.f32s("b")[8..], [3.0; 32]);
    // Sixteen bytes a lane fill four lines.
    let load = counts.accesses.iter().find(|access| access.lines == 4);
    assert_eq!(
        load.map(|load| (load.ideal_lines, load.sectors)),
        Some((4, 16))
    );
    // 32 floats from the 32nd byte on: two lines for one, but no sector too many.
    let store = counts
        .accesses
        .iter()
        .find(|access| access.ideal_lines < access.lines);
    let store = store.expect("the store is misaligned");
    assert_eq!((store.lines, store.ideal_lines), (2, 1));
    assert_eq!((store.sectors, store.ideal_sectors), (4, 4));
}

#[test]
fn overrides_and_their_defaults() {
    let source = "
        override scale: u32 = 3;
        override twice = scale * 2u;
        override again = twice + scale;
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1)
        fn main() { out[0] = scale; out[1] = twice; out[2] = again; }";
    let launch = Launch::new([1, 1, 1]).length("out", 3);
    assert_eq!(run(source, &launch).u32s("out"), [3, 6, 9]);
    let counts = run(source, &launch.override_value("scale", 5));
    assert_eq!(counts.u32s("out"), [5, 10, 15]);
    // What a pipeline computes once is not counted.
    assert_eq!(counts.integer, 0);
}

#[test]
fn textures_are_counted() {
    let source = "
        @group(0) @binding(0) var image: texture_2d<f32>;
        @group(0) @binding(1) var target_image: texture_storage_2d<rgba8unorm, write>;
        @compute @workgroup_size(8, 8)
        fn main(@builtin(global_invocation_id) id: vec3u) {
          if (all(id.xy < textureDimensions(image))) {
            textureStore(target_image, id.xy, textureLoad(image, id.xy, 0) + 1.0);
          }
        }";
    let launch = Launch::new([2, 1, 1]).texture("image", [10, 8, 1]);
    let counts = run(source, &launch);
    let executions: Vec<u64> = counts
        .accesses
        .iter()
        .map(|access| access.executions)
        .collect();
    // 80 texels are inside; the size's own access is no access.
    assert_eq!(
        executions.iter().filter(|&&n| n == 80).count(),
        2,
        "{executions:?}"
    );
    assert_eq!(counts.flops, 4 * 80);
    // Only the stored format says how many bytes a texel has.
    let bytes = counts.requested(Space::Texture);
    assert_eq!((bytes.read, bytes.written), (0, 4 * 80));
}

#[test]
fn half_precision() {
    let source = "
        enable f16;
        @group(0) @binding(0) var<storage, read_write> a: array<f16>;
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) lane: u32) {
          a[lane] = f16(lane) * 1001.0h + f16(0.5);
        }";
    let counts = run(source, &Launch::new([1, 1, 1]).length("a", 64));
    // Halves from 2048 on are two apart, and ties go to even: 3003 becomes 3004.
    let expected = [0.5, 1001.5, 2002.0, 3004.0].map(half::f16::from_f32);
    assert_eq!(counts.f16s("a")[..4], expected);
    assert_eq!((counts.flops, counts.flops_f16), (128, 128));
    assert_eq!(counts.footprint["a"].written, 128);
}
