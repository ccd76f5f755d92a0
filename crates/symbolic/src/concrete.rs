//! Parts of a region's domain at given values of parameters, as linear conditions on lanes.

use rustc_hash::FxHashMap;

use crate::arena::{Atom, SymbolKind, Uniformity};
use crate::conditions::{Combination, Condition, common_factors};
use crate::count::Part;
use crate::lanes::Test;
use crate::point::{PlacedPart, PlacedParts, Point};
use crate::poly::{AtomId, Monomial, Poly};
use crate::program::Program;

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

impl Program {
    /// The parts of a region at a point; `None` where something has no value or bound.
    pub(crate) fn parts_at(&mut self, region: usize, point: &Point) -> PlacedParts {
        if let Some(parts) = point.parts.borrow().get(&region) {
            return parts.clone();
        }
        let parts: Option<Vec<PlacedPart>> = self
            .parts(region)
            .into_iter()
            .map(|part| {
                Some(PlacedPart {
                    part: self.concrete(&part, point.values())?,
                    iteration_values: part.iteration_values,
                })
            })
            .collect();
        let parts: PlacedParts = parts.map(Into::into);
        point.parts.borrow_mut().insert(region, parts.clone());
        parts
    }

    /// A part with an address in it.
    pub(crate) fn with_address(
        &mut self,
        placed: &PlacedPart,
        address: &Poly,
        values: &FxHashMap<AtomId, Poly>,
    ) -> ConcretePart {
        let address = self.arena.substitute(address, &placed.iteration_values);
        ConcretePart {
            address: self.arena.substitute(&address, values),
            ..placed.part.clone()
        }
    }

    /// A part with symbols replaced by values, and an address of zero.
    fn concrete(&mut self, part: &Part, values: &FxHashMap<AtomId, Poly>) -> Option<ConcretePart> {
        let mut concrete = ConcretePart {
            conditions: Vec::new(),
            combinations: Vec::new(),
            address: Poly::zero(),
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
        self.drop_settled(&mut concrete);
        Some(concrete)
    }

    /// Drops conditions that hold for all lanes at all values of the variables.
    pub(crate) fn drop_settled(&self, part: &mut ConcretePart) {
        let conditions = std::mem::take(&mut part.conditions);
        let open = conditions.into_iter().filter(|condition| {
            let opposite = self.greatest_at(&condition.poly.neg(), part);
            condition.test != Test::NonNegative || opposite.is_none_or(|greatest| greatest > 0)
        });
        part.conditions = open.collect();
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
}
