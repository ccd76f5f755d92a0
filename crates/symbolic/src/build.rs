//! Constructors that simplify: quotients, remainders, minima, indicators, powers.
//!
//! Each returns a polynomial that equals the operation for all whole values of its symbols, and
//! makes an atom only for what does not simplify.

use crate::arena::{Arena, Atom, Bitwise};
use crate::poly::Poly;

impl Arena {
    fn make(&mut self, atom: Atom) -> Poly {
        Poly::atom(self.intern(atom))
    }

    /// `floor(a / b)` for `b > 0`.
    pub fn floor_div(&mut self, a: &Poly, b: &Poly) -> Poly {
        if b.as_integer() == Some(1) && a.denominator() == 1 {
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
        if self.is_nonnegative(&rest) && self.is_at_most(&rest, &b.add_integer(-1)) {
            return quotient;
        }
        if let Some(id) = rest.as_atom()
            && let Some(Atom::FloorDiv(c, d)) = self.atom(id).cloned()
        {
            let inner = self.floor_div(&c, &d.mul(b));
            return quotient.add(&inner);
        }
        let atom = self.reduced_quotient(&rest, b);
        quotient.add(&atom)
    }

    /// `floor(rest / b)` with common constant factors removed: `floor((4 x + 3) / 8)` is
    /// `floor(x / 2)`.
    fn reduced_quotient(&mut self, rest: &Poly, b: &Poly) -> Poly {
        let factor =
            crate::ratio::gcd(rest.content(), b.content().max(b.as_integer().unwrap_or(0)));
        let whole = b.denominator() == 1 && rest.denominator() == 1;
        let constant = b
            .terms()
            .iter()
            .all(|(_, c)| factor != 0 && c % factor == 0);
        if factor > 1 && whole && constant {
            let offset = rest.constant_term().rem_euclid(factor);
            let a = rest.add_integer(-offset).divide_by(factor);
            let b = b.divide_by(factor);
            return self.floor_div(&a, &b);
        }
        self.make(Atom::FloorDiv(rest.clone(), b.clone()))
    }

    /// `ceil(a / b)` for `b > 0`.
    pub fn ceil_div(&mut self, a: &Poly, b: &Poly) -> Poly {
        self.floor_div(&a.add(b).add_integer(-1), b)
    }

    /// `a - b × floor(a / b)` for `b > 0`.
    pub fn modulo(&mut self, a: &Poly, b: &Poly) -> Poly {
        if let (Some(x), Some(y)) = (a.as_integer(), b.as_integer())
            && y > 0
        {
            return Poly::integer(x.rem_euclid(y));
        }
        let Some((_, rest)) = a.split_multiples(b) else {
            return self.make(Atom::Mod(a.clone(), b.clone()));
        };
        if self.is_nonnegative(&rest) && self.is_at_most(&rest, &b.add_integer(-1)) {
            return rest;
        }
        self.make(Atom::Mod(rest, b.clone()))
    }

    /// The lesser.
    pub fn min(&mut self, a: &Poly, b: &Poly) -> Poly {
        if self.is_at_most(a, b) {
            return a.clone();
        }
        if self.is_at_most(b, a) {
            return b.clone();
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.make(Atom::Min(a.clone(), b.clone()))
    }

    /// The greater.
    pub fn max(&mut self, a: &Poly, b: &Poly) -> Poly {
        if self.is_at_most(a, b) {
            return b.clone();
        }
        if self.is_at_most(b, a) {
            return a.clone();
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.make(Atom::Max(a.clone(), b.clone()))
    }

    /// 1 where `p ≥ 0`, else 0.
    pub fn nonnegative(&mut self, p: &Poly) -> Poly {
        let normal = match self.normal_inequality(p) {
            Ok(normal) => normal,
            Err(value) => return value,
        };
        self.make(Atom::NonNegative(normal))
    }

    fn normal_inequality(&mut self, p: &Poly) -> Result<Poly, Poly> {
        let mut p = p.clone();
        loop {
            if p.denominator() != 1 {
                p = p.scale(p.denominator());
            }
            if self.is_nonnegative(&p) {
                return Err(Poly::one());
            }
            if self.is_nonnegative(&p.neg().add_integer(-1)) {
                return Err(Poly::zero());
            }
            let content = p.content();
            if content > 1 {
                let offset = p.constant_term().rem_euclid(content);
                p = p.add_integer(-offset).divide_by(content);
            }
            match self.without_quotient(&p) {
                Some(next) => p = next,
                None => return Ok(p),
            }
        }
    }

    /// Rewrites `floor(a / b) + r ≥ 0` to `a + r b ≥ 0` and `r - floor(a / b) ≥ 0` to
    /// `(r + 1) b - a - 1 ≥ 0`.
    fn without_quotient(&self, p: &Poly) -> Option<Poly> {
        for id in p.atoms() {
            let Some(Atom::FloorDiv(a, b)) = self.atom(id) else {
                continue;
            };
            if a.denominator() != 1 || b.denominator() != 1 || !self.is_positive(b) {
                continue;
            }
            let Some((coefficient, rest)) = p.linear_in(id) else {
                continue;
            };
            match coefficient.as_integer() {
                Some(1) => return Some(a.add(&rest.mul(b))),
                Some(-1) => return Some(rest.add_integer(1).mul(b).sub(a).add_integer(-1)),
                _ => {}
            }
        }
        None
    }

    /// Whether `p > 0` is proved, or `p` is a lone symbol that divides: divisors are taken to be
    /// positive wherever they divide.
    fn is_positive(&self, p: &Poly) -> bool {
        self.is_nonnegative(&p.add_integer(-1))
            || (self.is_nonnegative(p) && p.as_integer().is_none())
    }

    /// 1 where `p = 0`, else 0.
    pub fn zero(&mut self, p: &Poly) -> Poly {
        let mut p = if p.denominator() == 1 {
            p.clone()
        } else {
            p.scale(p.denominator())
        };
        if p.is_zero() {
            return Poly::one();
        }
        let positive = self.is_nonnegative(&p.add_integer(-1));
        if positive || self.is_nonnegative(&p.neg().add_integer(-1)) {
            return Poly::zero();
        }
        let content = p.content();
        if content > 1 {
            if p.constant_term() % content != 0 {
                return Poly::zero();
            }
            p = p.divide_by(content);
        }
        if self.is_nonnegative(&p) {
            return self.nonnegative(&p.neg());
        }
        if self.is_nonnegative(&p.neg()) {
            return self.nonnegative(&p);
        }
        let negated = p.neg();
        let p = if p <= negated { p } else { negated };
        self.make(Atom::Zero(p))
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
        match p.as_integer() {
            Some(value) => Poly::integer(bit_length(value)),
            None => self.make(Atom::BitLength(p.clone())),
        }
    }

    /// A bitwise operation on whole numbers.
    pub fn bitwise(&mut self, operation: Bitwise, a: &Poly, b: &Poly) -> Poly {
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
            // x & (2^k - 1) is x mod 2^k, in two's complement also for negative x
            (Bitwise::And, Some(mask)) if mask > 0 && (mask + 1) & mask == 0 => {
                return self.modulo(a, &Poly::integer(mask + 1));
            }
            _ => {}
        }
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        self.make(Atom::Bitwise(operation, a.clone(), b.clone()))
    }

    /// `accept` where the indicator is 1, `reject` where it is 0.
    pub fn choose(&mut self, indicator: &Poly, accept: &Poly, reject: &Poly) -> Poly {
        reject.add(&indicator.mul(&accept.sub(reject)))
    }
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
