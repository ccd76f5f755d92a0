//! The simplifying constructors give what evaluating the operands gives.

use proptest::prelude::*;

use crate::arena::{Arena, Bitwise};
use crate::made_up::{expressions, symbol, values};
use crate::poly::Poly;
use crate::ratio::Ratio;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Whatever is simplified away, the value stays.
    #[test]
    fn constructors_equal_the_operations(
        made in expressions(4),
        at in proptest::collection::vec([-20i128..=20, 0..=7, 1..=9, 0..=40], 6),
    ) {
        let mut arena = Arena::default();
        let x = symbol(&mut arena, "x", None, None);
        let lane = symbol(&mut arena, "lane", Some(0), Some(Poly::integer(7)));
        let groups = symbol(&mut arena, "groups", Some(1), None);
        let n = symbol(&mut arena, "n", Some(0), None);
        let symbols = [x, lane, groups, n];
        let poly = made.build(&mut arena, &symbols);
        for at in at {
            let found = arena.evaluate(&poly, &values(&symbols, &at));
            let expected = Some(Ratio::integer(made.value(&at)));
            prop_assert_eq!(found, expected, "{} at {:?}", arena.format(&poly), at);
        }
    }

    /// Replacing symbols and evaluating is evaluating with what replaces them.
    #[test]
    fn substitution_composes(
        made in expressions(3),
        inner in expressions(2),
        at in proptest::collection::vec([-12i128..=12, -12..=12], 4),
    ) {
        let mut arena = Arena::default();
        let symbols = ["x", "y", "z"].map(|name| symbol(&mut arena, name, None, None));
        let poly = made.build(&mut arena, &symbols);
        let by = inner.build(&mut arena, &symbols);
        let replaced = arena.replace(&poly, symbols[2], &by);
        for at in at {
            let third = inner.value(&at);
            let expected = Some(Ratio::integer(made.value(&[at[0], at[1], third])));
            let found = arena.evaluate(&replaced, &values(&symbols, &at));
            prop_assert_eq!(found, expected, "{} for z = {}", arena.format(&poly), arena.format(&by));
        }
    }
}

/// A lane of 16, a lane of 4, and a symbol without upper bound.
fn arena() -> (Arena, Poly, Poly, Poly) {
    let mut arena = Arena::default();
    let x = symbol(&mut arena, "x", Some(0), Some(Poly::integer(15)));
    let y = symbol(&mut arena, "y", Some(0), Some(Poly::integer(3)));
    let n = symbol(&mut arena, "n", Some(0), None);
    (arena, Poly::atom(x), Poly::atom(y), Poly::atom(n))
}

#[test]
fn quotients_and_remainders_of_split_ids() {
    let (mut arena, x, y, n) = arena();
    let linear = x.add(&y.scale(16)).add(&n.scale(64));
    let of = Poly::integer;
    // x < 16 and y < 4: digits to the bases 16 and 4
    assert_eq!(arena.modulo(&linear, &of(16)), x);
    assert_eq!(arena.floor_div(&linear, &of(64)), n);
    let row = arena.floor_div(&linear, &of(16));
    assert_eq!(row, y.add(&n.scale(4)));
    assert_eq!(arena.modulo(&row, &of(4)), y);
    // half of a digit
    let half = arena.modulo(&linear, &of(32));
    assert_eq!(arena.format(&half), "x + 16*(y % 2)");
    // floor(floor(n / 3) / 4) = floor(n / 12)
    let third = arena.floor_div(&n, &of(3));
    let twelfth = arena.floor_div(&third, &of(4));
    assert_eq!(twelfth, arena.floor_div(&n, &of(12)));
}

#[test]
fn masks_are_quotients_and_remainders() {
    let (mut arena, x, _, n) = arena();
    let masked = |arena: &mut Arena, mask| {
        let masked = arena.bitwise(Bitwise::And, &n, &Poly::integer(mask));
        arena.format(&masked)
    };
    assert_eq!(masked(&mut arena, 7), "(n % 8)");
    assert_eq!(masked(&mut arena, -8), "n - (n % 8)");
    assert_eq!(masked(&mut arena, 12), "4*(floor(n / 4) % 4)");
    // x has four bits, 16 n none of these
    let packed = arena.bitwise(Bitwise::Or, &n.scale(16), &x);
    assert_eq!(packed, n.scale(16).add(&x));
}

#[test]
fn extrema_lose_what_is_in_common() {
    let (mut arena, x, y, n) = arena();
    let least = arena.min(&n.scale(8).add(&x), &y.scale(16).add(&x));
    assert_eq!(arena.format(&least), "x + 8*min(2*y, n)");
    // min(min(n, 16), x) is min(n, x), since x is below 16
    let inner = arena.min(&n, &Poly::integer(16));
    let outer = arena.min(&inner, &x);
    assert_eq!(outer, arena.min(&n, &x));
}
