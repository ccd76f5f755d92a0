//! Symbols and interned atoms.
//!
//! [`Arena`] owns every atom; polynomials refer to atoms by id. Constructors that simplify are in
//! `build`, proofs about ranges in `range`. What is asked often of an
//! atom (`facts`) is settled when it is made, so that no question walks through atoms
//! within atoms.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::facts::Facts;
use crate::poly::{AtomId, Monomial, Poly};
use crate::range::Proofs;
use crate::sum::Variable;

/// How widely a value is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Uniformity {
    /// Differs between lanes.
    Lane,
    /// Same within a SIMD group.
    SimdGroup,
    /// Same within a workgroup.
    Workgroup,
    /// Same in the whole launch.
    Launch,
}

/// What a symbol stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A parameter, by its path (`d.K`).
    Parameter,
    /// An override.
    Override,
    /// Elements of a runtime-sized array.
    Length,
    /// Workgroups along an axis.
    WorkgroupCount(u8),
    /// Local invocation id along an axis.
    LocalId(u8),
    /// Workgroup id along an axis.
    WorkgroupId(u8),
    /// The iteration of a loop, from zero.
    Iteration,
    /// Mean trips of a data-dependent loop.
    Trips,
    /// Fraction of lanes that take a data-dependent branch.
    Taken,
    /// A value that depends on data.
    Data,
    /// A variable of a sum, made while formulas are simplified.
    Summation,
}

/// A symbol.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Name in formulas.
    pub name: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// How widely it is the same.
    pub uniformity: Uniformity,
    /// A lower bound, if one is known.
    pub least: Option<i128>,
    /// An upper bound, if one is known.
    pub greatest: Option<Poly>,
}

/// Bitwise operations on whole numbers, which stay opaque in formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bitwise {
    /// And.
    And,
    /// Inclusive or.
    Or,
    /// Exclusive or.
    Xor,
}

/// An atom: what polynomials are made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Atom {
    /// The symbol with this index.
    Symbol(u32),
    /// `floor(a / b)`, for `b > 0`.
    FloorDiv(Poly, Poly),
    /// `a - b × floor(a / b)`, for `b > 0`.
    Mod(Poly, Poly),
    /// The lesser.
    Min(Poly, Poly),
    /// The greater.
    Max(Poly, Poly),
    /// 1 where the polynomial is at least zero, else 0.
    NonNegative(Poly),
    /// 1 where the polynomial is zero, else 0.
    Zero(Poly),
    /// 1 less an indicator (or a fraction), kept whole so that products of complements do not double
    /// with each factor.
    Not(Poly),
    /// `2 ^ p`, for `p ≥ 0`.
    PowerOfTwo(Poly),
    /// The number of bits of a whole number: `floor(log2(p)) + 1`, and 0 for `p ≤ 0`.
    BitLength(Poly),
    /// A bitwise operation.
    Bitwise(Bitwise, Poly, Poly),
    /// `Σ body` over the variable from 0 to `count - 1`.
    Sum {
        /// Index of the variable's symbol.
        variable: AtomId,
        /// Number of values.
        count: Poly,
        /// Summand.
        body: Poly,
    },
}

/// Symbols and atoms.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    symbols: Vec<Symbol>,
    atoms: Vec<Atom>,
    facts: Vec<Facts>,
    ids: FxHashMap<Atom, AtomId>,
    names: FxHashMap<(String, SymbolKind), AtomId>,
    /// Proofs that were looked for before.
    pub(crate) proofs: Proofs,
    /// Sums that were found before.
    pub(crate) sums: FxHashMap<(Vec<Variable>, Monomial), Poly>,
    /// What stands for a variable without a count in a sum.
    pub(crate) twins: FxHashMap<AtomId, AtomId>,
    /// What counts so many SIMD groups of a workgroup.
    pub(crate) simd_groups: FxHashMap<u32, AtomId>,
    /// By the variables that were replaced by their twins: atoms in which they were before.
    pub(crate) with_twins: FxHashMap<Vec<AtomId>, FxHashMap<AtomId, Poly>>,
    /// Upper bounds that were given to symbols after they were made.
    limits: usize,
    /// Monomials that sums have passed through.
    pub(crate) summed: u32,
    /// Monomials that they may pass through.
    pub(crate) summable: Option<u32>,
}

