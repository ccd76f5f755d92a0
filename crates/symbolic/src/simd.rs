//! Executions of regions by SIMD groups, as formulas where there is a closed form.
//!
//! A SIMD group runs a region when any of its lanes does. Its lanes are a box of local ids
//! ([`Slice`]), so that indicators which only rise or only fall along an axis are decided at a corner
//! of the box; a range of lanes (`low ≤ id < high`) needs its two ends and that it is not empty; and
//! the complement of such a condition holds for some lane unless the condition holds for all.

use crate::arena::{Atom, Symbol, SymbolKind, Uniformity};
use crate::conditions::common_factors;
use crate::count::{Lanes, Part};
use crate::lane_boxes::lane_boxes;
use crate::poly::{AtomId, Monomial, Poly};
use crate::program::Program;
use crate::sum::Variable;

/// SIMD groups whose lanes are a box of local ids: all ids along the axes before `axis`, one id along
/// the axes after it.
struct Slice {
    axis: usize,
    /// First and last id along `axis`.
    first: Poly,
    last: Poly,
    /// Counts the SIMD groups along `axis`, where there are several.
    group: Option<Variable>,
}

/// How a condition `p ≥ 0` changes along one axis of a box.
struct Slope {
    axis: usize,
    rises: bool,
    /// Whether it changes by exactly one from id to id.
    unit: bool,
}

/// A condition `p ≥ 0` on the lanes of a box.
struct Bound {
    p: Poly,
    slopes: Vec<Slope>,
}

