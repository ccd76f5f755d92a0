//! Variables of a part in the shape that its addresses use: `n·u + v` as one variable, and one that
//! occurs as quotient and remainder as two. So a tile that lanes load in rounds, `slot = lane + 256 t`,
//! becomes its rows and columns.

use crate::arena::{Atom, Symbol, SymbolKind, Uniformity};
use crate::concrete::ConcretePart;
use crate::lanes::Test;
use crate::poly::{AtomId, Poly};
use crate::program::Program;

impl Program {
    /// The part with other variables, over which it touches the same bytes.
    pub(crate) fn regrouped(&mut self, part: &ConcretePart) -> ConcretePart {
        let mut part = part.clone();
        loop {
            self.clip(&mut part);
            let next = self.fused(&part).or_else(|| self.split(&part));
            match next {
                Some(next) => part = next,
                None => return part,
            }
        }
    }

    fn variable(&mut self, count: i128) -> AtomId {
        self.arena.fresh(Symbol {
            name: "i".to_owned(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::Lane,
            least: Some(0),
            greatest: Some(Poly::integer(count - 1)),
        })
    }

    /// Turns conditions that only bound one variable from above into its range.
    fn clip(&self, part: &mut ConcretePart) {
        let conditions = std::mem::take(&mut part.conditions);
        for condition in conditions {
            let p = &condition.poly;
            let bound = part
                .variables
                .iter()
                .enumerate()
                .find_map(|(index, (v, _))| {
                    let (c, rest) = p.linear_in(*v)?;
                    let c = c.as_integer().filter(|&c| c < 0)?;
                    let bound = rest.as_integer()?.div_euclid(-c) + 1;
                    (condition.test == Test::NonNegative).then_some((index, bound))
                });
            match bound {
                Some((index, bound)) => {
                    let range = &mut part.variables[index].1;
                    *range = (*range).min(bound).max(0);
                }
                None => part.conditions.push(condition),
            }
        }
    }

    /// Fuses two variables that occur only as `n·u + v` with `v < n`.
    fn fused(&mut self, part: &ConcretePart) -> Option<ConcretePart> {
        let variables = part.variables.clone();
        for &(v, n) in variables.iter().filter(|&&(_, n)| n > 1) {
            for &(u, m) in variables.iter().filter(|&&(u, m)| u != v && m > 1) {
                let together = |poly: &Poly| {
                    let of = |symbol| self.arena.mentions(poly, symbol);
                    (of(u), of(v))
                };
                let all: Vec<(bool, bool)> = part.polys().map(together).collect();
                if all.iter().any(|(a, b)| a != b) || all.iter().all(|(a, _)| !a) {
                    continue;
                }
                let count = n.checked_mul(m)?;
                let whole = self.variable(count);
                let by = Poly::atom(whole).sub(&Poly::atom(u).scale(n));
                let mut fused = part.clone();
                for poly in fused.polys_mut() {
                    *poly = self.arena.replace(poly, v, &by);
                }
                if fused.polys().any(|poly| self.arena.mentions(poly, u)) {
                    continue;
                }
                fused
                    .variables
                    .retain(|&(other, _)| other != u && other != v);
                fused.variables.push((whole, count));
                return Some(fused);
            }
        }
        None
    }

    /// Splits a variable into quotient and remainder, where the divisor divides the number of its
    /// values.
    fn split(&mut self, part: &ConcretePart) -> Option<ConcretePart> {
        for (index, &(v, range)) in part.variables.iter().enumerate() {
            let mut divisor = None;
            for poly in part.polys() {
                self.arena.for_each_atom(poly, &mut |id| {
                    if let Some(Atom::FloorDiv(a, b) | Atom::Mod(a, b)) = self.arena.atom(id)
                        && a.as_atom() == Some(v)
                    {
                        divisor = divisor.or(b.as_integer());
                    }
                });
            }
            let Some(divisor) = divisor.filter(|&d| d > 1 && d < range && range % d == 0) else {
                continue;
            };
            let (quotient, rest) = (self.variable(range / divisor), self.variable(divisor));
            let whole = Poly::atom(quotient).scale(divisor).add(&Poly::atom(rest));
            let mut split = part.clone();
            for poly in split.polys_mut() {
                *poly = self.arena.replace(poly, v, &whole);
            }
            split.variables.remove(index);
            split.variables.push((quotient, range / divisor));
            split.variables.push((rest, divisor));
            return Some(split);
        }
        None
    }
}
