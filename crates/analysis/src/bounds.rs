//! Bounds of counts that data decide: fractions of lanes lie from 0 to 1, and trips from 0 on.
//!
//! A count is a sum of products in which each fraction occurs once at most, so that over all fractions
//! it is least and greatest at a corner, where each is 0 or 1. It never falls as trips rise. Where a
//! formula is not of that kind, nothing is known but that a count is not negative. Start at
//! [`Range::of`].

use cresta_symbolic::arena::{Arena, Atom, SymbolKind};
use cresta_symbolic::poly::{AtomId, Poly};
use cresta_symbolic::program::Program;
use cresta_symbolic::ratio::Ratio;

use crate::values::Bindings;

/// Fractions whose corners are visited at most.
const FRACTIONS: usize = 8;

/// The least and the greatest value of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) lower: f64,
    /// `None` where nothing bounds it.
    pub(crate) upper: Option<f64>,
}

/// Nothing is known but that it is a count.
const ANY: Range = Range {
    lower: 0.0,
    upper: None,
};

/// Whether a symbol is a fraction or trips, which data decide.
pub(crate) fn is_of_data(arena: &Arena, symbol: AtomId) -> bool {
    let kind = arena.symbol(symbol).map(|symbol| &symbol.kind);
    matches!(kind, Some(SymbolKind::Taken | SymbolKind::Trips))
}

impl Range {
    /// The range of a count over all values of `free`, which data decide; `None` where something else
    /// has no value in `bindings`.
    pub(crate) fn of(
        bindings: &Bindings,
        program: &Program,
        poly: &Poly,
        free: &[AtomId],
    ) -> Option<Range> {
        let (arena, known) = (&program.arena, &bindings.known);
        let within = |symbol: &&AtomId| arena.mentions(poly, **symbol);
        let free: Vec<AtomId> = free.iter().filter(within).copied().collect();
        let (fractions, trips): (Vec<AtomId>, Vec<AtomId>) = free
            .iter()
            .partition(|&&symbol| is_kind(arena, symbol, &SymbolKind::Taken));
        let mut least = known.clone();
        for &symbol in fractions.iter().chain(&trips) {
            least.insert(symbol, Ratio::ZERO);
        }
        let at_least = bindings.evaluate(program, poly, &least)?;
        if free.is_empty() {
            let value = at_least.to_f64();
            return Some(Range {
                lower: value.max(0.0),
                upper: Some(value),
            });
        }
        if fractions.len() > FRACTIONS || !is_linear_in_each(arena, poly, &fractions) {
            return Some(ANY);
        }
        let mut most = least.clone();
        let mut bounded = true;
        for &symbol in &trips {
            match most_trips(bindings, program, symbol) {
                Some(bound) => {
                    most.insert(symbol, bound);
                }
                None => bounded = false,
            }
        }
        let mut range = (at_least, bounded.then_some(at_least));
        for corner in 0..1_u32 << fractions.len() {
            for (index, &symbol) in fractions.iter().enumerate() {
                let value = Ratio::integer(i128::from(corner >> index & 1));
                least.insert(symbol, value);
                most.insert(symbol, value);
            }
            range.0 = range.0.min(bindings.evaluate(program, poly, &least)?);
            if let Some(greatest) = range.1 {
                range.1 = Some(greatest.max(bindings.evaluate(program, poly, &most)?));
            }
        }
        Some(Range {
            lower: range.0.to_f64().max(0.0),
            upper: range.1.map(Ratio::to_f64),
        })
    }
}

fn is_kind(arena: &Arena, symbol: AtomId, kind: &SymbolKind) -> bool {
    arena.symbol(symbol).is_some_and(|of| of.kind == *kind)
}

/// The most trips that a data-dependent loop's other exits allow.
fn most_trips(bindings: &Bindings, program: &Program, trips: AtomId) -> Option<Ratio> {
    let name = &program.arena.symbol(trips)?.name;
    let mut loops = program.loops.iter();
    let summary = loops.find(|summary| summary.unknown.as_ref() == Some(name))?;
    bindings.evaluate(program, summary.most.as_ref()?, &bindings.known)
}

/// Whether no product holds a symbol twice, and each occurs by itself, in a complement or in a sum.
fn is_linear_in_each(arena: &Arena, poly: &Poly, symbols: &[AtomId]) -> bool {
    poly.terms().iter().all(|(monomial, _)| {
        symbols.iter().all(|&symbol| {
            let alone = Poly::atom;
            let mut factors = monomial
                .iter()
                .filter(|&&(atom, _)| arena.mentions(&alone(atom), symbol));
            match (factors.next(), factors.next()) {
                (None, _) => true,
                (Some(&(atom, 1)), None) => match arena.atom(atom) {
                    Some(Atom::Symbol(_)) => true,
                    Some(Atom::Not(inner)) => is_linear_in_each(arena, inner, &[symbol]),
                    Some(Atom::Sum { count, body, .. }) => {
                        !arena.mentions(count, symbol) && is_linear_in_each(arena, body, &[symbol])
                    }
                    _ => false,
                },
                _ => false,
            }
        })
    })
}
