//! Executions of regions, as formulas. Those by SIMD groups are in `simd`.
//!
//! A region runs once for every lane, workgroup and iteration at which its condition holds. A region
//! that lies before some exits of its loop also runs in the iteration that leaves by them: that
//! iteration is counted as the first one plus every iteration that follows a completed one.

use rustc_hash::FxHashMap;

use crate::poly::{AtomId, Poly};
use crate::program::{Program, Within};
use crate::sum::Variable;

/// Part of a region's domain: iteration variables and an indicator over them.
#[derive(Clone, Debug)]
pub struct Part {
    /// Iteration variables, outermost first, each from zero on.
    pub iterations: Vec<AtomId>,
    /// 1 where the region runs.
    pub indicator: Poly,
    /// What the iteration symbols of the loops stand for in this part.
    pub iteration_values: FxHashMap<AtomId, Poly>,
}

/// Over which lanes executions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// Every lane.
    All,
    /// One lane of a workgroup (for barriers).
    One,
}

impl Program {
    /// The disjoint parts of a region's domain.
    pub fn parts(&mut self, region: usize) -> Vec<Part> {
        let condition = self.regions[region].condition.clone();
        let loops = self.regions[region].loops.clone();
        self.parts_of(condition, &loops)
    }

    /// The disjoint parts of what runs under a condition within loops.
    pub(crate) fn parts_of(&mut self, condition: Poly, loops: &[Within]) -> Vec<Part> {
        let mut parts = vec![Part {
            iterations: Vec::new(),
            indicator: condition,
            iteration_values: FxHashMap::default(),
        }];
        for within in loops.iter().rev() {
            parts = parts
                .into_iter()
                .flat_map(|part| self.unfold(part, *within))
                .collect();
        }
        parts
    }

    fn unfold(&mut self, part: Part, within: Within) -> Vec<Part> {
        let summary = &self.loops[within.id.0];
        let t = summary.iteration;
        let stays: Vec<Poly> = summary.exits.iter().map(|exit| exit.stay.clone()).collect();
        if within.passed >= stays.len() {
            let mut part = part;
            for stay in &stays {
                part.indicator = part.indicator.mul(stay);
            }
            part.iterations.insert(0, t);
            return vec![part];
        }
        let next = Poly::atom(t).add_integer(1);
        let (before, after) = stays.split_at(within.passed);
        let mut first = self.at_iteration(&part, t, &Poly::zero());
        let mut later = self.at_iteration(&part, t, &next);
        for stay in before {
            first.indicator = first
                .indicator
                .mul(&self.arena.replace(stay, t, &Poly::zero()));
            later.indicator = later.indicator.mul(&self.arena.replace(stay, t, &next));
        }
        for stay in after {
            later.indicator = later.indicator.mul(stay);
        }
        later.iterations.insert(0, t);
        vec![first, later]
    }

    fn at_iteration(&mut self, part: &Part, t: AtomId, value: &Poly) -> Part {
        let mut shifted = part.clone();
        shifted.indicator = self.arena.replace(&part.indicator, t, value);
        for other in shifted.iteration_values.values_mut() {
            *other = self.arena.replace(other, t, value);
        }
        shifted.iteration_values.insert(t, value.clone());
        shifted
    }

    /// Executions of a region over the launch.
    pub fn executions(&mut self, region: usize, lanes: Lanes) -> Poly {
        let mut total = Poly::zero();
        for part in self.parts(region) {
            let sum = self.sum_part(&part, lanes, &[]);
            total = total.add(&sum);
        }
        total
    }

    /// Executions of a part, summed over further variables too.
    pub(crate) fn sum_part(&mut self, part: &Part, lanes: Lanes, more: &[Variable]) -> Poly {
        let mut variables = self.workgroup_variables();
        let mut indicator = part.indicator.clone();
        for axis in 0..3 {
            let Some(symbol) = self.local[axis] else {
                continue;
            };
            match lanes {
                Lanes::All => {
                    let count = Poly::integer(self.workgroup_size[axis].into());
                    variables.push(Variable {
                        symbol,
                        count: Some(count),
                    });
                }
                Lanes::One => {
                    indicator = self.arena.replace(&indicator, symbol, &Poly::zero());
                }
            }
        }
        let iterations = part.iterations.iter();
        variables.extend(iterations.map(|&symbol| Variable {
            symbol,
            count: None,
        }));
        variables.extend_from_slice(more);
        self.arena.sum_over(variables, &indicator)
    }

    pub(crate) fn workgroup_variables(&self) -> Vec<Variable> {
        (0..3)
            .map(|axis| Variable {
                symbol: self.workgroup[axis],
                count: Some(Poly::atom(self.groups[axis])),
            })
            .collect()
    }
}
