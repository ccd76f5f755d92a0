//! Parts of a region's domain at given values of parameters, as linear conditions on lanes.

use rustc_hash::FxHashMap;

use crate::arena::{Atom, SymbolKind, Uniformity};
use crate::conditions::{Combination, Condition, common_factors};
use crate::count::Part;
use crate::lanes::{Group, Guard, LaneSet, Linear, Test, distribution};
use crate::poly::{AtomId, Monomial, Poly};
use crate::program::Program;
use crate::ratio::Ratio;
use crate::substitute::Values;

/// Joint values of variables that enter a condition or an address in a way that is not linear, times
/// lanes, that are visited at most.
const VISITS: i128 = 60_000;

/// The same, below which all values are visited even where a few would be enough.
const REPRESENTED: i128 = 1 << 14;

/// Values of one coupled variable, and of each of several, that stand for more than that.
const FEW: i128 = 8;
const FEW_EACH: i128 = 3;

/// A part at given values.
#[derive(Clone, Debug)]
pub(crate) struct ConcretePart {
    /// All of them hold, and so do all combinations.
    pub(crate) conditions: Vec<Condition>,
    pub(crate) combinations: Vec<Combination>,
    pub(crate) address: Poly,
    /// Workgroup ids and iterations, with the number of their values.
    pub(crate) variables: Vec<(AtomId, i128)>,
    /// Fraction that data-dependent branches and trips, the same for a SIMD group, let through.
    pub(crate) weight: f64,
    /// Whether a data-dependent branch or trip count differs between lanes, so that what a SIMD group
    /// executes is not known.
    pub(crate) diverges_on_data: bool,
    /// Whether a few values of coupled variables are enough (see
    /// [`ShapeOptions::representative`](crate::shape::ShapeOptions::representative)).
    pub(crate) representative: bool,
}

impl ConcretePart {
    /// Every polynomial of the part.
    pub(crate) fn polys(&self) -> impl Iterator<Item = &Poly> {
        let combined = self.combinations.iter().flat_map(|all| &all.tests);
        let conditions = self.conditions.iter().chain(combined);
        let polys = conditions.map(|condition| &condition.poly);
        polys.chain([&self.address])
    }

    /// Every polynomial of the part, to be rewritten.
    pub(crate) fn polys_mut(&mut self) -> impl Iterator<Item = &mut Poly> {
        let combined = self.combinations.iter_mut().flat_map(|all| &mut all.tests);
        let conditions = self.conditions.iter_mut().chain(combined);
        let polys = conditions.map(|condition| &mut condition.poly);
        polys.chain([&mut self.address])
    }
}

/// One SIMD group's lanes for some values of the variables.
pub(crate) struct Visit<'a> {
    /// Byte address of each lane, up to a multiple of the modulus.
    pub(crate) addresses: &'a [i128],
    /// Shift of all addresses.
    pub(crate) residue: i128,
    /// Active lanes.
    pub(crate) active: LaneSet,
    /// How often.
    pub(crate) times: i128,
}

impl Program {
    /// A part with symbols replaced by values; `None` where something has no value or bound.
    pub(crate) fn concrete(
        &mut self,
        part: &Part,
        address: &Poly,
        values: &FxHashMap<AtomId, Poly>,
    ) -> Option<ConcretePart> {
        let address = self.arena.substitute(address, &part.iteration_values);
        let address = self.arena.substitute(&address, values);
        let mut concrete = ConcretePart {
            conditions: Vec::new(),
            combinations: Vec::new(),
            address,
            variables: Vec::new(),
            weight: 1.0,
            diverges_on_data: false,
            representative: false,
        };
        let (indicator, trips) = self.without_data(&part.indicator, values, &mut concrete)?;
        let indicator = self.arena.substitute(&indicator, values);
        let indicator = self.arena.written_out(&indicator);
        for axis in 0..3 {
            let count = values.get(&self.groups[axis])?.as_integer()?;
            concrete.variables.push((self.workgroup[axis], count));
        }
        concrete.require(&self.arena, &indicator)?;
        if indicator.is_zero() {
            let never = part.iterations.iter().map(|&iteration| (iteration, 0));
            concrete.variables.extend(never);
            return Some(concrete);
        }
        for &iteration in &part.iterations {
            let range = match trips.get(&iteration) {
                Some(&trips) => {
                    let whole = trips.ceil().max(1.0);
                    concrete.weight *= trips / whole;
                    whole as i128
                }
                None => self.iteration_range(&concrete, iteration)?,
            };
            concrete.variables.push((iteration, range));
        }
        Some(concrete)
    }