impl Program {
    /// Executions by SIMD groups with at least one active lane; `None` where there is no closed form.
    ///
    /// A condition that is the same for a whole SIMD group gives its executions times the SIMD groups
    /// of a workgroup, whatever their lanes are.
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
            return Some(self.sum_part(part, Lanes::One, &[]).scale(groups.into()));
        }
        let mut total = Poly::zero();
        for slice in self.slices(simd_width)? {
            let indicator = self.any_lane(&part.indicator, &slice)?;
            let mut variables = self.workgroup_variables();
            variables.extend(slice.group);
            for axis in slice.axis + 1..3 {
                let count = Some(Poly::integer(self.workgroup_size[axis].into()));
                let symbol = self.local[axis];
                variables.extend(symbol.map(|symbol| Variable { symbol, count }));
            }
            let iterations = part.iterations.iter();
            variables.extend(iterations.map(|&symbol| Variable {
                symbol,
                count: None,
            }));
            total = total.add(&self.arena.sum_over(variables, &indicator));
        }
        Some(total)
    }

    /// The SIMD groups of a workgroup; `None` where some are not boxes.
    fn slices(&mut self, simd_width: u32) -> Option<Vec<Slice>> {
        let boxes = lane_boxes(self.workgroup_size, simd_width)?;
        let slices = boxes.into_iter().map(|lanes| {
            let id = |id: u32| Poly::integer(id.into());
            let mut first = id(lanes.first);
            let group = (lanes.repeats > 1).then(|| {
                let symbol = self.simd_group_of(lanes.repeats);
                first = first.add(&Poly::atom(symbol).scale(lanes.length.into()));
                Variable {
                    symbol,
                    count: Some(id(lanes.repeats)),
                }
            });
            Slice {
                axis: lanes.axis,
                last: first.add(&id(lanes.length - 1)),
                first,
                group,
            }
        });
        Some(slices.collect())
    }

    /// The symbol for one of so many SIMD groups.
    fn simd_group_of(&mut self, count: u32) -> AtomId {
        if let Some(&symbol) = self.arena.simd_groups.get(&count) {
            return symbol;
        }
        let symbol = self.arena.fresh(Symbol {
            name: "s".to_owned(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::SimdGroup,
            least: Some(0),
            greatest: Some(Poly::integer(i128::from(count) - 1)),
        });
        self.arena.simd_groups.insert(count, symbol);
        symbol
    }

    /// 1 where the indicator is 1 for any lane.
    fn any_lane(&mut self, indicator: &Poly, slice: &Slice) -> Option<Poly> {
        let (common, others) = common_factors(&self.arena.written_out(indicator));
        let (differing, common): (Monomial, Monomial) = common
            .into_iter()
            .partition(|&(id, _)| self.differs_in(&Poly::atom(id), slice));
        let others = others.mul(&Poly::monomial(differing));
        let any = self.any_of_sum(&others, slice)?;
        Some(any.mul(&Poly::monomial(common)))
    }

    /// The same for a product, a sum of products that exclude one another, one product or another
    /// (`a + b - a b`), and the complement of a product.
    fn any_of_sum(&mut self, sum: &Poly, slice: &Slice) -> Option<Poly> {
        let (added, taken): (Vec<_>, Vec<_>) = sum.terms().iter().partition(|(_, c)| *c > 0);
        if sum.denominator() != 1 || sum.terms().iter().any(|(_, c)| c.abs() != 1) {
            return None;
        }
        let product = |(monomial, _): &&(Monomial, i128)| Poly::monomial(monomial.clone());
        match (added.as_slice(), taken.as_slice()) {
            ([(one, _)], [(rest, _)]) if one.is_empty() => {
                return Some(Poly::one().sub(&self.all_of_product(rest, slice)?));
            }
            (_, []) => {}
            ([a, b], [both]) if product(a).mul(&product(b)) == product(both) => {}
            _ => return None,
        }
        let mut none = Poly::one();
        for (monomial, _) in added {
            let any = self.any_of_product(monomial, slice)?;
            none = none.mul(&Poly::one().sub(&any));
        }
        Some(Poly::one().sub(&none))
    }

    fn any_of_product(&mut self, product: &Monomial, slice: &Slice) -> Option<Poly> {
        let mut common = Poly::one();
        let mut bounds = Vec::new();
        for &(id, _) in product {
            let factor = Poly::atom(id);
            if self.differs_in(&factor, slice) {
                bounds.extend(self.bounds(id, slice)?);
            } else {
                common = common.mul(&factor);
            }
        }
        for component in components(bounds) {
            common = common.mul(&self.any_of_bounds(&component, slice)?);
        }
        Some(common)
    }

    /// 1 where some lane meets all bounds, which have axes in common.
    fn any_of_bounds(&mut self, bounds: &[Bound], slice: &Slice) -> Option<Poly> {
        let slopes = || bounds.iter().flat_map(|bound| &bound.slopes);
        let one_way = slopes().all(|slope| {
            let mut along = slopes().filter(|other| other.axis == slope.axis);
            along.all(|other| other.rises == slope.rises)
        });
        let one_step = |bound: &Bound| matches!(bound.slopes.as_slice(), [slope] if slope.unit);
        if !one_way && !bounds.iter().all(one_step) {
            return None;
        }
        let mut any = Poly::one();
        for bound in bounds {
            let best = self.at_corner(bound, slice, true);
            any = any.mul(&self.arena.nonnegative(&best));
        }
        if one_way {
            return Some(any);
        }
        // along one axis, bounds that meet pairwise meet all together
        for (index, left) in bounds.iter().enumerate() {
            for right in &bounds[index + 1..] {
                if left.slopes[0].rises != right.slopes[0].rises {
                    any = any.mul(&self.arena.nonnegative(&left.p.add(&right.p)));
                }
            }
        }
        Some(any)
    }

    fn all_of_product(&mut self, product: &Monomial, slice: &Slice) -> Option<Poly> {
        let mut all = Poly::one();
        for &(id, _) in product {
            let factor = Poly::atom(id);
            if !self.differs_in(&factor, slice) {
                all = all.mul(&factor);
                continue;
            }
            for bound in self.bounds(id, slice)? {
                let worst = self.at_corner(&bound, slice, false);
                all = all.mul(&self.arena.nonnegative(&worst));
            }
        }
        Some(all)
    }

    /// A bound at the lane where it is greatest, or least.
    fn at_corner(&mut self, bound: &Bound, slice: &Slice, greatest: bool) -> Poly {
        let mut p = bound.p.clone();
        for slope in &bound.slopes {
            let Some(symbol) = self.local[slope.axis] else {
                continue;
            };
            let (first, last) = self.ends(slope.axis, slice);
            let end = if slope.rises == greatest { last } else { first };
            p = self.arena.replace(&p, symbol, &end);
        }
        p
    }

    fn ends(&self, axis: usize, slice: &Slice) -> (Poly, Poly) {
        if axis == slice.axis {
            return (slice.first.clone(), slice.last.clone());
        }
        let last = i128::from(self.workgroup_size[axis]) - 1;
        (Poly::zero(), Poly::integer(last))
    }

    /// An indicator as bounds that change one way along each axis; `None` for anything else.
    fn bounds(&self, id: AtomId, slice: &Slice) -> Option<Vec<Bound>> {
        match self.arena.atom(id)? {
            Atom::NonNegative(p) => Some(vec![self.bound(p, slice)?]),
            Atom::Zero(p) => Some(vec![self.bound(p, slice)?, self.bound(&p.neg(), slice)?]),
            _ => None,
        }
    }

    fn bound(&self, p: &Poly, slice: &Slice) -> Option<Bound> {
        let mut slopes = Vec::new();
        for axis in 0..=slice.axis {
            let Some(symbol) = self.local[axis].filter(|&symbol| self.arena.mentions(p, symbol))
            else {
                continue;
            };
            let (slope, rest) = p.linear_in(symbol)?;
            let rises = self.arena.is_nonnegative(&slope);
            let falls = self.arena.is_nonnegative(&slope.neg());
            if self.arena.mentions(&rest, symbol)
                || self.differs_in(&slope, slice)
                || !(rises || falls)
            {
                return None;
            }
            slopes.push(Slope {
                axis,
                rises,
                unit: slope.as_integer().is_some_and(|slope| slope.abs() == 1),
            });
        }
        let mut data = false;
        self.arena
            .for_each_atom(p, &mut |id| data |= self.is_lane_data(id));
        (!data && !slopes.is_empty()).then(|| Bound {
            p: p.clone(),
            slopes,
        })
    }

    /// Whether the value may differ between the lanes of one SIMD group.
    fn differs_in(&self, poly: &Poly, slice: &Slice) -> bool {
        let mut differs = false;
        let varying = &self.local[..=slice.axis];
        self.arena.for_each_atom(poly, &mut |id| {
            differs |= varying.contains(&Some(id)) || self.is_lane_data(id);
        });
        differs
    }

    /// Whether the atom is a symbol other than a local id that differs between lanes.
    fn is_lane_data(&self, id: AtomId) -> bool {
        self.arena.symbol(id).is_some_and(|symbol| {
            symbol.uniformity < Uniformity::SimdGroup
                && !matches!(symbol.kind, SymbolKind::LocalId(_) | SymbolKind::Summation)
        })
    }
}

/// Groups of bounds that have axes in common.
fn components(bounds: Vec<Bound>) -> Vec<Vec<Bound>> {
    let mut components: Vec<(Vec<usize>, Vec<Bound>)> = Vec::new();
    for bound in bounds {
        let mut axes: Vec<usize> = bound.slopes.iter().map(|slope| slope.axis).collect();
        let mut members = vec![bound];
        let mut apart = Vec::new();
        for (others, more) in components {
            if others.iter().any(|axis| axes.contains(axis)) {
                axes.extend(others);
                members.extend(more);
            } else {
                apart.push((others, more));
            }
        }
        apart.push((axes, members));
        components = apart;
    }
    components.into_iter().map(|(_, members)| members).collect()
}
