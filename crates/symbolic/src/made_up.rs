//! Made-up expressions for tests: built by the arena's constructors, and evaluated directly.

use proptest::prelude::*;

use crate::arena::{Arena, Bitwise, Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Poly};
use crate::ratio::Ratio;
use crate::substitute::Values;

/// An expression on whole numbers.
#[derive(Clone, Debug)]
pub(crate) enum Made {
    Constant(i128),
    /// The symbol with this index.
    Symbol(usize),
    Add(Box<Made>, Box<Made>),
    Sub(Box<Made>, Box<Made>),
    Mul(Box<Made>, Box<Made>),
    FloorDiv(Box<Made>, i128),
    Mod(Box<Made>, i128),
    Min(Box<Made>, Box<Made>),
    Max(Box<Made>, Box<Made>),
    Bits(Bitwise, Box<Made>, Box<Made>),
    Mask(Box<Made>, i128),
    BitLength(Box<Made>),
    NonNegative(Box<Made>),
    Zero(Box<Made>),
    Not(Box<Made>),
    /// The second where the first is not negative, else the third.
    Choose(Box<Made>, Box<Made>, Box<Made>),
}

/// Expressions over so many symbols.
pub(crate) fn expressions(symbols: usize) -> impl Strategy<Value = Made> {
    let leaf = prop_oneof![
        (-9i128..=9).prop_map(Made::Constant),
        (0..symbols).prop_map(Made::Symbol),
        (0..symbols).prop_map(Made::Symbol),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let one = || inner.clone().prop_map(Box::new);
        let mask = prop_oneof![Just(7), Just(12), Just(-4), Just(5), Just(1)];
        prop_oneof![
            3 => (one(), one()).prop_map(|(a, b)| Made::Add(a, b)),
            2 => (one(), one()).prop_map(|(a, b)| Made::Sub(a, b)),
            2 => (one(), one()).prop_map(|(a, b)| Made::Mul(a, b)),
            2 => (one(), 1i128..=9).prop_map(|(a, d)| Made::FloorDiv(a, d)),
            2 => (one(), 1i128..=9).prop_map(|(a, d)| Made::Mod(a, d)),
            2 => (one(), one()).prop_map(|(a, b)| Made::Min(a, b)),
            2 => (one(), one()).prop_map(|(a, b)| Made::Max(a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Made::Bits(Bitwise::And, a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Made::Bits(Bitwise::Or, a, b)),
            1 => (one(), one()).prop_map(|(a, b)| Made::Bits(Bitwise::Xor, a, b)),
            1 => (one(), mask).prop_map(|(a, mask)| Made::Mask(a, mask)),
            1 => one().prop_map(Made::BitLength),
            2 => one().prop_map(Made::NonNegative),
            1 => one().prop_map(Made::Zero),
            1 => one().prop_map(|a| Made::Not(Box::new(Made::NonNegative(a)))),
            1 => (one(), one(), one()).prop_map(|(a, b, c)| Made::Choose(a, b, c)),
        ]
    })
}

/// Products of conditions, linear and not, sometimes with a factor that is not one.
pub(crate) fn summands(symbols: usize) -> impl Strategy<Value = Made> {
    let linear = (proptest::collection::vec(-4i128..=4, symbols), -12i128..=24);
    let linear = linear.prop_map(|(coefficients, constant)| {
        let terms = coefficients.into_iter().enumerate();
        terms.fold(Made::Constant(constant), |sum, (index, coefficient)| {
            let factor = Box::new(Made::Constant(coefficient));
            let term = Made::Mul(factor, Box::new(Made::Symbol(index)));
            Made::Add(Box::new(sum), Box::new(term))
        })
    });
    let condition = prop_oneof![
        4 => linear.prop_map(|p| Made::NonNegative(Box::new(p))),
        1 => expressions(symbols).prop_map(|p| Made::NonNegative(Box::new(p))),
        1 => expressions(symbols).prop_map(|p| Made::Zero(Box::new(p))),
    ];
    let factor = prop_oneof![
        5 => condition.clone(),
        1 => condition.prop_map(|p| Made::Not(Box::new(p))),
        1 => expressions(symbols),
    ];
    proptest::collection::vec(factor, 1..=3).prop_map(|factors| {
        let product = factors.into_iter().map(Box::new);
        product.fold(Made::Constant(1), |all, factor| {
            Made::Mul(Box::new(all), factor)
        })
    })
}

impl Made {
    /// By the arena's constructors.
    pub(crate) fn build(&self, arena: &mut Arena, symbols: &[AtomId]) -> Poly {
        let mut of = |made: &Made| made.build(arena, symbols);
        match self {
            Made::Constant(value) => Poly::integer(*value),
            Made::Symbol(index) => Poly::atom(symbols[*index]),
            Made::Add(a, b) => of(a).add(&of(b)),
            Made::Sub(a, b) => of(a).sub(&of(b)),
            Made::Mul(a, b) => of(a).mul(&of(b)),
            Made::FloorDiv(a, d) => {
                let a = of(a);
                arena.floor_div(&a, &Poly::integer(*d))
            }
            Made::Mod(a, d) => {
                let a = of(a);
                arena.modulo(&a, &Poly::integer(*d))
            }
            Made::Min(a, b) => {
                let (a, b) = (of(a), of(b));
                arena.min(&a, &b)
            }
            Made::Max(a, b) => {
                let (a, b) = (of(a), of(b));
                arena.max(&a, &b)
            }
            Made::Bits(operation, a, b) => {
                let (a, b) = (of(a), of(b));
                arena.bitwise(*operation, &a, &b)
            }
            Made::Mask(a, mask) => {
                let a = of(a);
                arena.bitwise(Bitwise::And, &a, &Poly::integer(*mask))
            }
            Made::BitLength(a) => {
                let a = of(a);
                arena.bit_length(&a)
            }
            Made::NonNegative(a) => {
                let a = of(a);
                arena.nonnegative(&a)
            }
            Made::Zero(a) => {
                let a = of(a);
                arena.zero(&a)
            }
            Made::Not(a) => {
                let a = of(a);
                arena.complement(&a)
            }
            Made::Choose(condition, accept, reject) => {
                let (condition, accept, reject) = (of(condition), of(accept), of(reject));
                let holds = arena.nonnegative(&condition);
                arena.choose(&holds, &accept, &reject)
            }
        }
    }

    /// Directly.
    pub(crate) fn value(&self, values: &[i128]) -> i128 {
        let of = |made: &Made| made.value(values);
        match self {
            Made::Constant(value) => *value,
            Made::Symbol(index) => values[*index],
            Made::Add(a, b) => of(a) + of(b),
            Made::Sub(a, b) => of(a) - of(b),
            Made::Mul(a, b) => of(a) * of(b),
            Made::FloorDiv(a, d) => of(a).div_euclid(*d),
            Made::Mod(a, d) => of(a).rem_euclid(*d),
            Made::Min(a, b) => of(a).min(of(b)),
            Made::Max(a, b) => of(a).max(of(b)),
            Made::Bits(Bitwise::And, a, b) => of(a) & of(b),
            Made::Bits(Bitwise::Or, a, b) => of(a) | of(b),
            Made::Bits(Bitwise::Xor, a, b) => of(a) ^ of(b),
            Made::Mask(a, mask) => of(a) & mask,
            Made::BitLength(a) => match of(a) {
                ..=0 => 0,
                value => i128::from(value.ilog2()) + 1,
            },
            Made::NonNegative(a) => i128::from(of(a) >= 0),
            Made::Zero(a) => i128::from(of(a) == 0),
            Made::Not(a) => 1 - of(a),
            Made::Choose(condition, accept, reject) => {
                if of(condition) >= 0 {
                    of(accept)
                } else {
                    of(reject)
                }
            }
        }
    }
}

/// A parameter between bounds.
pub(crate) fn symbol(
    arena: &mut Arena,
    name: &str,
    least: Option<i128>,
    greatest: Option<Poly>,
) -> AtomId {
    arena.fresh(Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Parameter,
        uniformity: Uniformity::Launch,
        least,
        greatest,
    })
}

/// A variable of a sum, from zero on.
pub(crate) fn variable(arena: &mut Arena, name: &str, greatest: Option<Poly>) -> AtomId {
    arena.fresh(Symbol {
        name: name.to_owned(),
        kind: SymbolKind::Summation,
        uniformity: Uniformity::Lane,
        least: Some(0),
        greatest,
    })
}

/// Values of symbols.
pub(crate) fn values(symbols: &[AtomId], values: &[i128]) -> Values {
    let values = values.iter().map(|&value| Ratio::integer(value));
    symbols.iter().copied().zip(values).collect()
}
