//! What is asked often of an atom: the symbols in it, how uniform it is, its constant bounds.
//!
//! Facts are settled when an atom is made, from those of its operands. A symbol's kind and uniformity
//! never change; an upper bound that a symbol gets later ([`Arena::limit`]) leaves the facts of atoms
//! that already mention it as they were, which is weaker but true.

use smallvec::SmallVec;

use crate::arena::{Arena, Atom, Symbol, SymbolKind, Uniformity};
use crate::interval::Interval;
use crate::poly::{AtomId, Monomial, Poly};
use crate::samples::Samples;

/// Facts about one atom.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    /// Symbols that occur in it, sorted; not the variable of a sum.
    symbols: SmallVec<[AtomId; 4]>,
    /// One bit for each symbol, by its index modulo 64.
    mask: u64,
    /// How widely the value is the same.
    pub(crate) uniformity: Uniformity,
    /// Whether a symbol depends on data.
    pub(crate) data: bool,
    /// Whether a symbol is a fraction of lanes.
    pub(crate) fraction: bool,
    /// Whether a sum is left in it.
    pub(crate) sum: bool,
    /// Atoms in it when it is written out, saturating.
    pub(crate) weight: u32,
    /// Bounds of its value.
    pub(crate) range: Interval,
    /// Its value at a few assignments of symbols.
    pub(crate) samples: Samples,
}

fn bit(symbol: AtomId) -> u64 {
    1 << (symbol.index() % 64)
}

impl Facts {
    pub(crate) fn mentions(&self, symbol: AtomId) -> bool {
        self.mask & bit(symbol) != 0 && self.symbols.binary_search(&symbol).is_ok()
    }
}

impl Arena {
    /// A set that holds each of the symbols, and may hold others.
    pub(crate) fn mask(symbols: impl Iterator<Item = AtomId>) -> u64 {
        symbols.fold(0, |mask, symbol| mask | bit(symbol))
    }

    /// Whether the atom may be or mention one of the symbols of a mask.
    pub(crate) fn may_mention(&self, id: AtomId, mask: u64) -> bool {
        self.facts(id).is_some_and(|facts| facts.mask & mask != 0)
    }

    pub(crate) fn facts_of(&self, id: AtomId, atom: &Atom) -> Facts {
        let mut facts = Facts {
            symbols: SmallVec::new(),
            mask: 0,
            uniformity: Uniformity::Launch,
            data: false,
            fraction: false,
            sum: false,
            weight: 1,
            range: self.atom_interval(atom),
            samples: self.atom_samples(id, atom),
        };
        if let Some(symbol) = self.symbol_at(atom) {
            facts.symbols.push(id);
            facts.mask = bit(id);
            facts.uniformity = symbol.uniformity;
            facts.data = symbol.kind == SymbolKind::Data;
            facts.fraction = symbol.kind == SymbolKind::Taken;
            return facts;
        }
        atom.for_each_operand(|operand| {
            for part in operand.atoms().filter_map(|id| self.facts(id)) {
                facts.symbols.extend_from_slice(&part.symbols);
                facts.data |= part.data;
                facts.fraction |= part.fraction;
                facts.sum |= part.sum;
                facts.weight = facts.weight.saturating_add(part.weight);
            }
        });
        facts.symbols.sort_unstable();
        facts.symbols.dedup();
        if let Atom::Sum { variable, .. } = atom {
            facts.symbols.retain(|symbol| symbol != variable);
            facts.sum = true;
        }
        for &symbol in &facts.symbols {
            facts.mask |= bit(symbol);
            if let Some(symbol) = self.facts(symbol) {
                facts.uniformity = facts.uniformity.min(symbol.uniformity);
            }
        }
        facts
    }

    /// Whether the symbol occurs anywhere in the polynomial.
    pub fn mentions(&self, poly: &Poly, symbol: AtomId) -> bool {
        poly.atoms().any(|id| self.atom_mentions(id, symbol))
    }

    /// Whether the symbol occurs anywhere in the atom.
    pub(crate) fn atom_mentions(&self, id: AtomId, symbol: AtomId) -> bool {
        self.facts(id).is_some_and(|facts| facts.mentions(symbol))
    }

    /// How widely the value of the polynomial is the same: as widely as its least uniform symbol.
    pub fn uniformity(&self, poly: &Poly) -> Uniformity {
        let facts = poly.atoms().filter_map(|id| self.facts(id));
        let least = facts.map(|facts| facts.uniformity).min();
        least.unwrap_or(Uniformity::Launch)
    }

    /// Whether the polynomial mentions a value that depends on data, or left 128 bits.
    pub(crate) fn depends_on_data(&self, poly: &Poly) -> bool {
        poly.atoms()
            .any(|id| self.facts(id).is_none_or(|facts| facts.data))
    }

    /// Whether the polynomial mentions a fraction of lanes.
    pub(crate) fn has_fraction(&self, poly: &Poly) -> bool {
        poly.atoms()
            .any(|id| self.facts(id).is_some_and(|facts| facts.fraction))
    }

    /// Whether a sum is left in the polynomial, or it left 128 bits.
    pub(crate) fn has_sum(&self, poly: &Poly) -> bool {
        poly.atoms()
            .any(|id| self.facts(id).is_none_or(|facts| facts.sum))
    }

    /// Calls `visit` with every symbol that the polynomial mentions, possibly several times.
    pub(crate) fn for_each_symbol(&self, poly: &Poly, mut visit: impl FnMut(AtomId, &Symbol)) {
        let facts = poly.atoms().filter_map(|id| self.facts(id));
        for &id in facts.flat_map(|facts| &facts.symbols) {
            if let Some(symbol) = self.symbol(id) {
                visit(id, symbol);
            }
        }
    }

    /// Atoms of the polynomial when it is written out, saturating.
    pub(crate) fn weight(&self, poly: &Poly) -> u32 {
        let monomials = poly.terms().iter().map(|(monomial, _)| monomial);
        monomials.fold(0, |sum: u32, monomial| {
            sum.saturating_add(self.monomial_weight(monomial))
        })
    }

    /// Atoms of the monomial when it is written out, saturating.
    pub(crate) fn monomial_weight(&self, monomial: &Monomial) -> u32 {
        let weights = monomial.iter().filter_map(|&(id, _)| self.facts(id));
        weights.fold(0, |sum: u32, facts| sum.saturating_add(facts.weight))
    }
}
