//! Whether a quantity that should never be negative is so for a lane of every launch.
//!
//! Local ids take all of their values, and the first workgroup and iteration always run: at these the
//! quantity is evaluated, whatever the parameters are.

use crate::arena::{Arena, SymbolKind};
use crate::lane_values::LaneValues;
use crate::poly::{AtomId, Monomial, Poly};

use super::state::Walker;

/// Values of lane and iteration symbols that are tried one by one.
const POINTS: i128 = 4096;

/// Whether a quantity that should never be negative is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    /// It never is.
    Enough,
    /// It is for some lane, as far as the conditions around it tell.
    Exceeded,
    /// That depends on parameters.
    Unsure,
}

impl Walker<'_> {
    /// Whether a quantity is negative for some lane.
    pub(super) fn room(&mut self, quantity: &Poly) -> Room {
        if self.program.arena.is_nonnegative(quantity) {
            return Room::Enough;
        }
        let key = (self.program.arena.limits(), quantity.clone());
        let negative = match self.negative.get(&key) {
            Some(&negative) => negative,
            None => {
                let negative = self.is_negative_for_a_lane(quantity);
                self.negative.insert(key, negative);
                negative
            }
        };
        match negative {
            Some(false) => Room::Enough,
            Some(true) if self.is_implied(quantity) => Room::Enough,
            Some(true) => Room::Exceeded,
            None => Room::Unsure,
        }
    }

    /// Whether the quantity is negative for lane, workgroup and iteration values that occur whatever
    /// the parameters are, conditions apart; `None` where that is not seen.
    fn is_negative_for_a_lane(&mut self, quantity: &Poly) -> Option<bool> {
        let symbols = self.symbols(quantity);
        if let Some(negative) = self.is_negative_at_a_point(quantity, &symbols) {
            return Some(negative);
        }
        let is_local = |arena: &Arena, id: &AtomId| {
            let symbol = arena.symbol(*id);
            symbol.is_some_and(|symbol| matches!(symbol.kind, SymbolKind::LocalId(_)))
        };
        let arena = &self.program.arena;
        let (locals, others): (Vec<AtomId>, Vec<AtomId>) =
            symbols.into_iter().partition(|id| is_local(arena, id));
        // the first workgroup and iteration, then those that are seen to be worst
        for first in [true, false] {
            let mut least = quantity.clone();
            for (&id, first) in others
                .iter()
                .map(|id| (id, first))
                .chain(locals.iter().map(|id| (id, false)))
            {
                if locals.first() == Some(&id)
                    && self.is_negative_at_a_point(&least, &locals) == Some(true)
                {
                    return Some(true);
                }
                if let Some(value) = self.lowering(&least, id, first) {
                    least = self.arena().replace(&least, id, &value);
                }
            }
            let high = self.program.arena.interval(&least).high;
            if high.is_some_and(|high| high < 0) {
                return Some(true);
            }
        }
        None
    }

    fn symbols(&self, poly: &Poly) -> Vec<AtomId> {
        let mut symbols = Vec::new();
        let arena = &self.program.arena;
        arena.for_each_symbol(poly, |id, _| symbols.push(id));
        symbols.sort_unstable();
        symbols.dedup();
        symbols
    }

    /// Whether the quantity is negative at one of all values of symbols with constant bounds; `None` where
    /// they are too many.
    fn is_negative_at_a_point(&self, quantity: &Poly, symbols: &[AtomId]) -> Option<bool> {
        let arena = &self.program.arena;
        let mut ranges = Vec::new();
        let mut points: i128 = 1;
        for &id in symbols {
            let symbol = arena.symbol(id)?;
            let most = symbol.greatest.as_ref().and_then(Poly::as_integer);
            match symbol.kind {
                SymbolKind::LocalId(_) => {}
                SymbolKind::Iteration if most.is_some() => {}
                _ => return None,
            }
            let range = arena.interval(&Poly::atom(id)).high?.checked_add(1)?;
            let range = Some(range).filter(|&range| range >= 0)?;
            points = points
                .checked_mul(range)
                .filter(|&points| points <= POINTS)?;
            ranges.push((id, range));
        }
        let is_linear = |monomial: &Monomial| match monomial.as_slice() {
            [] => true,
            [(id, 1)] => symbols.contains(id),
            _ => false,
        };
        if quantity
            .terms()
            .iter()
            .all(|(monomial, _)| is_linear(monomial))
        {
            // each symbol takes the value that lowers it
            return arena.interval(quantity).low.map(|low| low < 0);
        }
        let mut has_other = false;
        arena.for_each_symbol(quantity, |id, _| has_other |= !symbols.contains(&id));
        if has_other {
            return None;
        }
        let points = usize::try_from(points).ok()?;
        let mut values = LaneValues::new(arena, points);
        let mut step = 1;
        for (id, range) in ranges {
            let range = i64::try_from(range).ok()?;
            let mut own = Vec::with_capacity(points);
            while own.len() < points {
                for value in 0..range {
                    own.resize(own.len() + step, value);
                }
            }
            step = own.len().min(step * usize::try_from(range).ok()?);
            values.set(id, own);
        }
        Some(values.poly(quantity)?.iter().any(|&value| value < 0))
    }

    /// Of the values that a lane, workgroup or iteration symbol is sure to take, the one that lowers the
    /// quantity, as far as that is seen; or the `first`.
    fn lowering(&self, quantity: &Poly, id: AtomId, first: bool) -> Option<Poly> {
        let arena = &self.program.arena;
        let symbol = arena.symbol(id)?;
        let greatest = match symbol.kind {
            SymbolKind::LocalId(_) | SymbolKind::WorkgroupId(_) => symbol.greatest.clone(),
            SymbolKind::Iteration => {
                let most = symbol.greatest.clone();
                most.filter(|most| most.as_integer().is_some_and(|most| most >= 0))
            }
            _ => return None,
        };
        let falls = quantity.linear_in(id).is_some_and(|(coefficient, _)| {
            let range = arena.interval(&coefficient);
            range.high.is_some_and(|high| high <= 0)
        });
        Some(
            greatest
                .filter(|_| falls && !first)
                .unwrap_or_else(Poly::zero),
        )
    }

    /// Whether a condition that holds here says that the quantity is not negative.
    pub(super) fn is_implied(&self, quantity: &Poly) -> bool {
        let mut conditions = vec![self.reached()];
        for within in &self.loops {
            let exits = self.program.loops.get(within.id.0);
            let exits = exits.map_or(&[][..], |summary| summary.exits.as_slice());
            let passed = exits.iter().take(within.passed);
            conditions.extend(passed.map(|exit| exit.stay.clone()));
        }
        let arena = &self.program.arena;
        conditions
            .iter()
            .any(|holds| arena.implies(holds, quantity))
    }
}
