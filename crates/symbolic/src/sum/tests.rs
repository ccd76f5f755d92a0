//! Sums equal adding up, and have a closed form where one is promised.

use proptest::prelude::*;

use super::Variable;
use crate::arena::{Arena, Atom};
use crate::made_up::{Made, summands, symbol, values, variable};
use crate::poly::{AtomId, Poly};
use crate::ratio::Ratio;

/// Sums over a lane below 8, a group below `groups` and a turn that a condition bounds: the symbols,
/// then parameters.
struct Domain {
    arena: Arena,
    symbols: [AtomId; 5],
}

const LANES: i128 = 8;

impl Domain {
    fn new() -> Domain {
        let mut arena = Arena::default();
        let groups = symbol(&mut arena, "groups", Some(1), None);
        let n = symbol(&mut arena, "n", None, None);
        let last = Poly::atom(groups).add_integer(-1);
        let group = variable(&mut arena, "group", Some(last));
        let lane = variable(&mut arena, "lane", Some(Poly::integer(LANES - 1)));
        let turn = variable(&mut arena, "turn", None);
        Domain {
            arena,
            symbols: [group, lane, turn, groups, n],
        }
    }

    fn variables(&self) -> Vec<Variable> {
        let [group, lane, turn, groups, _] = self.symbols;
        let counted = |symbol, count| Variable {
            symbol,
            count: Some(count),
        };
        vec![
            counted(group, Poly::atom(groups)),
            counted(lane, Poly::integer(LANES)),
            Variable {
                symbol: turn,
                count: None,
            },
        ]
    }
}

/// `r - step × turn ≥ 0`, with what else of the symbols is in `r`.
fn bounded(step: i128, lane: i128, group: i128, n: i128, constant: i128) -> Made {
    let term = |coefficient, index| {
        let (factor, symbol) = (Made::Constant(coefficient), Made::Symbol(index));
        Box::new(Made::Mul(Box::new(factor), Box::new(symbol)))
    };
    let mut sum = Made::Constant(constant);
    for (coefficient, index) in [(group, 0), (lane, 1), (-step, 2), (n, 4)] {
        sum = Made::Add(Box::new(sum), term(coefficient, index));
    }
    Made::NonNegative(Box::new(sum))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    /// A sum is what adding up gives, whatever its form.
    #[test]
    fn sums_equal_adding_up(
        summand in summands(5),
        step in 1i128..=4,
        slopes in [-3i128..=0, -8..=1, 0..=1],
        constant in -3i128..=9,
        at in proptest::collection::vec([1i128..=3, -6..=14], 3),
    ) {
        let [lane, group, n] = slopes;
        let bound = bounded(step, lane, group, n, constant);
        let body = Made::Mul(Box::new(bound), Box::new(summand));
        let mut domain = Domain::new();
        let poly = body.build(&mut domain.arena, &domain.symbols);
        let sum = domain.arena.sum_over(domain.variables(), &poly);
        // no closed form, and the turn has no bound of its own to be added up to
        prop_assume!(!sum.is_overflow());
        for [groups, n] in at {
            let mut expected = 0;
            for group in 0..groups {
                for lane in 0..LANES {
                    // the bound's slopes are at most 14 + 9 + 2
                    for turn in 0..26 {
                        expected += body.value(&[group, lane, turn, groups, n]);
                    }
                }
            }
            let known = values(&domain.symbols[3..], &[groups, n]);
            let found = domain.arena.evaluate(&sum, &known);
            // a coefficient of the turn is taken for the step of a loop, which is never zero
            prop_assume!(found.is_some());
            prop_assert_eq!(
                found,
                Some(Ratio::integer(expected)),
                "Σ {} is {} at groups {} n {}",
                domain.arena.format(&poly),
                domain.arena.format(&sum),
                groups,
                n
            );
        }
    }
}

/// `Σ` over variables of what `body` makes of their symbols and `n`, as text and checked against
/// adding up.
fn summed(counts: &[i128], body: impl Fn(&mut Arena, &[Poly], &Poly) -> Poly) -> String {
    let mut arena = Arena::default();
    let n = symbol(&mut arena, "n", Some(0), None);
    let mut variables = Vec::new();
    for &count in counts {
        let last = Poly::integer(count - 1);
        variables.push(Variable {
            symbol: variable(&mut arena, "v", Some(last)),
            count: Some(Poly::integer(count)),
        });
    }
    let symbols: Vec<AtomId> = variables.iter().map(|variable| variable.symbol).collect();
    let atoms: Vec<Poly> = symbols.iter().map(|&symbol| Poly::atom(symbol)).collect();
    let poly = body(&mut arena, &atoms, &Poly::atom(n));
    let sum = arena.sum_over(variables, &poly);
    let size: i128 = counts.iter().product();
    for value in [0, 1, 5, 16, 37, 64, 200, 1000] {
        let mut expected = Ratio::ZERO;
        for index in 0..size {
            let mut rest = index;
            let mut at = values(&[n], &[value]);
            for (&symbol, &count) in symbols.iter().zip(counts) {
                at.insert(symbol, Ratio::integer(rest % count));
                rest /= count;
            }
            let summand = arena.evaluate(&poly, &at).expect("the summand has a value");
            expected = expected.add(summand).expect("small numbers");
        }
        let found = arena.evaluate(&sum, &values(&[n], &[value]));
        assert_eq!(found, Some(expected), "{} at {value}", arena.format(&sum));
    }
    arena.format(&sum)
}

