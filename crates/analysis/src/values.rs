//! Values of symbols at a launch, and stand-ins for those that have none.

use std::cell::{Cell, RefCell};

use cresta_ir::Kernel;
use cresta_model::launch::Launch;
use cresta_model::quantity::Quantity;
use cresta_symbolic::Values;
use cresta_symbolic::arena::{Arena, SymbolKind};
use cresta_symbolic::point::Point;
use cresta_symbolic::poly::{AtomId, Monomial, Poly};
use cresta_symbolic::program::{Named, Program};
use cresta_symbolic::ratio::Ratio;
use rustc_hash::FxHashMap;

use crate::bounds::{Range, is_of_data};
use crate::facts::Unknown;
use crate::stand_ins::REPRESENTATIVES;

/// Stand-in for an unset parameter: large, and a multiple of every line and SIMD width in elements.
pub(crate) const LARGE_PARAMETER: i128 = 1024;
/// Stand-in for an unset array length.
const LARGE_LENGTH: i128 = 1 << 22;
/// Stand-in for an unset number of workgroups along an axis.
pub(crate) const SOME_GROUPS: i128 = 4;
/// Stand-in for the trips of a data-dependent loop.
const SOME_TRIPS: i128 = 16;

/// Steps of all evaluations at one launch, fractions of a second. Formulas beyond them keep no value.
const STEPS: u64 = 100_000_000;

/// Values of a program's symbols.
#[derive(Debug)]
pub(crate) struct Bindings {
    /// What the launch gives.
    pub(crate) known: Values,
    /// The same, with stand-ins for what the launch does not give.
    pub(crate) stand_in: Point,
    /// The same for the first workgroup alone.
    pub(crate) first_group: Point,
    /// Symbols without a value.
    pub(crate) missing: Vec<AtomId>,
    /// Workgroups, when the launch tells.
    pub(crate) workgroups: Option<[u32; 3]>,
    /// What the launch gives, with stand-ins for what it does not give.
    large: Values,
    /// Formulas with their values that were asked for before.
    quantities: RefCell<FxHashMap<Poly, Quantity>>,
    /// What is left of the steps of evaluations.
    steps: Cell<u64>,
}

impl Bindings {
    pub(crate) fn new(kernel: &Kernel, program: &Program, launch: &Launch) -> Bindings {
        let workgroups = launch
            .grid
            .and_then(|grid| grid.workgroups(kernel.workgroup_size));
        let mut bindings = Bound::default();
        for axis in 0..3 {
            let value = workgroups.map(|groups| Ratio::integer(groups[axis].into()));
            bindings.bind(program.groups[axis], value, SOME_GROUPS);
            if workgroups.is_none() {
                let stand_in = Poly::integer(REPRESENTATIVES[0]);
                bindings.stand_in.insert(program.workgroup[axis], stand_in);
            }
        }
        for named in &program.named {
            let Some(symbol) = program.arena.symbol(named.symbol) else {
                continue;
            };
            let (value, stand_in) = match symbol.kind {
                SymbolKind::Length => (length(launch, &named.name), LARGE_LENGTH),
                SymbolKind::Override => (override_value(kernel, launch, named), LARGE_PARAMETER),
                SymbolKind::Trips => (set(launch, &named.name), SOME_TRIPS),
                _ => (set(launch, &named.name), LARGE_PARAMETER),
            };
            bindings.bind(named.symbol, value, stand_in);
            if symbol.kind == SymbolKind::Taken && value.is_none() {
                // either side of the branch runs
                let half = Poly::one().divide_by(2);
                bindings.stand_in.insert(named.symbol, half);
            }
        }
        let mut large = bindings.known.clone();
        for symbol in &bindings.missing {
            let value = bindings.stand_in.get(symbol).and_then(Poly::as_constant);
            large.extend(value.map(|value| (*symbol, value)));
        }
        let mut first = bindings.stand_in.clone();
        first.extend(program.workgroup.map(|id| (id, Poly::zero())));
        Bindings {
            known: bindings.known,
            first_group: Point::new(first),
            stand_in: Point::new(bindings.stand_in),
            large,
            missing: bindings.missing,
            workgroups,
            quantities: RefCell::default(),
            steps: Cell::new(STEPS),
        }
    }

    /// Whether everything has a value.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// The value of a formula; `None` too where evaluations at this launch have taken too many steps.
    pub(crate) fn evaluate(
        &self,
        program: &Program,
        poly: &Poly,
        values: &Values,
    ) -> Option<Ratio> {
        let mut steps = self.steps.get();
        let value = program.arena.evaluate_within(poly, values, &mut steps);
        self.steps.set(steps);
        value
    }

    /// A formula with its value at the launch.
    pub(crate) fn quantity(&self, program: &Program, poly: &Poly) -> Quantity {
        if let Some(quantity) = self.quantities.borrow().get(poly) {
            return quantity.clone();
        }
        let quantity = self.evaluated(program, poly);
        let mut quantities = self.quantities.borrow_mut();
        quantities.insert(poly.clone(), quantity.clone());
        quantity
    }

    fn evaluated(&self, program: &Program, poly: &Poly) -> Quantity {
        let mut unknown = Vec::new();
        program.arena.for_each_atom(poly, &mut |id| {
            if self.missing.contains(&id)
                && let Some(symbol) = program.arena.symbol(id)
                && !unknown.contains(&symbol.name)
            {
                unknown.push(symbol.name.clone());
            }
        });
        let mut value = self.evaluate(program, poly, &self.known).map(Ratio::to_f64);
        if value.is_none() && vanishes(&program.arena, poly, &self.known) {
            value = Some(0.0);
            unknown.clear();
        }
        let range = match value {
            Some(_) => None,
            None => self.range(program, poly),
        };
        Quantity {
            formula: program.arena.format(poly),
            value,
            lower: range.map(|range| range.lower),
            upper: range.and_then(|range| range.upper),
            unknown,
        }
    }

