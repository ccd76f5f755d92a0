//! Values of symbols at a launch, and stand-ins for those that have none.

use cresta_ir::Kernel;
use cresta_model::launch::Launch;
use cresta_model::quantity::Quantity;
use cresta_symbolic::Values;
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::poly::{AtomId, Poly};
use cresta_symbolic::program::{Named, Program};
use cresta_symbolic::ratio::Ratio;
use rustc_hash::FxHashMap;

use crate::facts::Unknown;

/// Stand-in for an unset parameter: large, and a multiple of every line and SIMD width in elements.
const LARGE_PARAMETER: i128 = 1024;
/// Stand-in for an unset array length.
const LARGE_LENGTH: i128 = 1 << 22;
/// Stand-in for an unset number of workgroups along an axis.
const SOME_GROUPS: i128 = 4;
/// Stand-in for the trips of a data-dependent loop.
const SOME_TRIPS: i128 = 16;

/// Values of a program's symbols.
#[derive(Clone, Debug)]
pub(crate) struct Bindings {
    /// What the launch gives.
    pub(crate) known: Values,
    /// The same as polynomials, with stand-ins for what the launch does not give.
    pub(crate) stand_in: FxHashMap<AtomId, Poly>,
    /// Symbols without a value.
    pub(crate) missing: Vec<AtomId>,
    /// Workgroups, when the launch tells.
    pub(crate) workgroups: Option<[u32; 3]>,
}

impl Bindings {
    pub(crate) fn new(kernel: &Kernel, program: &Program, launch: &Launch) -> Bindings {
        let workgroups = launch
            .grid
            .and_then(|grid| grid.workgroups(kernel.workgroup_size));
        let mut bindings = Bindings {
            known: Values::default(),
            stand_in: FxHashMap::default(),
            missing: Vec::new(),
            workgroups,
        };
        for axis in 0..3 {
            let value = workgroups.map(|groups| Ratio::integer(groups[axis].into()));
            bindings.bind(program.groups[axis], value, SOME_GROUPS);
            if workgroups.is_none() {
                // a workgroup in the middle stands for all
                bindings
                    .stand_in
                    .insert(program.workgroup[axis], Poly::integer(SOME_GROUPS / 2));
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
                SymbolKind::Taken => (set(launch, &named.name), 1),
                _ => (set(launch, &named.name), LARGE_PARAMETER),
            };
            bindings.bind(named.symbol, value, stand_in);
        }
        bindings
    }

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

    /// Whether everything has a value.
    pub(crate) fn is_complete(&self) -> bool {
        self.missing.is_empty()
    }

    /// A formula with its value at the launch.
    pub(crate) fn quantity(&self, program: &Program, poly: &Poly) -> Quantity {
        let mut unknown = Vec::new();
        program.arena.for_each_atom(poly, &mut |id| {
            if self.missing.contains(&id)
                && let Some(symbol) = program.arena.symbol(id)
                && !unknown.contains(&symbol.name)
            {
                unknown.push(symbol.name.clone());
            }
        });
        let value = program.arena.evaluate(poly, &self.known).map(Ratio::to_f64);
        Quantity {
            formula: program.arena.format(poly),
            value,
            lower: None,
            upper: None,
            unknown,
        }
    }

    /// The value with stand-ins for what is missing.
    pub(crate) fn at_large_values(&self, program: &Program, poly: &Poly) -> Option<f64> {
        let mut values = self.known.clone();
        for symbol in &self.missing {
            values.insert(*symbol, self.stand_in.get(symbol)?.as_constant()?);
        }
        program.arena.evaluate(poly, &values).map(Ratio::to_f64)
    }

    /// What is missing, with the flags that settle it.
    pub(crate) fn unknowns(&self, program: &Program) -> Vec<Unknown> {
        let mut unknowns = Vec::new();
        if self.workgroups.is_none() {
            unknowns.push(Unknown {
                name: "wg.x, wg.y, wg.z".to_owned(),
                meaning: "workgroups of the dispatch".to_owned(),
                settle: "--workgroups X,Y,Z (or --invocations X,Y,Z)".to_owned(),
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
            });
        }
        unknowns
    }
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
