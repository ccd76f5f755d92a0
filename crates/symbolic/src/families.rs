//! Regions that were one loop before someone unrolled it.
//!
//! An unrolled kernel stores each of its elements under a condition of its own:
//! `[row + 16 i < M] [col + 16 j < N]` for every constant `i` and `j`. Each region's executions need a
//! long formula; all of them together are a short one. A [`Family`] is a set of regions whose conditions
//! differ only by the constants of inequalities, in arithmetic progressions and in every combination; its
//! executions are summed over the progressions as over loops.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Atom, Symbol, SymbolKind, Uniformity};
use crate::count::Lanes;
use crate::poly::{AtomId, Monomial, Poly};
use crate::program::{Program, Region, Within};
use crate::sum::Variable;

/// Regions of which a family is looked for among those alike.
const MOST: usize = 1024;

/// Regions that stand for the turns of loops.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    /// Its regions.
    pub(crate) regions: Vec<usize>,
    /// Executions of all of them together.
    pub(crate) executions: Poly,
}

/// What regions of a family have in common: loops, inequalities without their constants, other factors.
type Likeness = (Vec<Within>, Vec<Poly>, Monomial);

/// Constants `greatest`, `greatest - step`, …
struct Progression {
    greatest: i128,
    step: i128,
    count: i128,
}

impl Program {
    /// Families whose executions together are shorter than one by one.
    pub(crate) fn families(&mut self, executions: &[Poly]) -> Vec<Family> {
        let mut alike: FxHashMap<Likeness, Vec<(usize, Vec<i128>)>> = FxHashMap::default();
        let mut order: Vec<Likeness> = Vec::new();
        for (index, region) in self.regions.iter().enumerate() {
            if let Some((likeness, constants)) = self.likeness(region) {
                let members = alike.entry(likeness.clone()).or_default();
                if members.is_empty() {
                    order.push(likeness);
                }
                members.push((index, constants));
            }
        }
        let mut families = Vec::new();
        for likeness in order {
            let Some(members) = alike.remove(&likeness) else {
                continue;
            };
            families.extend(self.family(&likeness, &members, executions));
        }
        families
    }

    /// What a region shares with others of its family, and its constants.
    fn likeness(&self, region: &Region) -> Option<(Likeness, Vec<i128>)> {
        let [(monomial, 1)] = region.condition.terms() else {
            return None;
        };
        let mut inequalities = Vec::new();
        let mut others = Monomial::new();
        for &(id, power) in monomial {
            match self.arena.atom(id) {
                Some(Atom::NonNegative(p)) => {
                    let constant = p.constant_term();
                    inequalities.push((p.add_integer(-constant), constant));
                }
                _ => others.push((id, power)),
            }
        }
        inequalities.sort();
        let distinct: FxHashSet<&Poly> = inequalities.iter().map(|(p, _)| p).collect();
        if distinct.len() < inequalities.len() || inequalities.is_empty() {
            return None;
        }
        let (polys, constants) = inequalities.into_iter().unzip();
        Some(((region.loops.clone(), polys, others), constants))
    }

    fn family(
        &mut self,
        likeness: &Likeness,
        members: &[(usize, Vec<i128>)],
        executions: &[Poly],
    ) -> Option<Family> {
        if !(2..=MOST).contains(&members.len()) {
            return None;
        }
        let (loops, polys, others) = likeness;
        let mut progressions = Vec::new();
        let mut combinations: i128 = 1;
        for at in 0..polys.len() {
            let constants = members.iter().map(|(_, constants)| constants[at]).collect();
            let progression = progression(constants)?;
            combinations = combinations.checked_mul(progression.count)?;
            progressions.push(progression);
        }
        // regions differ in their conditions, so that as many members are all combinations
        if i128::try_from(members.len()).ok()? != combinations {
            return None;
        }
        let mut condition = Poly::monomial(others.clone());
        let mut turns = Vec::new();
        for (p, progression) in polys.iter().zip(&progressions) {
            let mut p = p.add_integer(progression.greatest);
            if progression.count > 1 {
                let symbol = self.turn(progression.count);
                p = p.sub(&Poly::atom(symbol).scale(progression.step));
                turns.push(Variable {
                    symbol,
                    count: Some(Poly::integer(progression.count)),
                });
            }
            condition = condition.mul(&self.arena.nonnegative(&p));
        }
        let regions: Vec<usize> = members.iter().map(|&(region, _)| region).collect();
        let apart = regions.iter().fold(0, |sum: u32, &region| {
            sum.saturating_add(self.arena.weight(&executions[region]))
        });
        let executions = self.executions_with(condition, loops.clone(), &turns);
        let shorter = !executions.is_overflow() && self.arena.weight(&executions) < apart;
        shorter.then_some(Family {
            regions,
            executions,
        })
    }

    fn turn(&mut self, count: i128) -> AtomId {
        self.arena.fresh(Symbol {
            name: "i".to_owned(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::Launch,
            least: Some(0),
            greatest: Some(Poly::integer(count - 1)),
        })
    }

    /// Executions under a condition, summed over further variables too.
    fn executions_with(&mut self, condition: Poly, loops: Vec<Within>, turns: &[Variable]) -> Poly {
        let mut total = Poly::zero();
        for part in self.parts_of(condition, &loops) {
            total = total.add(&self.sum_part(&part, Lanes::All, turns));
        }
        total
    }
}

/// The constants as a progression; `None` where they are not one.
fn progression(mut constants: Vec<i128>) -> Option<Progression> {
    constants.sort_unstable();
    constants.dedup();
    let greatest = *constants.last()?;
    let step = match constants.as_slice() {
        [first, second, ..] => second.checked_sub(*first)?,
        _ => 1,
    };
    let even = constants
        .windows(2)
        .all(|pair| pair[1].checked_sub(pair[0]) == Some(step));
    even.then_some(Progression {
        greatest,
        step,
        count: i128::try_from(constants.len()).ok()?,
    })
}
