//! Symbols and interned atoms.
//!
//! [`Arena`] owns every atom; polynomials refer to atoms by id. Constructors that simplify are in
//! [`build`](crate::build), proofs about ranges in [`range`](crate::range).

use rustc_hash::FxHashMap;

use crate::poly::{AtomId, Poly};

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
    ids: FxHashMap<Atom, AtomId>,
    names: FxHashMap<(String, SymbolKind), AtomId>,
}

impl Arena {
    /// Interns an atom as it is.
    pub(crate) fn intern(&mut self, atom: Atom) -> AtomId {
        if let Some(&id) = self.ids.get(&atom) {
            return id;
        }
        let idempotent = match &atom {
            Atom::NonNegative(_) | Atom::Zero(_) => true,
            Atom::Symbol(index) => self.symbols[*index as usize].kind == SymbolKind::Taken,
            _ => false,
        };
        let id = AtomId::new(self.atoms.len(), idempotent);
        self.atoms.push(atom.clone());
        self.ids.insert(atom, id);
        id
    }

    /// The atom with this id; `None` for the overflow atom.
    pub fn atom(&self, id: AtomId) -> Option<&Atom> {
        self.atoms.get(id.index())
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
        match self.atom(id)? {
            Atom::Symbol(index) => self.symbols.get(*index as usize),
            _ => None,
        }
    }

    pub(crate) fn symbol_mut(&mut self, id: AtomId) -> Option<&mut Symbol> {
        match self.atoms.get(id.index())? {
            Atom::Symbol(index) => self.symbols.get_mut(*index as usize),
            _ => None,
        }
    }

    /// Calls `visit` with every atom in the polynomial, those inside of atoms included.
    pub fn for_each_atom(&self, poly: &Poly, visit: &mut impl FnMut(AtomId)) {
        for id in poly.atoms() {
            visit(id);
            match self.atom(id) {
                None | Some(Atom::Symbol(_)) => {}
                Some(
                    Atom::FloorDiv(a, b)
                    | Atom::Mod(a, b)
                    | Atom::Min(a, b)
                    | Atom::Max(a, b)
                    | Atom::Bitwise(_, a, b),
                ) => {
                    self.for_each_atom(a, visit);
                    self.for_each_atom(b, visit);
                }
                Some(
                    Atom::NonNegative(a) | Atom::Zero(a) | Atom::PowerOfTwo(a) | Atom::BitLength(a),
                ) => self.for_each_atom(a, visit),
                Some(Atom::Sum { count, body, .. }) => {
                    self.for_each_atom(count, visit);
                    self.for_each_atom(body, visit);
                }
            }
        }
    }

    /// Whether the atom occurs anywhere in the polynomial.
    pub fn mentions(&self, poly: &Poly, atom: AtomId) -> bool {
        let mut found = false;
        self.for_each_atom(poly, &mut |id| found |= id == atom);
        found
    }

    /// How widely the value of the polynomial is the same: as widely as its least uniform symbol.
    pub fn uniformity(&self, poly: &Poly) -> Uniformity {
        let mut least = Uniformity::Launch;
        self.for_each_atom(poly, &mut |id| {
            if let Some(symbol) = self.symbol(id) {
                least = least.min(symbol.uniformity);
            }
        });
        least
    }
}