    /// The range of a count over whatever data decide and nobody has set; `None` where more is missing.
    fn range(&self, program: &Program, poly: &Poly) -> Option<Range> {
        let free: Vec<AtomId> = self.missing_data(program).collect();
        let of_data = free.iter().any(|&id| program.arena.mentions(poly, id));
        if of_data {
            Range::of(self, program, poly, &free)
        } else {
            None
        }
    }

    /// The most that a count can be if data-dependent branches go as they may, whatever was set.
    pub(crate) fn at_most(&self, program: &Program, poly: &Poly) -> Option<f64> {
        let symbols = program.named.iter().map(|named| named.symbol);
        let free: Vec<AtomId> = symbols
            .filter(|&symbol| is_of_data(&program.arena, symbol))
            .collect();
        Range::of(self, program, poly, &free)?.upper
    }

    /// Fractions and trips without a value.
    fn missing_data<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = AtomId> + 'a {
        let missing = self.missing.iter().copied();
        missing.filter(|&symbol| is_of_data(&program.arena, symbol))
    }

    /// Symbols without a value that polynomials mention.
    pub(crate) fn missing_in<'p>(
        &self,
        program: &Program,
        polys: impl Iterator<Item = &'p Poly> + Clone,
    ) -> Vec<AtomId> {
        let mentioned = |symbol: &AtomId| {
            let mut polys = polys.clone();
            polys.any(|poly| program.arena.mentions(poly, *symbol))
        };
        self.missing.iter().copied().filter(mentioned).collect()
    }

    /// The value with stand-ins for what is missing.
    pub(crate) fn at_large_values(&self, program: &Program, poly: &Poly) -> Option<f64> {
        self.evaluate(program, poly, &self.large).map(Ratio::to_f64)
    }

    /// What is missing, with the flags that settle it.
    pub(crate) fn unknowns(&self, program: &Program) -> Vec<Unknown> {
        let mut unknowns = Vec::new();
        if self.workgroups.is_none() {
            unknowns.push(Unknown {
                name: "wg.x, wg.y, wg.z".to_owned(),
                meaning: "workgroups of the dispatch".to_owned(),
                settle: "--workgroups X,Y,Z (or --invocations X,Y,Z)".to_owned(),
                of_data: false,
            });
        }
        for named in &program.named {
            if !self.missing.contains(&named.symbol) {
                continue;
            }
            let kind = program
                .arena
                .symbol(named.symbol)
                .map(|symbol| symbol.kind.clone());
            let settle = match kind {
                Some(SymbolKind::Length) => format!("--len {}=N", inner(&named.name)),
                Some(SymbolKind::Override) => format!("--override {}=VALUE", named.name),
                Some(SymbolKind::Taken) => format!("--set {}=FRACTION", named.name),
                _ => format!("--set {}=VALUE", named.name),
            };
            unknowns.push(Unknown {
                name: named.name.clone(),
                meaning: named.meaning.clone(),
                settle,
                of_data: is_of_data(&program.arena, named.symbol),
            });
        }
        unknowns
    }
}

/// What [`Bindings::new`] gathers.
#[derive(Default)]
struct Bound {
    known: Values,
    stand_in: FxHashMap<AtomId, Poly>,
    missing: Vec<AtomId>,
}

impl Bound {
    fn bind(&mut self, symbol: AtomId, value: Option<Ratio>, stand_in: i128) {
        let poly = match value {
            Some(value) => {
                self.known.insert(symbol, value);
                constant(value)
            }
            None => {
                self.missing.push(symbol);
                Poly::integer(stand_in)
            }
        };
        self.stand_in.insert(symbol, poly);
    }
}

/// Whether a polynomial is zero at these values, whatever those that are missing.
pub(crate) fn vanishes(arena: &Arena, poly: &Poly, values: &Values) -> bool {
    let is_zero = |poly: &Poly| {
        arena
            .evaluate(poly, values)
            .is_some_and(|value| value == Ratio::integer(0))
    };
    let gone = |(monomial, _): &(Monomial, i128)| {
        let mut atoms = monomial.iter();
        atoms.any(|&(id, _)| is_zero(&Poly::atom(id)))
    };
    !poly.is_overflow() && (is_zero(poly) || poly.terms().iter().all(gone))
}

fn constant(value: Ratio) -> Poly {
    match value.to_integer() {
        Some(value) => Poly::integer(value),
        None => {
            let (numerator, denominator) = value.parts();
            Poly::integer(numerator).divide_by(denominator)
        }
    }
}

fn set(launch: &Launch, name: &str) -> Option<Ratio> {
    Ratio::from_f64(*launch.values.get(name)?)
}

/// The variable in `len(variable)`.
pub(crate) fn inner(name: &str) -> &str {
    name.strip_prefix("len(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap_or(name)
}

fn length(launch: &Launch, name: &str) -> Option<Ratio> {
    launch
        .lengths
        .get(inner(name))
        .map(|&elements| Ratio::integer(elements.into()))
}

fn override_value(kernel: &Kernel, launch: &Launch, named: &Named) -> Option<Ratio> {
    let of_name = |name: &str| {
        launch
            .overrides
            .get(name)
            .and_then(|&value| Ratio::from_f64(value))
    };
    let constant = kernel
        .overrides
        .iter()
        .find(|constant| constant.name == named.name)?;
    of_name(&constant.name)
        .or_else(|| constant.id.and_then(|id| of_name(&id.to_string())))
        .or_else(|| {
            constant
                .value
                .and_then(|value| value.integer())
                .map(Ratio::integer)
        })
}
