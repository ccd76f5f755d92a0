//! Constructors that simplify: quotients, remainders, minima, powers, bitwise operations.
//!
//! Each returns a polynomial that equals the operation for all whole values of its symbols, and
//! makes an atom only for what does not simplify. Indicators are in
//! [`indicator`](crate::indicator).

use crate::arena::{Arena, Atom, Bitwise};
use crate::poly::{AtomId, Poly};
use crate::ratio::gcd;

/// The lesser or the greater.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extremum {
    Least,
    Greatest,
}

impl Arena {
    /// The atom by itself; an overflow where an operand is one.
    pub(crate) fn make(&mut self, atom: Atom) -> Poly {
        let mut overflow = false;
        atom.for_each_operand(|operand| overflow |= operand.is_overflow());
        if overflow {
            return Poly::overflow();
        }
        Poly::atom(self.intern(atom))
    }

    /// `floor(a / b)` for `b > 0`.
    pub fn floor_div(&mut self, a: &Poly, b: &Poly) -> Poly {
        if a.is_overflow() || b.is_overflow() {
            return Poly::overflow();
        }
        let trivial = b.as_integer() == Some(1) && a.denominator() == 1;
        if trivial || a.is_zero() {
            return a.clone();
        }
        if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant())
            && let Some(value) = x.floor_div(y).and_then(|q| q.to_integer())
        {
            return Poly::integer(value);
        }
        let Some((quotient, rest)) = a.split_multiples(b) else {
            return self.make(Atom::FloorDiv(a.clone(), b.clone()));
        };
        if let Some(block) = self.block_of(&rest, b) {
            return quotient.add_integer(block);
        }
        let floor = match rest.as_atom().and_then(|id| self.atom(id)) {
            Some(Atom::FloorDiv(c, d)) => {
                let (c, d) = (c.clone(), d.mul(b));
                self.floor_div(&c, &d)
            }
            Some(Atom::Mod(c, d)) if multiple_of(d, b).is_some() => {
                // floor((c mod k b) / b) is floor(c / b) mod k
                let (c, k) = (c.clone(), multiple_of(d, b).unwrap_or(1));
                let whole = self.floor_div(&c, b);
                self.modulo(&whole, &Poly::integer(k))
            }
            _ => self.reduced_quotient(&rest, b),
        };
        quotient.add(&floor)
    }

    /// The `k` for which `k b ≤ rest < k b + b` is proved.
    fn block_of(&self, rest: &Poly, b: &Poly) -> Option<i128> {
        if let Some(divisor) = b.as_integer().filter(|&d| d > 0) {
            let range = self.interval(rest);
            if let (Some(low), Some(high)) = (range.low, range.high)
                && low.div_euclid(divisor) == high.div_euclid(divisor)
            {
                return Some(low.div_euclid(divisor));
            }
        }
        self.is_remainder(rest, b).then_some(0)
    }

    /// Whether `0 ≤ rest < b` is proved.
    fn is_remainder(&self, rest: &Poly, b: &Poly) -> bool {
        self.is_nonnegative(rest) && self.is_at_most(rest, &b.add_integer(-1))
    }

    /// `floor(rest / b)` with common constant factors removed: `floor((4 x + 3) / 8)` is
    /// `floor(x / 2)`.
    fn reduced_quotient(&mut self, rest: &Poly, b: &Poly) -> Poly {
        let factor = common_factor(rest, b);
        if factor > 1 {
            let offset = rest.constant_term().rem_euclid(factor);
            let a = rest.add_integer(-offset).divide_by(factor);
            let b = b.divide_by(factor);
            return self.floor_div(&a, &b);
        }
        if let Some((step, quotient, _)) = self.digits(rest, b) {
            return self.floor_div(&quotient, &b.divide_by(step));
        }
        self.make(Atom::FloorDiv(rest.clone(), b.clone()))
    }

    /// `ceil(a / b)` for `b > 0`.
    pub fn ceil_div(&mut self, a: &Poly, b: &Poly) -> Poly {
        self.floor_div(&a.add(b).add_integer(-1), b)
    }

    /// `a - b × floor(a / b)` for `b > 0`.
    pub fn modulo(&mut self, a: &Poly, b: &Poly) -> Poly {
        if a.is_overflow() || b.is_overflow() {
            return Poly::overflow();
        }
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer())
            && y > 0
        {
            return Poly::integer(x.rem_euclid(y));
        }
        if a.is_zero() {
            return Poly::zero();
        }
        let Some((_, rest)) = a.split_multiples(b) else {
            return self.make(Atom::Mod(a.clone(), b.clone()));
        };
        if let Some(block) = self.block_of(&rest, b) {
            return rest.sub(&b.scale(block));
        }
        if let Some(congruent) = self.without_inner_remainder(&rest, b) {
            return self.modulo(&congruent, b);
        }
        let factor = common_factor(&rest, b);
        if factor > 1 {
            // (k q + r) mod k m is k (q mod m) + r
            let offset = rest.constant_term().rem_euclid(factor);
            let a = rest.add_integer(-offset).divide_by(factor);
            let remainder = self.modulo(&a, &b.divide_by(factor));
            return remainder.scale(factor).add_integer(offset);
        }
        if let Some((step, quotient, low)) = self.digits(&rest, b) {
            let high = self.modulo(&quotient, &b.divide_by(step));
            return high.scale(step).add(&low);
        }
        self.make(Atom::Mod(rest, b.clone()))
    }

    /// `c`, `q` and `r` where `a` is `c q + r` with `0 ≤ r < c` and a constant `c` that divides the
    /// constant `b`.
    fn digits(&self, a: &Poly, b: &Poly) -> Option<(i128, Poly, Poly)> {
        let base = b.as_integer().filter(|_| a.denominator() == 1)?;
        let terms = a
            .terms()
            .iter()
            .filter(|(monomial, _)| !monomial.is_empty());
        let mut steps: Vec<i128> = terms.map(|(_, c)| c.abs()).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.retain(|&c| c > 1 && c < base && base % c == 0);
        steps.into_iter().rev().find_map(|step| {
            let (quotient, rest) = a.split_coefficients(step);
            let block = self.block_of(&rest, &Poly::integer(step))?;
            let low = rest.add_integer(block.checked_mul(step)?.checked_neg()?);
            Some((step, quotient.add_integer(block), low))
        })
    }

    /// Something with the same remainder modulo a constant `b`: `c` for `c mod k b`.
    fn without_inner_remainder(&self, a: &Poly, b: &Poly) -> Option<Poly> {
        a.atoms().find_map(|id| {
            let Some(Atom::Mod(c, d)) = self.atom(id) else {
                return None;
            };
            multiple_of(d, b)?;
            let (coefficient, rest) = a.linear_in(id)?;
            (c.denominator() == 1).then(|| rest.add(&coefficient.mul(c)))
        })
    }

    /// The lesser.
    pub fn min(&mut self, a: &Poly, b: &Poly) -> Poly {
        self.extremum(Extremum::Least, a, b)
    }

    /// The greater.
    pub fn max(&mut self, a: &Poly, b: &Poly) -> Poly {
        self.extremum(Extremum::Greatest, a, b)
    }

    fn extremum(&mut self, which: Extremum, a: &Poly, b: &Poly) -> Poly {
        if a.is_overflow() || b.is_overflow() {
            return Poly::overflow();
        }
        let least = which == Extremum::Least;
        if self.is_at_most(a, b) {
            return if least { a.clone() } else { b.clone() };
        }
        if self.is_at_most(b, a) {
            return if least { b.clone() } else { a.clone() };
        }
        for (outer, other) in [(a, b), (b, a)] {
            if let Some(rest) = self.absorbed(which, outer, other) {
                return self.extremum(which, &rest, other);
            }
        }
        let common = a.common_terms(b);
        if !common.is_zero() {
            let rest = self.extremum(which, &a.sub(&common), &b.sub(&common));
            return common.add(&rest);
        }
        let factor = gcd(a.full_content(), b.full_content());
        if factor > 1 {
            let rest = self.extremum(which, &a.divide_by(factor), &b.divide_by(factor));
            return rest.scale(factor);
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.make(if least {
            Atom::Min(a.clone(), b.clone())
        } else {
            Atom::Max(a.clone(), b.clone())
        })
    }

    /// What is left of an extremum within an extremum when the other operand makes one of its
    /// operands superfluous: `d` for `min(min(c, d), other)` with `other ≤ c`.
    fn absorbed(&self, which: Extremum, outer: &Poly, other: &Poly) -> Option<Poly> {
        let (c, d) = match (which, self.atom(outer.as_atom()?)?) {
            (Extremum::Least, Atom::Min(c, d)) | (Extremum::Greatest, Atom::Max(c, d)) => (c, d),
            _ => return None,
        };
        let beats = |p: &Poly| match which {
            Extremum::Least => self.is_at_most(other, p),
            Extremum::Greatest => self.is_at_most(p, other),
        };
        if beats(c) {
            return Some(d.clone());
        }
        beats(d).then(|| c.clone())
    }

    /// `2 ^ p` for `p ≥ 0`.
    pub fn power_of_two(&mut self, p: &Poly) -> Poly {
        match p.as_integer() {
            Some(exponent @ 0..=126) => Poly::integer(1 << exponent),
            Some(_) => Poly::overflow(),
            None => {
                let constant = p.constant_term();
                if p.denominator() == 1 && (1..=64).contains(&constant) {
                    let rest = self.power_of_two(&p.add_integer(-constant));
                    return rest.scale(1 << constant);
                }
                self.make(Atom::PowerOfTwo(p.clone()))
            }
        }
    }

    /// Bits of `p`: `floor(log2(p)) + 1`, 0 for `p ≤ 0`.
    pub fn bit_length(&mut self, p: &Poly) -> Poly {
        if let Some(value) = p.as_integer() {
            return Poly::integer(bit_length(value));
        }
        match p.as_atom().and_then(|id| self.atom(id)) {
            Some(Atom::PowerOfTwo(exponent)) => exponent.add_integer(1),
            _ => self.make(Atom::BitLength(p.clone())),
        }
    }

    /// A bitwise operation on whole numbers in two's complement.
    pub fn bitwise(&mut self, operation: Bitwise, a: &Poly, b: &Poly) -> Poly {
        if a.is_overflow() || b.is_overflow() {
            return Poly::overflow();
        }
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer()) {
            return Poly::integer(bitwise(operation, x, y));
        }
        let (a, b) = if b.as_integer().is_some() {
            (a, b)
        } else {
            (b, a)
        };
        match (operation, b.as_integer()) {
            (Bitwise::And, Some(0)) => return Poly::zero(),
            (Bitwise::Or | Bitwise::Xor, Some(0)) => return a.clone(),
            (Bitwise::And, Some(mask)) => {
                if let Some(masked) = self.masked(a, mask) {
                    return masked;
                }
            }
            _ => {}
        }
        if a == b {
            return if operation == Bitwise::Xor {
                Poly::zero()
            } else {
                a.clone()
            };
        }
        if operation != Bitwise::And && (self.is_below_bits(a, b) || self.is_below_bits(b, a)) {
            return a.add(b);
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.make(Atom::Bitwise(operation, a.clone(), b.clone()))
    }

    /// `a & mask` for a mask that is one run of bits, in two's complement also for negative `a`.
    fn masked(&mut self, a: &Poly, mask: i128) -> Option<Poly> {
        let low = mask.trailing_zeros();
        let step = Poly::integer(1i128.checked_shl(low).filter(|&step| step > 0)?);
        let run = mask >> low;
        if run == -1 {
            // every bit from the lowest on
            let below = self.modulo(a, &step);
            return Some(a.sub(&below));
        }
        if !(0..i128::MAX).contains(&run) || (run + 1) & run != 0 {
            return None;
        }
        let whole = self.floor_div(a, &step);
        let kept = self.modulo(&whole, &Poly::integer(run + 1));
        Some(kept.mul(&step))
    }

    /// Whether `low` has no bit that a multiple of the power of two in `high`'s coefficients can have.
    fn is_below_bits(&self, low: &Poly, high: &Poly) -> bool {
        if high.denominator() != 1 || high.is_zero() {
            return false;
        }
        let zeros = high.full_content().trailing_zeros().min(64);
        self.is_remainder(low, &Poly::integer(1 << zeros))
    }
}

