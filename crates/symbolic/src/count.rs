//! Executions of regions, as formulas.
//!
//! A region runs once for every lane, workgroup and iteration at which its condition holds. A region
//! that lies before some exits of its loop also runs in the iteration that leaves by them: that
//! iteration is counted as the first one plus every iteration that follows a completed one.

use rustc_hash::FxHashMap;

use crate::arena::Uniformity;
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
            let sum = self.sum_part(&part, lanes);
            total = total.add(&sum);
        }
        total
    }

    fn sum_part(&mut self, part: &Part, lanes: Lanes) -> Poly {
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
        self.arena.sum_over(variables, &indicator)
    }

    fn workgroup_variables(&self) -> Vec<Variable> {
        (0..3)
            .map(|axis| Variable {
                symbol: self.workgroup[axis],
                count: Some(Poly::atom(self.groups[axis])),
            })
            .collect()
    }

    /// Executions by SIMD groups with at least one active lane; `None` where there is no closed form.
    ///
    /// A condition that is the same for a whole SIMD group gives its executions times the SIMD groups
    /// of a workgroup. One that only ever turns lanes off as their ids grow is decided by the first
    /// lane of each SIMD group.
    pub fn simd_executions(&mut self, region: usize, simd_width: u32) -> Option<Poly> {
        let mut total = Poly::zero();
        for part in self.parts(region) {
            total = total.add(&self.simd_part(&part, simd_width)?);
        }
        Some(total)
    }

    fn simd_part(&mut self, part: &Part, simd_width: u32) -> Option<Poly> {
        let lanes: u64 = self.workgroup_size.iter().map(|&n| u64::from(n)).product();
        let groups = lanes.div_ceil(simd_width.into());
        if self.arena.uniformity(&part.indicator) > Uniformity::SimdGroup {
            return Some(self.sum_part(part, Lanes::One).scale(groups.into()));
        }
        if !self.falls_with_lanes(&part.indicator) {
            return None;
        }
        let (axis, stride, count) = self.simd_axis(simd_width)?;
        let group = self.arena.fresh(crate::arena::Symbol {
            name: "s".to_owned(),
            kind: crate::arena::SymbolKind::Summation,
            uniformity: Uniformity::SimdGroup,
            least: Some(0),
            greatest: Some(Poly::integer(i128::from(count) - 1)),
        });
        let mut indicator = part.indicator.clone();
        let mut variables = self.workgroup_variables();
        for other in 0..3 {
            let Some(symbol) = self.local[other] else {
                continue;
            };
            if other == axis {
                let first = Poly::atom(group).scale(stride.into());
                indicator = self.arena.replace(&indicator, symbol, &first);
                let count = Some(Poly::integer(count.into()));
                variables.push(Variable {
                    symbol: group,
                    count,
                });
            } else if other < axis {
                indicator = self.arena.replace(&indicator, symbol, &Poly::zero());
            } else {
                let count = Some(Poly::integer(self.workgroup_size[other].into()));
                variables.push(Variable { symbol, count });
            }
        }
        let iterations = part.iterations.iter();
        variables.extend(iterations.map(|&symbol| Variable {
            symbol,
            count: None,
        }));
        Some(self.arena.sum_over(variables, &indicator))
    }

    /// The axis that SIMD groups cut into parts, the ids from one to the next, and their number along
    /// that axis; `None` where the width does not divide along one axis.
    fn simd_axis(&self, simd_width: u32) -> Option<(usize, u32, u32)> {
        let mut inner = 1;
        for (axis, &size) in self.workgroup_size.iter().enumerate() {
            if inner * size >= simd_width {
                let stride = simd_width / inner;
                let whole = inner * stride == simd_width
                    && (size % stride == 0 || axis == 2 || self.is_flat_above(axis));
                return whole.then(|| (axis, stride, size.div_ceil(stride)));
            }
            inner *= size;
        }
        Some((2, self.workgroup_size[2], 1))
    }

    fn is_flat_above(&self, axis: usize) -> bool {
        self.workgroup_size[axis + 1..]
            .iter()
            .all(|&size| size == 1)
    }

    /// Whether the indicator is a product of `p ≥ 0` with `p` falling in each local id.
    fn falls_with_lanes(&self, indicator: &Poly) -> bool {
        let [(monomial, 1)] = indicator.terms() else {
            return false;
        };
        monomial.iter().all(|&(id, _)| {
            let factor = Poly::atom(id);
            let local = self.local.iter().flatten();
            let mut mentioned = local.filter(|&&symbol| self.arena.mentions(&factor, symbol));
            mentioned.all(|&symbol| match self.arena.atom(id) {
                Some(crate::arena::Atom::NonNegative(p)) => {
                    p.linear_in(symbol).is_some_and(|(a, r)| {
                        !self.arena.mentions(&r, symbol) && self.arena.is_nonnegative(&a.neg())
                    })
                }
                _ => false,
            })
        })
    }
}