#[test]
fn a_workgroup_and_its_lanes_fuse() {
    // 10 groups of 16 lanes, those below n: all 160, or n
    let text = summed(&[10, 16], |arena, v, n| {
        arena.nonnegative(&n.sub(&v[0].scale(16)).sub(&v[1]).add_integer(-1))
    });
    assert_eq!(text, "min(160, n)");
}

#[test]
fn three_variables_fuse_in_a_chain() {
    let text = summed(&[3, 4, 16], |arena, v, n| {
        let id = v[0].scale(64).add(&v[1].scale(16)).add(&v[2]);
        arena.nonnegative(&n.sub(&id).add_integer(-1))
    });
    assert_eq!(text, "min(192, n)");
}

#[test]
fn an_id_that_is_split_has_two_axes() {
    // 256 ids in rows of 16, 16 of each row; rows below n
    let text = summed(&[256], |arena, v, n| {
        let row = arena.floor_div(&v[0], &Poly::integer(16));
        let column = arena.modulo(&v[0], &Poly::integer(16));
        let above = arena.nonnegative(&n.sub(&row).add_integer(-1));
        let left = arena.nonnegative(&n.sub(&column).add_integer(-1));
        above.mul(&left)
    });
    assert_eq!(text, "min(16, n)^2");
}

#[test]
fn triangles_are_powers() {
    // v[1] ≤ v[0] < 20: 20 × 21 / 2, whatever n is
    let text = summed(&[20, 20], |arena, v, _| arena.nonnegative(&v[0].sub(&v[1])));
    assert_eq!(text, "210");
    let text = summed(&[12], |_, v, n| v[0].mul(&v[0]).mul(n));
    // Σ v² for v < 12 is 506
    assert_eq!(text, "506*n");
}

#[test]
fn blocks_apart_are_whole_ones_and_a_part() {
    // 5 blocks of 16 that start 64 apart
    let text = summed(&[5, 16], |arena, v, n| {
        arena.nonnegative(&n.sub(&v[0].scale(64)).sub(&v[1]).add_integer(-1))
    });
    assert_eq!(
        text,
        "16*floor(min(320, n) / 64) + min(16, (min(320, n) % 64))"
    );
}

#[test]
fn an_equality_pins_its_variable() {
    let text = summed(&[40], |arena, v, n| {
        let met = arena.zero(&v[0].scale(3).sub(n));
        met.mul(&v[0])
    });
    // a third of n where n is a multiple of 3 below 120
    assert_eq!(text, "floor(n / 3)*[0 >= (n % 3)]*[119 >= n]");
}

#[test]
fn independent_variables_multiply() {
    let text = summed(&[8, 9], |arena, v, n| {
        let a = arena.nonnegative(&n.sub(&v[0]).add_integer(-1));
        let b = arena.nonnegative(&n.sub(&v[1].scale(2)).add_integer(-1));
        a.mul(&b)
    });
    assert_eq!(text, "min(8, n)*min(9, ceil(n / 2))");
}

#[test]
fn what_has_no_closed_form_is_left_and_evaluated() {
    let mut arena = Arena::default();
    let n = symbol(&mut arena, "n", Some(0), None);
    let v = variable(&mut arena, "v", Some(Poly::atom(n)));
    let square = Poly::atom(v).mul(&Poly::atom(v));
    let body = arena.modulo(&square, &Poly::integer(7));
    let variable = Variable {
        symbol: v,
        count: Some(Poly::atom(n)),
    };
    let sum = arena.sum_over(vec![variable], &body);
    assert!(matches!(
        sum.as_atom().and_then(|id| arena.atom(id)),
        Some(Atom::Sum { .. })
    ));
    // 0 + 1 + 4 + 2 + 2 + 4 + 1 + 0 + 1 + 4
    let found = arena.evaluate(&sum, &values(&[n], &[10]));
    assert_eq!(found, Some(Ratio::integer(19)));
}