/// The factor `k > 0` such that `d = k b`, for constants.
fn multiple_of(d: &Poly, b: &Poly) -> Option<i128> {
    let (d, b) = (d.as_integer()?, b.as_integer()?);
    (b > 0 && d > 0 && d % b == 0).then(|| d / b)
}

/// A constant above one that divides `b` and every term of `rest` but the constant one; else one.
fn common_factor(rest: &Poly, b: &Poly) -> i128 {
    if b.denominator() != 1 || rest.denominator() != 1 {
        return 1;
    }
    gcd(rest.content(), b.full_content()).max(1)
}

pub(crate) fn bit_length(value: i128) -> i128 {
    i128::from(128 - value.max(0).leading_zeros())
}

pub(crate) fn bitwise(operation: Bitwise, a: i128, b: i128) -> i128 {
    match operation {
        Bitwise::And => a & b,
        Bitwise::Or => a | b,
        Bitwise::Xor => a ^ b,
    }
}

/// Reading one atom of a polynomial with a constant coefficient.
pub(crate) fn constant_coefficient(p: &Poly, id: AtomId) -> Option<(i128, Poly)> {
    let (coefficient, rest) = p.linear_in(id)?;
    Some((coefficient.as_integer()?, rest))
}

#[cfg(test)]
mod tests;
