//! Lane sets and residues are counted as enumeration counts them.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const LANES: usize = 4;
const MODULUS: i64 = 16;

/// What a group is made of.
#[derive(Clone, Debug)]
struct Case {
    guards: Vec<Guard>,
    lanes: usize,
    steps: Vec<i64>,
    ranges: Vec<i64>,
}

impl Case {
    fn distribution(&self) -> Option<Distribution> {
        let mut group = Group::new(self.lanes, &self.steps, self.ranges.clone(), MODULUS);
        for guard in &self.guards {
            group.require(guard.clone());
        }
        group.distribution(&Cell::new(1 << 20))
    }
}

/// Forms over two to four variables of a few values: sparse, so that components, inner variables and
/// shared thresholds all occur.
fn cases() -> impl Strategy<Value = Case> {
    (1usize..=4).prop_flat_map(|variables| {
        let coefficient = prop_oneof![3 => Just(0i64), 2 => -3i64..=3, 1 => Just(1), 1 => Just(-1)];
        let coefficients = proptest::collection::vec(coefficient, variables);
        let lanes = prop_oneof![
            (-4i64..8).prop_map(|value| vec![value; LANES]),
            (-4i64..8, -2i64..=2).prop_map(|(first, step)| {
                (0..LANES as i64).map(|lane| first + step * lane).collect()
            }),
        ];
        let form = || {
            (lanes.clone(), coefficients.clone()).prop_map(|(lanes, coefficients)| Linear {
                lanes,
                coefficients,
            })
        };
        let test = || {
            prop_oneof![
                4 => Just(Test::NonNegative),
                1 => Just(Test::Zero),
                1 => Just(Test::NonZero)
            ]
        };
        let single = (test(), form()).prop_map(|(test, form)| Guard::single(test, form));
        // one or the other: a + b - a b
        let either = (test(), form(), test(), form()).prop_map(|(a, left, b, right)| Guard {
            forms: vec![(a, left), (b, right)],
            terms: vec![(1, vec![0]), (1, vec![1]), (-1, vec![0, 1])],
        });
        let guards = proptest::collection::vec(prop_oneof![5 => single, 1 => either], 0..=4);
        let ranges = proptest::collection::vec(0i64..7, variables);
        let scale = prop_oneof![Just(1i64), Just(4)];
        let steps = coefficients.clone();
        (guards, steps, ranges, scale).prop_map(|(guards, mut steps, ranges, scale)| {
            for step in &mut steps {
                *step *= scale;
            }
            Case {
                guards,
                lanes: LANES,
                steps,
                ranges,
            }
        })
    })
}

/// Counts value by value.
fn enumerated(group: &Case) -> BTreeMap<(LaneSet, i64), i128> {
    let mut counts = BTreeMap::new();
    let all: i64 = group.ranges.iter().product();
    for index in 0..all {
        let mut rest = index;
        let at: Vec<i64> = group
            .ranges
            .iter()
            .map(|range| {
                let value = rest % range;
                rest /= range;
                value
            })
            .collect();
        let shift = |coefficients: &[i64]| -> i64 {
            coefficients.iter().zip(&at).map(|(c, v)| c * v).sum()
        };
        let mut active = 0;
        for lane in 0..LANES {
            let holds = |guard: &Guard| {
                let test = |&form: &usize| {
                    let (test, form) = &guard.forms[form];
                    test.holds(form.lanes[lane] + shift(&form.coefficients))
                };
                let terms = guard
                    .terms
                    .iter()
                    .filter(|(_, forms)| forms.iter().all(test));
                terms.map(|(coefficient, _)| coefficient).sum::<i128>() != 0
            };
            if group.guards.iter().all(holds) {
                active |= 1 << lane;
            }
        }
        if active != 0 {
            let residue = shift(&group.steps).rem_euclid(MODULUS);
            *counts.entry((active, residue)).or_insert(0) += 1;
        }
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn counts_are_those_of_enumeration(group in cases()) {
        let distribution = group.distribution().expect("few values");
        let mut counts = BTreeMap::new();
        for (active, residue, times) in distribution.iter() {
            *counts.entry((active, residue)).or_insert(0) += times;
        }
        prop_assert_eq!(counts, enumerated(&group));
    }
}

#[test]
fn a_triangle_over_many_values_is_counted_without_visiting_them() {
    // 8,192 > row ≥ column: Σ (row + 1) columns at 4 bytes each
    let rows: i64 = 8192;
    let at_least = |lanes: Vec<i64>, coefficients: Vec<i64>| {
        Guard::single(
            Test::NonNegative,
            Linear {
                lanes,
                coefficients,
            },
        )
    };
    let group = Case {
        guards: vec![
            at_least(vec![rows; LANES], vec![-1, 0]),
            at_least(vec![0; LANES], vec![1, -1]),
        ],
        lanes: LANES,
        steps: vec![0, 4],
        ranges: vec![rows, rows],
    };
    let distribution = group.distribution().expect("a table of rows");
    let total: i128 = distribution.iter().map(|(_, _, times)| times).sum();
    assert_eq!(total, i128::from(rows * (rows + 1) / 2));
}

#[test]
fn numbers_that_leave_64_bits_are_refused() {
    let huge = i64::MAX / 2;
    let form = Linear {
        lanes: vec![0],
        coefficients: vec![huge],
    };
    let group = Case {
        guards: vec![Guard::single(Test::NonNegative, form)],
        lanes: 1,
        steps: vec![4],
        ranges: vec![huge],
    };
    assert!(group.distribution().is_none());
}
