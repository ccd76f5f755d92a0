//! Forms against sets of bytes that are filled point by point.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::{Form, bytes_of};

fn condition() -> impl Strategy<Value = (i128, Vec<i128>)> {
    (-6i128..12, prop::collection::vec(-2i128..3, 3))
}

fn form() -> impl Strategy<Value = Form> {
    let ranges = prop::collection::vec((Just(0i128), 1i128..7), 3);
    let address = prop::collection::vec(-8i128..9, 3);
    let guards = prop::collection::vec(condition(), 0..4);
    (ranges, address, guards).prop_map(|(ranges, address, guards)| Form {
        constant: 1000,
        address,
        guards,
        ranges,
    })
}

/// What two linear conditions and an address make of every point of the box.
fn touched(form: &Form, width: i128, bytes: &mut BTreeSet<i128>) {
    let value = |constant: i128, coefficients: &[i128], point: &[i128]| -> i128 {
        let terms = coefficients.iter().zip(point).map(|(c, v)| c * v);
        constant + terms.sum::<i128>()
    };
    for x in 0..form.ranges[0].1 {
        for y in 0..form.ranges[1].1 {
            for z in 0..form.ranges[2].1 {
                let point = [x, y, z];
                let mut guards = form.guards.iter();
                if guards.all(|(constant, c)| value(*constant, c, &point) >= 0) {
                    let first = value(form.constant, &form.address, &point);
                    bytes.extend(first..first + width);
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn bytes_are_those_of_the_points(
        forms in prop::collection::vec(form(), 1..3),
        width in 1i128..9,
    ) {
        let mut bytes = BTreeSet::new();
        let mut sets = Vec::new();
        for form in forms {
            touched(&form, width, &mut bytes);
            prop_assert!(form.add_runs(width, &mut sets).is_some());
        }
        prop_assert_eq!(bytes_of(sets, Vec::new()), Some(bytes.len() as u64));
    }
}
