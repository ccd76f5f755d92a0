//! Taking polynomials apart: by an atom, by a divisor, by what they have in common.

use super::{AtomId, Monomial, Poly, Term, Terms, copy, copy_term};
use crate::ratio::gcd;

impl Poly {
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
