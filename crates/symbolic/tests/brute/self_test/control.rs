//! Loops, switches, returns: who runs what, and what it comes to.

use super::{Counts, Launch, run};

/// Runs the body of `fn f(lane: u32, n: u32) -> u32` in 64 lanes and gives the results.
fn results(body: &str, n: u64) -> Counts {
    let source = format!(
        "struct Parameters {{ n: u32 }}
        @group(0) @binding(0) var<uniform> d: Parameters;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        fn f(lane: u32, n: u32) -> u32 {{ {body} }}
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) lane: u32) {{ out[lane] = f(lane, d.n); }}"
    );
    run(
        &source,
        &Launch::new([1, 1, 1]).set("d.n", n).length("out", 64),
    )
}

fn check(body: &str, n: u64, expected: impl Fn(u32) -> u32) -> Counts {
    let counts = results(body, n);
    let expected: Vec<u32> = (0..64).map(expected).collect();
    assert_eq!(counts.u32s("out"), expected, "{body}");
    counts
}

#[test]
fn lanes_leave_loops_one_by_one() {
    let counts = check(
        "var sum = 0u; for (var i = 0u; i < lane; i++) { sum += i; } return sum;",
        0,
        |lane| lane * lane.saturating_sub(1) / 2,
    );
    // Each lane: as many turns as its number, with a compare, an increment and a sum; one compare.
    assert_eq!(
        counts.integer,
        (0..64).map(|lane| 3 * lane + 1).sum::<u64>()
    );
}

#[test]
fn continues_and_breaks() {
    check(
        "var sum = 0u;
        for (var i = 0u; i < n; i++) {
          if (i % 3u == lane % 3u) { continue; }
          if (i > lane) { break; }
          sum += i;
        }
        return sum;",
        50,
        |lane| (0..50.min(lane + 1)).filter(|i| i % 3 != lane % 3).sum(),
    );
}

#[test]
fn continuing_with_a_break() {
    check(
        "var i = 0u; loop { if (i == 5u) { continue; } continuing { i += 2u; break if i > lane; } }
        return i;",
        0,
        |lane| (lane / 2 + 1) * 2,
    );
}

#[test]
fn returns_from_nested_loops() {
    check(
        "for (var i = 1u; i < n; i++) {
          for (var j = 1u; j < n; j++) { if (i * j > lane) { return i * 100u + j; } }
        }
        return 7u;",
        5,
        |lane| {
            let pairs = (1..5).flat_map(|i| (1..5).map(move |j| (i, j)));
            let mut found = pairs.filter(|(i, j)| i * j > lane);
            found.next().map_or(7, |(i, j)| i * 100 + j)
        },
    );
}

#[test]
fn switches() {
    let counts = check(
        "var x = 0u;
        switch (lane % 5u) {
          case 0u: { x = 10u; }
          case 1u, 2u: { if (lane > 30u) { break; } x = 20u; }
          case 3u: { return 3u; }
          default: { x = 40u + n; }
        }
        return x + 1u;",
        2,
        |lane| match lane % 5 {
            0 => 11,
            1 | 2 if lane > 30 => 1,
            1 | 2 => 21,
            3 => 3,
            _ => 43,
        },
    );
    assert!(counts.simd_efficiency() < 1.0);
}

#[test]
fn a_switch_on_negative_numbers() {
    check(
        "switch (i32(lane) - 2) { case -1: { return 1u; } case 1: { return 2u; } default: { return 3u; } }",
        0,
        |lane| match lane {
            1 => 1,
            3 => 2,
            _ => 3,
        },
    );
}

#[test]
fn short_circuits() {
    check(
        "if (lane > 3u && n / lane > 2u || lane == 1u) { return 1u; } return 0u;",
        30,
        |lane| u32::from(lane > 3 && 30 / lane > 2 || lane == 1),
    );
}

#[test]
fn lanes_that_return_take_no_part_any_more() {
    let source = "
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(64)
        fn main(@builtin(local_invocation_index) lane: u32) {
          if (lane >= 8u) { return; }
          out[lane] = lane;
        }";
    let counts = run(source, &Launch::new([3, 1, 1]).length("out", 64));
    let store = counts.accesses[0];
    assert_eq!((store.executions, store.simd_executions), (24, 3));
    assert_eq!(store.lines, 3);
}