    /// Takes fractions and trips that depend on data out of an indicator, as weights and ranges.
    fn without_data(
        &self,
        indicator: &Poly,
        values: &FxHashMap<AtomId, Poly>,
        concrete: &mut ConcretePart,
    ) -> Option<(Poly, FxHashMap<AtomId, f64>)> {
        let mut trips = FxHashMap::default();
        let value_of = |id: AtomId| Some(values.get(&id)?.as_constant()?.to_f64());
        let (common, others) = common_factors(indicator);
        if self.depends_on_fractions(&others) {
            return None;
        }
        let mut rest = Monomial::new();
        for (id, power) in common {
            if let Some((taken, opposite)) = self.taken(id) {
                let uniformity = self.arena.symbol(taken)?.uniformity;
                concrete.diverges_on_data |= uniformity < Uniformity::SimdGroup;
                let fraction = value_of(taken)?;
                concrete.weight *= if opposite { 1.0 - fraction } else { fraction };
                continue;
            }
            if let Some(Atom::NonNegative(p)) = self.arena.atom(id) {
                let named = p.atoms().find(|&atom| {
                    self.arena
                        .symbol(atom)
                        .is_some_and(|s| s.kind == SymbolKind::Trips)
                });
                if let Some(named) = named {
                    let uniformity = self.arena.symbol(named)?.uniformity;
                    concrete.diverges_on_data |= uniformity < Uniformity::SimdGroup;
                    let iteration = p.atoms().find(|&atom| {
                        self.arena
                            .symbol(atom)
                            .is_some_and(|s| s.kind == SymbolKind::Iteration)
                    })?;
                    trips.insert(iteration, value_of(named)?);
                    continue;
                }
            }
            if self.depends_on_fractions(&Poly::atom(id)) {
                return None;
            }
            rest.push((id, power));
        }
        Some((others.mul(&Poly::monomial(rest)), trips))
    }

    /// The symbol, where an atom is the fraction of lanes that take a branch, or of those that do not.
    fn taken(&self, id: AtomId) -> Option<(AtomId, bool)> {
        let (id, opposite) = match self.arena.atom(id)? {
            Atom::Not(p) => (p.as_atom()?, true),
            _ => (id, false),
        };
        let symbol = self.arena.symbol(id)?;
        (symbol.kind == SymbolKind::Taken).then_some((id, opposite))
    }

    /// Whether fractions of lanes, or trips, that depend on data occur.
    fn depends_on_fractions(&self, poly: &Poly) -> bool {
        let mut found = false;
        self.arena.for_each_atom(poly, &mut |id| {
            let symbol = self.arena.symbol(id);
            found |= symbol
                .is_some_and(|symbol| matches!(symbol.kind, SymbolKind::Taken | SymbolKind::Trips));
        });
        found
    }

    /// The most iterations that any lane's conditions allow.
    fn iteration_range(&self, concrete: &ConcretePart, iteration: AtomId) -> Option<i128> {
        let mut least: Option<i128> = None;
        for condition in &concrete.conditions {
            let Some((a, r)) = condition.poly.linear_in(iteration) else {
                continue;
            };
            let Some(a) = a.as_integer() else { continue };
            if a >= 0 || condition.test == Test::NonZero {
                continue;
            }
            let Some(greatest) = self.greatest_at(&r, concrete) else {
                continue;
            };
            let bound = if greatest < 0 {
                0
            } else {
                (greatest / -a).checked_add(1)?
            };
            least = Some(least.map_or(bound, |least| least.min(bound)));
        }
        least
    }

    /// An upper bound of a polynomial over lanes and the variables that are bounded so far.
    pub(crate) fn greatest_at(&self, poly: &Poly, concrete: &ConcretePart) -> Option<i128> {
        let mut greatest: i128 = 0;
        for (monomial, coefficient) in poly.terms() {
            let bound = match monomial.as_slice() {
                [] => *coefficient,
                [(id, 1)] if *coefficient < 0 => {
                    coefficient.checked_mul(self.arena.least(&Poly::atom(*id))?)?
                }
                [(id, 1)] => {
                    let range = concrete
                        .variables
                        .iter()
                        .find(|(variable, _)| variable == id)
                        .map(|&(_, range)| range - 1)
                        .or_else(|| self.arena.greatest(&Poly::atom(*id)))?;
                    coefficient.checked_mul(range)?
                }
                _ => return self.arena.greatest(poly),
            };
            greatest = greatest.checked_add(bound)?;
        }
        (poly.denominator() == 1).then_some(greatest)
    }

