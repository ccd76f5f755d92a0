//! Polynomials over atoms, in a canonical form.
//!
//! A [`Poly`] is a sum of monomials with integer coefficients over one common denominator. Atoms
//! (symbols, quotients, minima, indicators, sums) are interned in the [`Arena`](crate::arena::Arena),
//! so that equal expressions have equal polynomials. Atoms that can only be zero or one are
//! idempotent: their square is themselves. A coefficient that leaves `i128`, or a product of too many
//! terms, turns the polynomial into [`Poly::overflow`], whose value is unknown. Cloning shares the
//! terms.

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

/// Products of polynomials with more terms than this are not written out.
const MOST_TERMS: usize = 4096;

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

fn multiply_monomials(left: &Monomial, right: &Monomial) -> Option<Monomial> {
    if left.is_empty() {
        return Some(copy(right));
    }
    if right.is_empty() {
        return Some(copy(left));
    }
    let mut product = Monomial::new();
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        let take_left = j >= right.len() || (i < left.len() && left[i].0 <= right[j].0);
        if take_left && j < right.len() && i < left.len() && left[i].0 == right[j].0 {
            let atom = left[i].0;
            let power = if atom.is_idempotent() {
                1
            } else {
                left[i].1.checked_add(right[j].1)?
            };
            product.push((atom, power));
            i += 1;
            j += 1;
        } else if take_left {
            product.push(left[i]);
            i += 1;
        } else {
            product.push(right[j]);
            j += 1;
        }
    }
    Some(product)
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

    /// Splits into `coefficient × atom + rest`, when the atom occurs only to the first power.
    pub fn linear_in(&self, atom: AtomId) -> Option<(Poly, Poly)> {
        let (mut coefficient, mut rest) = (Terms::new(), Terms::new());
        for (monomial, c) in self.terms() {
            match monomial.iter().position(|&(a, _)| a == atom) {
                None => rest.push((copy(monomial), *c)),
                Some(at) if monomial[at].1 == 1 => {
                    let mut left = copy(monomial);
                    left.remove(at);
                    coefficient.push((left, *c));
                }
                Some(_) => return None,
            }
        }
        coefficient.sort_by(|a, b| a.0.cmp(&b.0));
        Some((
            Poly::reduced(coefficient, self.denominator),
            Poly::reduced(rest, self.denominator),
        ))
    }

    fn combine(&self, other: &Poly, sign: i128) -> Option<Poly> {
        if self.is_overflow() || other.is_overflow() {
            return None;
        }
        let (left, right, denominator) = if self.denominator == other.denominator {
            (1, sign, self.denominator)
        } else {
            let divisor = gcd(self.denominator, other.denominator);
            let left = other.denominator / divisor;
            (
                left,
                sign * (self.denominator / divisor),
                self.denominator.checked_mul(left)?,
            )
        };
        let mut terms = Terms::new();
        let (mut i, mut j) = (0, 0);
        while i < self.terms.len() || j < other.terms.len() {
            let order = match (self.terms.get(i), other.terms.get(j)) {
                (Some(a), Some(b)) => a.0.cmp(&b.0),
                (Some(_), None) => std::cmp::Ordering::Less,
                _ => std::cmp::Ordering::Greater,
            };
            let (monomial, c) = match order {
                std::cmp::Ordering::Less => {
                    i += 1;
                    (&self.terms[i - 1].0, self.terms[i - 1].1.checked_mul(left)?)
                }
                std::cmp::Ordering::Greater => {
                    j += 1;
                    (
                        &other.terms[j - 1].0,
                        other.terms[j - 1].1.checked_mul(right)?,
                    )
                }
                std::cmp::Ordering::Equal => {
                    i += 1;
                    j += 1;
                    let a = self.terms[i - 1].1.checked_mul(left)?;
                    let b = other.terms[j - 1].1.checked_mul(right)?;
                    (&self.terms[i - 1].0, a.checked_add(b)?)
                }
            };
            if c != 0 {
                terms.push((copy(monomial), c));
            }
        }
        Some(Poly::reduced(terms, denominator))
    }

    /// Sum.
    pub fn add(&self, other: &Poly) -> Poly {
        if self.is_zero() {
            return other.clone();
        }
        if other.is_zero() {
            return self.clone();
        }
        self.combine(other, 1).unwrap_or_else(Poly::overflow)
    }

    /// Difference.
    pub fn sub(&self, other: &Poly) -> Poly {
        if other.is_zero() {
            return self.clone();
        }
        self.combine(other, -1).unwrap_or_else(Poly::overflow)
    }

    /// `self + value`.
    pub fn add_integer(&self, value: i128) -> Poly {
        self.add(&Poly::integer(value))
    }

    /// `-self`.
    pub fn neg(&self) -> Poly {
        self.scale(-1)
    }

    /// `factor × self`.
    pub fn scale(&self, factor: i128) -> Poly {
        if factor == 0 {
            return Poly::zero();
        }
        if factor == 1 || self.is_overflow() {
            return self.clone();
        }
        let mut terms: Terms = self.terms().iter().map(copy_term).collect();
        for (_, c) in &mut terms {
            match c.checked_mul(factor) {
                Some(product) => *c = product,
                None => return Poly::overflow(),
            }
        }
        Poly::reduced(terms, self.denominator)
    }

    /// `self / divisor`, exactly.
    pub fn divide_by(&self, divisor: i128) -> Poly {
        if divisor == 0 || self.is_overflow() {
            return Poly::overflow();
        }
        let whole = if divisor < 0 {
            self.neg()
        } else {
            self.clone()
        };
        let denominator = divisor
            .checked_abs()
            .and_then(|by| whole.denominator.checked_mul(by));
        match denominator {
            Some(denominator) => {
                Poly::reduced(whole.terms().iter().map(copy_term).collect(), denominator)
            }
            None => Poly::overflow(),
        }
    }

    /// Product.
    pub fn mul(&self, other: &Poly) -> Poly {
        if let Some(value) = self.as_integer() {
            return other.scale(value);
        }
        if let Some(value) = other.as_integer() {
            return self.scale(value);
        }
        self.checked_mul(other).unwrap_or_else(Poly::overflow)
    }

    fn checked_mul(&self, other: &Poly) -> Option<Poly> {
        let excess = self.terms.len() * other.terms.len() > MOST_TERMS;
        if excess || self.is_overflow() || other.is_overflow() {
            return None;
        }
        let denominator = self.denominator.checked_mul(other.denominator)?;
        let mut terms = Terms::new();
        for (left, a) in self.terms() {
            for (right, b) in other.terms() {
                terms.push((multiply_monomials(left, right)?, a.checked_mul(*b)?));
            }
        }
        terms.sort_by(|a, b| a.0.cmp(&b.0));
        let mut merged = Terms::new();
        for (monomial, c) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == monomial => last.1 = last.1.checked_add(c)?,
                _ => merged.push((monomial, c)),
            }
        }
        merged.retain(|(_, c)| *c != 0);
        Some(Poly::reduced(merged, denominator))
    }

    /// `self / divisor`, when the divisor is a single term that divides every term.
    pub(crate) fn divide_exactly(&self, divisor: &Poly) -> Option<Poly> {
        let (exact, rest) = self.split_multiples(divisor)?;
        rest.is_zero().then_some(exact)
    }

    /// `self = quotient × divisor + rest`, taking into the quotient the terms that a single-term
    /// divisor divides; `None` when the divisor has several terms or there are fractions.
    pub(crate) fn split_multiples(&self, divisor: &Poly) -> Option<(Poly, Poly)> {
        let [(by, factor)] = divisor.terms() else {
            return None;
        };
        if self.denominator != 1 || divisor.denominator != 1 {
            return None;
        }
        let (mut quotient, mut rest) = (Terms::new(), Terms::new());
        for (monomial, c) in self.terms() {
            match divide_monomial(monomial, by) {
                Some(left) if c.checked_rem(*factor) == Some(0) => {
                    quotient.push((left, c / factor))
                }
                Some(left) if by.is_empty() && monomial.is_empty() => {
                    let whole = c.div_euclid(*factor);
                    if whole != 0 {
                        quotient.push((copy(&left), whole));
                    }
                    rest.push((left, c.rem_euclid(*factor)));
                }
                _ => rest.push((copy(monomial), *c)),
            }
        }
        quotient.sort_by(|a, b| a.0.cmp(&b.0));
        rest.retain(|(_, c)| *c != 0);
        Some((Poly::from_terms(quotient, 1), Poly::from_terms(rest, 1)))
    }

    /// `self = quotient × divisor + rest`, taking into the quotient the terms, but for a constant, whose
    /// coefficients a whole number divides; for whole coefficients.
    pub(crate) fn split_coefficients(&self, divisor: i128) -> (Poly, Poly) {
        let (mut quotient, mut rest) = (Terms::new(), Terms::new());
        for (monomial, c) in self.terms() {
            if !monomial.is_empty() && self.denominator == 1 && c % divisor == 0 {
                quotient.push((copy(monomial), c / divisor));
            } else {
                rest.push((copy(monomial), *c));
            }
        }
        (
            Poly::from_terms(quotient, 1),
            Poly::from_terms(rest, self.denominator),
        )
    }

    /// Greatest common divisor of the non-constant coefficients.
    pub(crate) fn content(&self) -> i128 {
        let coefficients = self
            .terms
            .iter()
            .filter(|(m, _)| !m.is_empty())
            .map(|(_, c)| *c);
        coefficients.fold(0, gcd)
    }

    /// Greatest common divisor of all coefficients; one where there are fractions.
    pub(crate) fn full_content(&self) -> i128 {
        if self.denominator != 1 {
            return 1;
        }
        self.terms.iter().fold(0, |d, (_, c)| gcd(d, *c))
    }

    /// The terms, but for a constant, that both have with equal coefficients.
    pub(crate) fn common_terms(&self, other: &Poly) -> Poly {
        if self.denominator != other.denominator {
            return Poly::zero();
        }
        let is_common = |(monomial, c): &&Term| {
            let same = |(m, d): &Term| m == monomial && d == c;
            !monomial.is_empty() && other.terms.iter().any(same)
        };
        Poly::reduced(
            self.terms.iter().filter(is_common).map(copy_term).collect(),
            self.denominator,
        )
    }
}

fn divide_monomial(monomial: &Monomial, by: &Monomial) -> Option<Monomial> {
    let mut left = copy(monomial);
    for &(atom, power) in by {
        let at = left.iter().position(|&(a, _)| a == atom)?;
        left[at].1 = left[at].1.checked_sub(power)?;
        if left[at].1 == 0 {
            left.remove(at);
        }
    }
    Some(left)
}
