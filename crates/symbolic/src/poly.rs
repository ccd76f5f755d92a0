//! Polynomials over atoms, in a canonical form.
//!
//! A [`Poly`] is a sum of monomials with integer coefficients over one common denominator. Atoms
//! (symbols, quotients, minima, indicators, sums) are interned in the [`Arena`](crate::arena::Arena),
//! so that equal expressions have equal polynomials. Atoms that can only be zero or one are
//! idempotent: their square is themselves. A coefficient that leaves `i128`, or a product of too many
//! terms, turns the polynomial into [`Poly::overflow`], whose value is unknown. Cloning shares the
//! terms.

mod arithmetic;
mod division;

use std::sync::{Arc, LazyLock};

use smallvec::{SmallVec, smallvec};

use crate::ratio::{Ratio, gcd};

/// An interned atom. The top bit marks idempotent ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub(crate) u32);

const IDEMPOTENT: u32 = 1 << 31;

impl AtomId {
    /// The id for an arena index.
    pub(crate) fn new(index: usize, idempotent: bool) -> AtomId {
        let index = u32::try_from(index).unwrap_or(IDEMPOTENT - 2);
        AtomId(if idempotent {
            index | IDEMPOTENT
        } else {
            index
        })
    }

    /// Stands for a value that does not fit.
    pub(crate) const OVERFLOW: AtomId = AtomId(IDEMPOTENT - 1);

    pub(crate) fn index(self) -> usize {
        (self.0 & !IDEMPOTENT) as usize
    }

    pub(crate) fn is_idempotent(self) -> bool {
        self.0 & IDEMPOTENT != 0
    }
}

/// A product of atoms, sorted by atom.
pub type Monomial = SmallVec<[(AtomId, u8); 3]>;

/// A monomial and its coefficient.
type Term = (Monomial, i128);

/// Terms, a few of them in place.
type Terms = SmallVec<[Term; 2]>;

/// A polynomial: `Σ coefficient × monomial / denominator`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Poly {
    terms: Arc<Terms>,
    denominator: i128,
}

static ZERO: LazyLock<Poly> = LazyLock::new(|| Poly {
    terms: Arc::new(smallvec![]),
    denominator: 1,
});
static ONE: LazyLock<Poly> = LazyLock::new(|| Poly {
    terms: Arc::new(smallvec![(Monomial::new(), 1)]),
    denominator: 1,
});

/// A copy. (`clone` goes factor by factor.)
fn copy(monomial: &Monomial) -> Monomial {
    Monomial::from_slice(monomial)
}

fn copy_term((monomial, coefficient): &Term) -> Term {
    (copy(monomial), *coefficient)
}

impl Poly {
    /// From sorted terms without zeros. The least number has no opposite and counts as an overflow.
    fn from_terms(terms: Terms, denominator: i128) -> Poly {
        if terms.is_empty() {
            return Poly::zero();
        }
        if terms.iter().any(|(_, c)| *c == i128::MIN) {
            return Poly::overflow();
        }
        Poly {
            terms: Arc::new(terms),
            denominator,
        }
    }

    /// From sorted terms without zeros, over a denominator that may have factors in common.
    fn reduced(mut terms: Terms, mut denominator: i128) -> Poly {
        if denominator != 1 {
            let divisor = terms.iter().fold(denominator, |d, (_, c)| gcd(d, *c));
            if divisor > 1 {
                denominator /= divisor;
                for (_, c) in &mut terms {
                    *c /= divisor;
                }
            }
        }
        Poly::from_terms(terms, denominator)
    }

    /// A whole number.
    pub fn integer(value: i128) -> Poly {
        match value {
            0 => Poly::zero(),
            1 => Poly::one(),
            _ => Poly::from_terms(smallvec![(Monomial::new(), value)], 1),
        }
    }

    /// Zero.
    pub fn zero() -> Poly {
        ZERO.clone()
    }

    /// One.
    pub fn one() -> Poly {
        ONE.clone()
    }

    /// An atom by itself.
    pub fn atom(atom: AtomId) -> Poly {
        Poly::monomial(smallvec![(atom, 1)])
    }

    /// A value that does not fit `i128`.
    pub fn overflow() -> Poly {
        Poly::atom(AtomId::OVERFLOW)
    }

    /// Whether it is [`Poly::overflow`]. Every operation on an overflow gives one, except for a product
    /// with zero, so that no overflow hides in a sum and two of them never cancel.
    pub fn is_overflow(&self) -> bool {
        matches!(self.terms(), [(monomial, _)] if matches!(monomial.as_slice(), [(AtomId::OVERFLOW, _)]))
    }

    /// A monomial with coefficient one.
    pub(crate) fn monomial(monomial: Monomial) -> Poly {
        Poly::from_terms(smallvec![(monomial, 1)], 1)
    }

    /// The terms; each coefficient is over [`Poly::denominator`].
    pub fn terms(&self) -> &[(Monomial, i128)] {
        &self.terms
    }

    /// The sum of those terms whose monomials are wanted.
    pub(crate) fn with_terms(&self, wanted: impl Fn(&Monomial) -> bool) -> Poly {
        let mut terms = self.terms().iter();
        if terms.all(|(monomial, _)| wanted(monomial)) {
            return self.clone();
        }
        let terms = self.terms().iter().filter(|(monomial, _)| wanted(monomial));
        Poly::reduced(terms.map(copy_term).collect(), self.denominator)
    }

    /// The common denominator, positive.
    pub fn denominator(&self) -> i128 {
        self.denominator
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    /// The value, if it holds no atom.
    pub fn as_constant(&self) -> Option<Ratio> {
        match self.terms() {
            [] => Some(Ratio::ZERO),
            [(monomial, coefficient)] if monomial.is_empty() => {
                Ratio::new(*coefficient, self.denominator)
            }
            _ => None,
        }
    }

    /// The value, if it is a whole number.
    pub fn as_integer(&self) -> Option<i128> {
        self.as_constant()?.to_integer()
    }

    /// The atom, if it is one atom with coefficient one.
    pub fn as_atom(&self) -> Option<AtomId> {
        match self.terms() {
            [(monomial, 1)] if self.denominator == 1 && monomial.len() == 1 => {
                (monomial[0].1 == 1).then_some(monomial[0].0)
            }
            _ => None,
        }
    }

    /// The constant term over the denominator.
    pub(crate) fn constant_term(&self) -> i128 {
        match self.terms.first() {
            Some((monomial, coefficient)) if monomial.is_empty() => *coefficient,
            _ => 0,
        }
    }

    /// Whether the atom occurs outside of other atoms.
    pub fn contains(&self, atom: AtomId) -> bool {
        self.terms
            .iter()
            .any(|(monomial, _)| monomial.iter().any(|&(a, _)| a == atom))
    }

    /// Every atom that occurs outside of other atoms (with repetitions).
    pub fn atoms(&self) -> impl Iterator<Item = AtomId> + '_ {
        self.terms
            .iter()
            .flat_map(|(monomial, _)| monomial.iter().map(|&(atom, _)| atom))
    }
}
