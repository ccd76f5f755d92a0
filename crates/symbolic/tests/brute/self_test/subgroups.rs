//! Subgroup operations on SIMD groups of eight.

use super::{Device, Launch, compile, count};

/// Evaluates an expression over `lane` (`u32`, 0 to 15) and `x` (10 × lane) in two SIMD groups.
fn evaluate(expression: &str) -> Vec<u32> {
    let source = format!(
        "enable subgroups;
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(16)
        fn main(@builtin(local_invocation_index) lane: u32) {{
          let x = 10u * lane;
          out[lane] = {expression};
        }}"
    );
    let device = Device {
        simd_width: 8,
        ..Device::GENERIC
    };
    let launch = Launch::new([1, 1, 1]).length("out", 16);
    let counts = count(&compile(&source), &launch, &device);
    assert_eq!(counts.subgroup_operations, 16);
    counts.u32s("out")
}

fn check(expression: &str, expected: impl Fn(u32, u32) -> u32) {
    // The first lane of the lane's SIMD group, and its position there.
    let expected: Vec<u32> = (0..16)
        .map(|lane| expected(lane / 8 * 8, lane % 8))
        .collect();
    assert_eq!(evaluate(expression), expected, "{expression}");
}

#[test]
fn reductions_and_scans() {
    check("subgroupAdd(x)", |first, _| 10 * (8 * first + 28));
    check("subgroupMax(x)", |first, _| 10 * (first + 7));
    check("subgroupMin(x)", |first, _| 10 * first);
    check("subgroupInclusiveAdd(1u)", |_, position| position + 1);
    check("subgroupExclusiveAdd(x)", |first, position| {
        (first..first + position).map(|lane| 10 * lane).sum()
    });
    check("subgroupExclusiveMul(2u)", |_, position| 1 << position);
}

#[test]
fn votes() {
    check("select(0u, 1u, subgroupAll(lane < 12u))", |first, _| {
        u32::from(first == 0)
    });
    check("select(0u, 1u, subgroupAny(lane == 12u))", |first, _| {
        u32::from(first == 8)
    });
    check("subgroupBallot((lane & 1u) == 0u).x", |_, _| 0b0101_0101);
}

#[test]
fn exchanges() {
    check("subgroupBroadcastFirst(x)", |first, _| 10 * first);
    check("subgroupBroadcast(x, 3u)", |first, _| 10 * (first + 3));
    check("subgroupShuffle(x, 7u - lane % 8u)", |first, position| {
        10 * (first + 7 - position)
    });
    check("subgroupShuffleXor(x, 1u)", |first, position| {
        10 * (first + (position ^ 1))
    });
    // Past the end there is no lane; the counter gives zero.
    check("subgroupShuffleDown(x, 2u)", |first, position| {
        if position < 6 {
            10 * (first + position + 2)
        } else {
            0
        }
    });
    check("subgroupShuffleUp(x, 1u)", |first, position| {
        if position > 0 {
            10 * (first + position - 1)
        } else {
            0
        }
    });
    check("quadBroadcast(x, 2u)", |first, position| {
        10 * (first + (position & !3) + 2)
    });
}