impl Arena {
    /// Interns an atom as it is.
    pub(crate) fn intern(&mut self, atom: Atom) -> AtomId {
        if let Some(&id) = self.ids.get(&atom) {
            return id;
        }
        let idempotent = match &atom {
            Atom::NonNegative(_) | Atom::Zero(_) | Atom::Not(_) => true,
            Atom::Symbol(index) => self.symbols[*index as usize].kind == SymbolKind::Taken,
            _ => false,
        };
        let id = AtomId::new(self.atoms.len(), idempotent);
        let facts = self.facts_of(id, &atom);
        self.facts.push(facts);
        self.atoms.push(atom.clone());
        self.ids.insert(atom, id);
        id
    }

    /// The atom with this id; `None` for the overflow atom.
    pub fn atom(&self, id: AtomId) -> Option<&Atom> {
        self.atoms.get(id.index())
    }

    /// What is known of an atom; `None` for the overflow atom.
    pub(crate) fn facts(&self, id: AtomId) -> Option<&Facts> {
        self.facts.get(id.index())
    }

    /// Number of atoms so far: later atoms have greater indices.
    pub(crate) fn mark(&self) -> usize {
        self.atoms.len()
    }

    /// A new symbol, distinct from all others.
    pub fn fresh(&mut self, symbol: Symbol) -> AtomId {
        let index = u32::try_from(self.symbols.len()).unwrap_or(u32::MAX);
        self.symbols.push(symbol);
        self.intern(Atom::Symbol(index))
    }

    /// The symbol of this name and kind, made on first use.
    pub fn named(&mut self, symbol: Symbol) -> AtomId {
        let key = (symbol.name.clone(), symbol.kind.clone());
        if let Some(&id) = self.names.get(&key) {
            return id;
        }
        let id = self.fresh(symbol);
        self.names.insert(key, id);
        id
    }

    /// The symbol behind an atom, if it is one.
    pub fn symbol(&self, id: AtomId) -> Option<&Symbol> {
        self.symbol_at(self.atom(id)?)
    }

    pub(crate) fn symbol_at(&self, atom: &Atom) -> Option<&Symbol> {
        match atom {
            Atom::Symbol(index) => self.symbols.get(*index as usize),
            _ => None,
        }
    }

    /// Number of upper bounds that were given so far: what was found before may be found differently
    /// once there are more.
    pub(crate) fn limits(&self) -> usize {
        self.limits
    }

    /// Gives a symbol an upper bound. What was simplified before does not know of it.
    pub(crate) fn limit(&mut self, id: AtomId, greatest: Poly) {
        let Some(Atom::Symbol(index)) = self.atoms.get(id.index()) else {
            return;
        };
        let index = *index as usize;
        let high = self.greatest(&greatest);
        self.limits += 1;
        self.symbols[index].greatest = Some(greatest);
        if let Some(facts) = self.facts.get_mut(id.index()) {
            facts.range.high = high;
        }
    }

    /// Calls `visit` with every atom in the polynomial, those inside of atoms included, at least
    /// once.
    pub fn for_each_atom(&self, poly: &Poly, visit: &mut impl FnMut(AtomId)) {
        let mut seen = FxHashSet::default();
        let mut rest: SmallVec<[AtomId; 16]> = poly.atoms().collect();
        while let Some(id) = rest.pop() {
            let atom = self.atom(id);
            if let None | Some(Atom::Symbol(_)) = atom {
                visit(id);
            } else if seen.insert(id) {
                visit(id);
                if let Some(atom) = atom {
                    atom.for_each_operand(|operand| rest.extend(operand.atoms()));
                }
            }
        }
    }
}

impl Atom {
    /// Calls `visit` with every polynomial that the atom is made of.
    pub(crate) fn for_each_operand<'a>(&'a self, mut visit: impl FnMut(&'a Poly)) {
        match self {
            Atom::Symbol(_) => {}
            Atom::FloorDiv(a, b)
            | Atom::Mod(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Bitwise(_, a, b) => {
                visit(a);
                visit(b);
            }
            Atom::NonNegative(a)
            | Atom::Zero(a)
            | Atom::Not(a)
            | Atom::PowerOfTwo(a)
            | Atom::BitLength(a) => visit(a),
            Atom::Sum { count, body, .. } => {
                visit(count);
                visit(body);
            }
        }
    }
}
