//! Substitution.

use rustc_hash::FxHashMap;

use crate::arena::{Arena, Atom};
use crate::poly::{AtomId, Monomial, Poly};
use crate::ratio::Ratio;

/// Values of symbols.
pub type Values = FxHashMap<AtomId, Ratio>;

/// One substitution: what replaces symbols and atoms, and atoms that were rewritten already.
struct Substitution<'a> {
    arena: &'a mut Arena,
    with: &'a FxHashMap<AtomId, Poly>,
    done: FxHashMap<AtomId, Poly>,
    /// Whether only symbols are replaced, and then which they may be (see [`Arena::mask`]).
    symbols_only: bool,
    mask: u64,
}

impl Arena {
    /// Replaces symbols, or other atoms, by polynomials, everywhere, and simplifies again.
    pub fn substitute(&mut self, poly: &Poly, with: &FxHashMap<AtomId, Poly>) -> Poly {
        Substitution::new(self, with, FxHashMap::default()).poly(poly)
    }

    /// Replaces symbols by polynomials, with what was rewritten before by the same replacements.
    pub(crate) fn substitute_again(
        &mut self,
        poly: &Poly,
        with: &FxHashMap<AtomId, Poly>,
        done: &mut FxHashMap<AtomId, Poly>,
    ) -> Poly {
        let mut substitution = Substitution::new(self, with, std::mem::take(done));
        let replaced = substitution.poly(poly);
        *done = substitution.done;
        replaced
    }

    /// Replaces one symbol.
    pub fn replace(&mut self, poly: &Poly, symbol: AtomId, by: &Poly) -> Poly {
        if !self.mentions(poly, symbol) {
            return poly.clone();
        }
        let mut with = FxHashMap::default();
        with.insert(symbol, by.clone());
        self.substitute(poly, &with)
    }

    /// `Σ body` over a variable from 0 to `count - 1`, left as it is if the body mentions it.
    pub(crate) fn plain_sum(&mut self, variable: AtomId, count: &Poly, body: &Poly) -> Poly {
        if !self.mentions(body, variable) {
            let count = self.max(count, &Poly::zero());
            return body.mul(&count);
        }
        if self.is_nonnegative(&count.neg()) {
            return Poly::zero();
        }
        self.make(Atom::Sum {
            variable,
            count: count.clone(),
            body: body.clone(),
        })
    }
}

impl<'a> Substitution<'a> {
    fn new(
        arena: &'a mut Arena,
        with: &'a FxHashMap<AtomId, Poly>,
        done: FxHashMap<AtomId, Poly>,
    ) -> Self {
        Substitution {
            symbols_only: with.keys().all(|&key| arena.symbol(key).is_some()),
            mask: Arena::mask(with.keys().copied()),
            arena,
            with,
            done,
        }
    }

    fn touches(&self, id: AtomId) -> bool {
        if !self.symbols_only {
            return self.touches_within(id);
        }
        let mut keys = self.with.keys();
        self.arena.may_mention(id, self.mask)
            && keys.any(|&key| key == id || self.arena.atom_mentions(id, key))
    }

    /// The same where other atoms than symbols are replaced.
    fn touches_within(&self, id: AtomId) -> bool {
        let mut found = false;
        let whole = Poly::atom(id);
        self.arena
            .for_each_atom(&whole, &mut |inner| found |= self.with.contains_key(&inner));
        found
    }

    fn poly(&mut self, poly: &Poly) -> Poly {
        let is_kept = |monomial: &Monomial| !monomial.iter().any(|&(id, _)| self.touches(id));
        let kept = poly.with_terms(is_kept);
        if kept.terms().len() == poly.terms().len() {
            return poly.clone();
        }
        let changed = poly.with_terms(|monomial| !is_kept(monomial));
        let mut sum = Poly::zero();
        for (monomial, coefficient) in changed.terms() {
            let (touched, rest): (Monomial, Monomial) = monomial
                .iter()
                .copied()
                .partition(|&(id, _)| self.touches(id));
            let mut product = Poly::monomial(rest).scale(*coefficient);
            for &(atom, power) in &touched {
                let factor = self.atom(atom);
                for _ in 0..power {
                    product = product.mul(&factor);
                }
            }
            sum = sum.add(&product);
        }
        kept.add(&sum.divide_by(changed.denominator()))
    }

    fn atom(&mut self, id: AtomId) -> Poly {
        if let Some(by) = self.with.get(&id) {
            return by.clone();
        }
        if !self.touches(id) {
            return Poly::atom(id);
        }
        if let Some(done) = self.done.get(&id) {
            return done.clone();
        }
        let done = self.rewritten(id);
        self.done.insert(id, done.clone());
        done
    }

    fn rewritten(&mut self, id: AtomId) -> Poly {
        let Some(atom) = self.arena.atom(id).cloned() else {
            return Poly::atom(id);
        };
        let both = |this: &mut Self, a: &Poly, b: &Poly| (this.poly(a), this.poly(b));
        match &atom {
            Atom::Symbol(_) => Poly::atom(id),
            Atom::FloorDiv(a, b) => {
                let (a, b) = both(self, a, b);
                self.arena.floor_div(&a, &b)
            }
            Atom::Mod(a, b) => {
                let (a, b) = both(self, a, b);
                self.arena.modulo(&a, &b)
            }
            Atom::Min(a, b) => {
                let (a, b) = both(self, a, b);
                self.arena.min(&a, &b)
            }
            Atom::Max(a, b) => {
                let (a, b) = both(self, a, b);
                self.arena.max(&a, &b)
            }
            Atom::Bitwise(operation, a, b) => {
                let (a, b) = both(self, a, b);
                self.arena.bitwise(*operation, &a, &b)
            }
            Atom::NonNegative(a) => {
                let a = self.poly(a);
                self.arena.nonnegative(&a)
            }
            Atom::Zero(a) => {
                let a = self.poly(a);
                self.arena.zero(&a)
            }
            Atom::Not(a) => {
                let a = self.poly(a);
                self.arena.complement(&a)
            }
            Atom::PowerOfTwo(a) => {
                let a = self.poly(a);
                self.arena.power_of_two(&a)
            }
            Atom::BitLength(a) => {
                let a = self.poly(a);
                self.arena.bit_length(&a)
            }
            Atom::Sum {
                variable,
                count,
                body,
            } => {
                let (count, body) = both(self, count, body);
                self.arena.plain_sum(*variable, &count, &body)
            }
        }
    }
}
