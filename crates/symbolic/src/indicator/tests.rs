//! Indicators are one where their condition holds, and take the form that is promised.

use crate::arena::Arena;
use crate::made_up::symbol;
use crate::poly::Poly;

/// Lanes below 16, and two symbols without upper bound.
fn arena() -> (Arena, Poly, Poly, Poly) {
    let mut arena = Arena::default();
    let lane = symbol(&mut arena, "lane", Some(0), Some(Poly::integer(15)));
    let n = symbol(&mut arena, "n", Some(0), None);
    let m = symbol(&mut arena, "m", Some(0), None);
    (arena, Poly::atom(lane), Poly::atom(n), Poly::atom(m))
}

#[test]
fn conditions_that_lanes_do_not_decide_lose_them() {
    let (mut arena, lane, n, _) = arena();
    // 16 n + lane < 64 for lanes below 16: n < 4
    let below = Poly::integer(63).sub(&n.scale(16)).sub(&lane);
    let condition = arena.nonnegative(&below);
    assert_eq!(arena.format(&condition), "[3 >= n]");
    // floor(n / 4) ≥ 3: n ≥ 12
    let quarter = arena.floor_div(&n, &Poly::integer(4));
    let condition = arena.nonnegative(&quarter.add_integer(-3));
    assert_eq!(arena.format(&condition), "[n >= 12]");
}

#[test]
fn a_minimum_is_two_conditions() {
    let (mut arena, lane, n, m) = arena();
    let least = arena.min(&n, &m);
    let below = arena.nonnegative(&least.sub(&lane).add_integer(-1));
    let [first, second] = [&n, &m].map(|p| arena.nonnegative(&p.sub(&lane).add_integer(-1)));
    assert_eq!(below, first.mul(&second));
}

#[test]
fn complements_do_not_double() {
    let (mut arena, lane, n, m) = arena();
    let mut product = Poly::one();
    for k in 0..20 {
        let a = arena.nonnegative(&n.sub(&lane).add_integer(-k));
        let b = arena.nonnegative(&m.sub(&lane.scale(2)).add_integer(-3 * k));
        let neither = arena.complement(&a.mul(&b));
        product = product.mul(&neither);
    }
    // written out it would have 2²⁰ terms
    assert_eq!(product.terms().len(), 1);
    let once = arena.complement(&product);
    assert_eq!(arena.complement(&once), product);
}

#[test]
fn the_complement_of_an_inequality_is_one() {
    let (mut arena, lane, n, _) = arena();
    let below = arena.nonnegative(&n.sub(&lane).add_integer(-1));
    let complement = arena.complement(&below);
    assert_eq!(arena.format(&complement), "[lane >= n]");
    let equal = arena.zero(&n.sub(&lane));
    let complement = arena.complement(&equal);
    assert_eq!(arena.format(&complement), "[n != lane]");
}

#[test]
fn weaker_conditions_are_dropped() {
    let (mut arena, lane, n, _) = arena();
    let [weak, strong] = [1, 5].map(|k| arena.nonnegative(&n.sub(&lane).add_integer(-k)));
    assert_eq!(arena.both(&weak, &strong), strong);
    assert_eq!(arena.both(&strong, &weak), strong);
}
