//! Sums and products of polynomials.

use super::{Monomial, Poly, Terms, copy, copy_term};
use crate::ratio::gcd;

/// Products of polynomials with more terms than this are not written out.
const MOST_TERMS: usize = 4096;

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
}
