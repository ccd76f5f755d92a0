//! What is proved about a range holds at every value.

use proptest::prelude::*;

use crate::arena::Arena;
use crate::made_up::{expressions, symbol};
use crate::poly::{AtomId, Poly};

/// An unbounded symbol, groups, a group, a lane, and an id below another symbol.
fn symbols(arena: &mut Arena) -> [AtomId; 5] {
    let x = symbol(arena, "x", None, None);
    let groups = symbol(arena, "groups", Some(1), None);
    let last = Poly::atom(groups).add_integer(-1);
    let group = symbol(arena, "group", Some(0), Some(last));
    let lane = symbol(arena, "lane", Some(0), Some(Poly::integer(7)));
    let n = symbol(arena, "n", Some(0), None);
    [x, groups, group, lane, n]
}

/// Values within these bounds.
fn assignments() -> impl Strategy<Value = Vec<[i128; 5]>> {
    let one = (1i128..=9).prop_flat_map(|groups| {
        (-30i128..=30, 0..groups, 0i128..=7, 0i128..=50)
            .prop_map(move |(x, group, lane, n)| [x, groups, group, lane, n])
    });
    proptest::collection::vec(one, 24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// What is proved holds at every assignment within the bounds.
    #[test]
    fn proofs_are_true(made in expressions(5), at in assignments()) {
        let mut arena = Arena::default();
        let symbols = symbols(&mut arena);
        let poly = made.build(&mut arena, &symbols);
        let proved = arena.is_nonnegative(&poly);
        let (least, greatest) = (arena.least(&poly), arena.greatest(&poly));
        for at in at {
            let value = made.value(&at);
            let text = || format!("{} at {at:?}", arena.format(&poly));
            prop_assert!(!proved || value >= 0, "never negative: {}", text());
            prop_assert!(least.is_none_or(|least| least <= value), "{least:?} ≤ {}", text());
            prop_assert!(greatest.is_none_or(|most| value <= most), "{greatest:?} ≥ {}", text());
        }
    }
}

#[test]
fn symbolic_bounds_prove_what_intervals_do_not() {
    let mut arena = Arena::default();
    let [_, groups, group, lane, n] = symbols(&mut arena).map(Poly::atom);
    // group ≤ groups - 1 and lane ≤ 7
    let id = group.scale(8).add(&lane);
    assert!(arena.is_nonnegative(&groups.scale(8).sub(&id).add_integer(-1)));
    assert!(!arena.is_nonnegative(&groups.scale(8).sub(&id).add_integer(-2)));
    // 4 floor(n / 4) ≤ n < 4 floor(n / 4) + 4
    let quarter = arena.floor_div(&n, &Poly::integer(4));
    assert!(arena.is_at_most(&quarter.scale(4), &n));
    assert!(arena.is_at_most(&n, &quarter.scale(4).add_integer(3)));
    assert!(!arena.is_at_most(&n, &quarter.scale(4).add_integer(2)));
    let least = arena.min(&n, &groups);
    assert!(arena.is_at_most(&least, &n));
    assert!(!arena.is_at_most(&n, &least));
}
