//! Minima, maxima and indicators in addresses and conditions, resolved where the variables decide them.
//!
//! Clamped coordinates (`clamp(x + dx, 0, width - 1)`) are linear everywhere but near the border. A
//! part is cut along one variable into the values for which one side holds for all lanes and all other
//! variables, the values for which the other does, and the few in between.

use rustc_hash::FxHashMap;

use crate::arena::Atom;
use crate::concrete::ConcretePart;
use crate::poly::{AtomId, Poly};
use crate::program::Program;

/// Variables with fewer values are enumerated anyway.
const WORTH_CUTTING: i128 = 4;
/// Pieces of one part at most.
const PIECES: usize = 256;

/// Numbers above this are not cut at.
const LARGEST: i128 = 1 << 96;

/// A minimum, maximum or indicator and the variable to cut along.
struct Cut {
    atom: AtomId,
    /// The side that holds where `b - a ≥ 0`, and the other one.
    sides: (Poly, Poly),
    variable: usize,
    /// Values from which on, and up to which, `b - a ≥ 0` for everything else; then likewise for
    /// `b - a ≤ 0`, or `< 0` for an indicator. Half-open ranges.
    first: (i128, i128),
    second: (i128, i128),
}

impl Program {
    /// Cuts a part until no minimum or maximum depends on a variable with many values, as far as that
    /// goes.
    pub(crate) fn pieces(&mut self, part: ConcretePart) -> Vec<ConcretePart> {
        let mut pieces = Vec::new();
        let mut open = vec![part];
        while let Some(part) = open.pop() {
            let room = PIECES.saturating_sub(pieces.len() + open.len());
            match self.cut(&part, room) {
                Some(cut) => open.extend(self.apply(&part, &cut)),
                None => pieces.push(part),
            }
        }
        pieces
    }

    /// A cut into at most so many pieces.
    fn cut(&self, part: &ConcretePart, room: usize) -> Option<Cut> {
        if room == 0 {
            return None;
        }
        let mut extrema = Vec::new();
        for poly in part.polys() {
            self.arena.for_each_atom(poly, &mut |id| {
                let atom = self.arena.atom(id);
                if matches!(
                    atom,
                    Some(Atom::Min(..) | Atom::Max(..) | Atom::NonNegative(_))
                ) {
                    extrema.push(id);
                }
            });
        }
        let mut extrema = extrema.into_iter();
        extrema.find_map(|atom| self.cut_at(part, atom, room))
    }

    fn cut_at(&self, part: &ConcretePart, atom: AtomId, room: usize) -> Option<Cut> {
        let (difference, sides, strictly) = match self.arena.atom(atom)? {
            Atom::Min(a, b) => (b.sub(a), (a.clone(), b.clone()), 0),
            Atom::Max(a, b) => (b.sub(a), (b.clone(), a.clone()), 0),
            Atom::NonNegative(p) => (p.clone(), (Poly::one(), Poly::zero()), 1),
            _ => return None,
        };
        (0..part.variables.len()).find_map(|variable| {
            let (symbol, range) = part.variables[variable];
            let (c, rest) = difference.linear_in(symbol)?;
            let c = c.as_integer().filter(|&c| c != 0)?;
            if range < WORTH_CUTTING || self.arena.mentions(&rest, symbol) {
                return None;
            }
            let high = self.greatest_at(&rest, part)?;
            let low = self.greatest_at(&rest.neg(), part)?.checked_neg()?;
            if c.checked_abs()? > LARGEST || low < -LARGEST || high > LARGEST {
                return None;
            }
            let clip = |value: i128| value.clamp(0, range);
            // c v + rest ≥ 0 for every rest, and ≤ 0 (or < 0) for every rest
            let high = high + strictly;
            let (first, second) = if c > 0 {
                let from = clip(-(low.div_euclid(c)));
                let to = clip((-high).div_euclid(c) + 1);
                ((from, range), (0, to.min(from)))
            } else {
                let to = clip(low.div_euclid(-c) + 1);
                let from = clip(-((-high).div_euclid(-c)));
                ((0, to), (from.max(to), range))
            };
            let decided = (first.1 - first.0).max(0) + (second.1 - second.0).max(0);
            let pieces =
                usize::try_from(range - decided).map_or(usize::MAX, |n| n.saturating_add(2));
            (decided * 2 > range && pieces <= room.saturating_add(1)).then(|| Cut {
                atom,
                sides: sides.clone(),
                variable,
                first,
                second,
            })
        })
    }

    fn apply(&mut self, part: &ConcretePart, cut: &Cut) -> Vec<ConcretePart> {
        let range = part.variables[cut.variable].1;
        let mut pieces = Vec::new();
        for ((from, to), side) in [(cut.first, &cut.sides.0), (cut.second, &cut.sides.1)] {
            if from < to {
                let mut with = FxHashMap::default();
                with.insert(cut.atom, side.clone());
                let decided = self.rewritten(part, &with);
                pieces.push(self.restricted(&decided, cut.variable, from, to));
            }
        }
        let (ends, starts) = if cut.first.0 == 0 && cut.first.1 < range {
            (cut.first.1, cut.second.0)
        } else {
            (cut.second.1, cut.first.0)
        };
        if ends < starts {
            for value in ends..starts {
                pieces.push(self.restricted(part, cut.variable, value, value + 1));
            }
        }
        pieces
    }

    /// The part with a variable's values limited to a half-open range, counted from zero again.
    pub(crate) fn restricted(
        &mut self,
        part: &ConcretePart,
        variable: usize,
        from: i128,
        to: i128,
    ) -> ConcretePart {
        let (symbol, _) = part.variables[variable];
        let value = if to - from == 1 {
            Poly::integer(from)
        } else {
            Poly::atom(symbol).add_integer(from)
        };
        let mut with = FxHashMap::default();
        with.insert(symbol, value);
        let mut restricted = if from == 0 && to - from > 1 {
            part.clone()
        } else {
            self.rewritten(part, &with)
        };
        restricted.variables[variable].1 = to - from;
        self.drop_settled(&mut restricted);
        restricted
    }

    fn rewritten(&mut self, part: &ConcretePart, with: &FxHashMap<AtomId, Poly>) -> ConcretePart {
        let mut rewritten = part.clone();
        for poly in rewritten.polys_mut() {
            *poly = self.arena.substitute(poly, with);
        }
        rewritten
    }
}