    /// Visits every combination of lane set and address residue of every SIMD group of a part.
    /// Returns `None`, possibly after some visits, where there are too many to count, and whether a few
    /// stood for all.
    pub(crate) fn visit_simd_groups(
        &self,
        part: &ConcretePart,
        simd_width: u32,
        modulus: i128,
        visit: &mut impl FnMut(&Visit<'_>),
    ) -> Option<bool> {
        let lanes: u64 = self.workgroup_size.iter().map(|&n| u64::from(n)).product();
        let groups = lanes.div_ceil(simd_width.into());
        let coupled = self.coupled(part);
        let free: Vec<(AtomId, i128)> = part
            .variables
            .iter()
            .copied()
            .filter(|(id, _)| !coupled.contains(id))
            .collect();
        let mut joint: Vec<(AtomId, i128)> = part
            .variables
            .iter()
            .copied()
            .filter(|(id, _)| coupled.contains(id))
            .collect();
        let all = joint
            .iter()
            .try_fold(i128::from(lanes), |all, (_, range)| all.checked_mul(*range));
        let sampled = part.representative && all.is_none_or(|all| all > REPRESENTED);
        if sampled {
            let most = if joint.len() > 1 { FEW_EACH } else { FEW };
            for (_, range) in &mut joint {
                *range = (*range).min(most);
            }
        }
        let mut visits: i128 = 1;
        for (_, range) in &joint {
            visits = visits.checked_mul(*range)?;
        }
        if visits.checked_mul(lanes.into())? > VISITS {
            return None;
        }
        let mut values = Values::default();
        let mut at = vec![0i128; joint.len()];
        for _ in 0..visits {
            for ((id, _), value) in joint.iter().zip(&at) {
                values.insert(*id, Ratio::integer(*value));
            }
            for group in 0..groups {
                let first = group * u64::from(simd_width);
                let lanes = first..(first + u64::from(simd_width)).min(lanes);
                self.visit_group(part, &free, &mut values, lanes, modulus, visit)?;
            }
            for (value, (_, range)) in at.iter_mut().zip(&joint) {
                *value += 1;
                if *value < *range {
                    break;
                }
                *value = 0;
            }
        }
        Some(sampled)
    }

    fn visit_group(
        &self,
        part: &ConcretePart,
        free: &[(AtomId, i128)],
        values: &mut Values,
        lanes: std::ops::Range<u64>,
        modulus: i128,
        visit: &mut impl FnMut(&Visit<'_>),
    ) -> Option<()> {
        let mut guards = Vec::new();
        for condition in &part.conditions {
            let form = self.linear(&condition.poly, free, values, lanes.clone())?;
            guards.push(Guard::single(condition.test, form));
        }
        for combination in &part.combinations {
            let mut forms = Vec::new();
            for condition in &combination.tests {
                let form = self.linear(&condition.poly, free, values, lanes.clone())?;
                forms.push((condition.test, form));
            }
            let terms = combination.terms.clone();
            guards.push(Guard { forms, terms });
        }
        let address = self.linear(&part.address, free, values, lanes)?;
        let ranges = free.iter().map(|&(_, range)| range).collect();
        let group = Group {
            guards,
            address: address.clone(),
            ranges,
            modulus,
        };
        for ((active, residue), times) in distribution(group)? {
            if active != 0 {
                visit(&Visit {
                    addresses: &address.lanes,
                    residue,
                    active,
                    times,
                });
            }
        }
        Some(())
    }

    /// Variables that enter a condition or the address other than linearly.
    fn coupled(&self, part: &ConcretePart) -> Vec<AtomId> {
        let mut coupled = Vec::new();
        for poly in part.polys() {
            for (monomial, _) in poly.terms() {
                if let [(id, 1)] = monomial.as_slice()
                    && self.arena.symbol(*id).is_some()
                {
                    continue;
                }
                for &(id, _) in monomial {
                    self.arena
                        .for_each_atom(&Poly::atom(id), &mut |id| coupled.push(id));
                }
            }
        }
        coupled
    }

    /// A polynomial as a linear form of the free variables, the rest evaluated for each lane.
    fn linear(
        &self,
        poly: &Poly,
        free: &[(AtomId, i128)],
        values: &mut Values,
        lanes: std::ops::Range<u64>,
    ) -> Option<Linear> {
        let mut rest = poly.clone();
        let mut coefficients = Vec::with_capacity(free.len());
        for (id, _) in free {
            let (coefficient, without) = rest.linear_in(*id)?;
            coefficients.push(coefficient.as_integer()?);
            rest = without;
        }
        let values_of_lanes = match self.lane_coefficients(&rest) {
            Some((constant, by_axis)) => lanes
                .map(|index| {
                    let ids = self.local_ids(index);
                    by_axis
                        .iter()
                        .zip(ids)
                        .try_fold(constant, |sum: i128, (step, id)| {
                            sum.checked_add(step.checked_mul(id)?)
                        })
                })
                .collect::<Option<Vec<_>>>()?,
            None => lanes
                .map(|index| {
                    let ids = self.local_ids(index);
                    for (local, id) in self.local.iter().zip(ids) {
                        if let Some(symbol) = *local {
                            values.insert(symbol, Ratio::integer(id));
                        }
                    }
                    self.arena.evaluate_with(&rest, values)?.to_integer()
                })
                .collect::<Option<Vec<_>>>()?,
        };
        Some(Linear {
            lanes: values_of_lanes,
            coefficients,
        })
    }

    /// Constant and coefficients of the local ids, where nothing else is left.
    fn lane_coefficients(&self, poly: &Poly) -> Option<(i128, [i128; 3])> {
        let mut constant = 0;
        let mut by_axis = [0; 3];
        for (monomial, coefficient) in poly.terms() {
            match monomial.as_slice() {
                [] => constant = *coefficient,
                [(id, 1)] => {
                    let axis = self.local.iter().position(|local| local == &Some(*id))?;
                    by_axis[axis] = *coefficient;
                }
                _ => return None,
            }
        }
        (poly.denominator() == 1).then_some((constant, by_axis))
    }

    fn local_ids(&self, index: u64) -> [i128; 3] {
        let [x, y, _] = self.workgroup_size.map(u64::from);
        [index % x, index / x % y, index / (x * y)].map(i128::from)
    }
}
