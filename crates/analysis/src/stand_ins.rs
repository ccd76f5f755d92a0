//! Where an access is looked at when nothing runs at the first stand-ins: in other workgroups, and at
//! values of unset parameters that meet the conditions around it (modes, switches, degrees).
//!
//! Start at [`Bindings::alternatives`].

use cresta_symbolic::Values;
use cresta_symbolic::arena::{Arena, Atom, SymbolKind};
use cresta_symbolic::point::Point;
use cresta_symbolic::poly::{AtomId, Poly};
use cresta_symbolic::program::{PlacedAccess, Program};
use cresta_symbolic::ratio::Ratio;

use crate::values::{Bindings, LARGE_PARAMETER, SOME_GROUPS, vanishes};

/// Workgroups that may stand for all of an unset number, along each axis: the middle first, since
/// guards and clamps at the edges bend the others.
pub(crate) const REPRESENTATIVES: [i128; 4] = [SOME_GROUPS / 2, 0, 1, SOME_GROUPS - 1];
/// Values that are tried for an unset parameter beside those at which a condition changes.
const SMALL_PARAMETERS: [i128; 4] = [1, 0, 2, 3];

/// A further point at which an access may be looked at.
pub(crate) struct Alternative {
    pub(crate) point: Point,
    /// Parameters that are not at their first stand-in.
    pub(crate) chosen: Vec<(AtomId, i128)>,
}

impl Bindings {
    /// Further points at which an access may be looked at where nothing runs at the stand-ins, the best
    /// first: those that differ in the workgroup, then in parameters too.
    pub(crate) fn alternatives(
        &self,
        program: &mut Program,
        placed: &PlacedAccess,
    ) -> Vec<Alternative> {
        let mut choices = vec![Vec::new()];
        for part in program.parts(placed.region) {
            let choice = self.meeting(program, &part.indicator);
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        let groups: &[i128] = match self.workgroups {
            None => &REPRESENTATIVES,
            Some(_) => &REPRESENTATIVES[..1],
        };
        let pairs = choices
            .iter()
            .flat_map(|choice| groups.iter().map(move |&group| (choice, group)));
        // the first is where the access was looked at
        let further = pairs.skip(1).map(|(choice, group)| {
            let mut values = self.stand_in.values().clone();
            if self.workgroups.is_none() {
                values.extend(program.workgroup.map(|id| (id, Poly::integer(group))));
            }
            values.extend(choice.iter().map(|&(id, value)| (id, Poly::integer(value))));
            Alternative {
                point: Point::new(values),
                chosen: choice.clone(),
            }
        });
        further.collect()
    }

    /// Values of unset parameters other than their stand-ins, one after the other, so that `indicator`
    /// is not zero whatever else is.
    fn meeting(&self, program: &Program, indicator: &Poly) -> Vec<(AtomId, i128)> {
        let arena = &program.arena;
        let is_parameter = |&&symbol: &&AtomId| {
            let kind = arena.symbol(symbol).map(|symbol| &symbol.kind);
            matches!(kind, Some(SymbolKind::Parameter | SymbolKind::Override))
                && arena.mentions(indicator, symbol)
        };
        let mut values = self.known.clone();
        let mut chosen = Vec::new();
        for &symbol in self.missing.iter().filter(is_parameter) {
            let first = std::iter::once(LARGE_PARAMETER);
            let changes = changes(arena, indicator, symbol, &values);
            let met = first.chain(SMALL_PARAMETERS).chain(changes).find(|&value| {
                values.insert(symbol, Ratio::integer(value));
                !vanishes(arena, indicator, &values)
            });
            let value = met.unwrap_or(LARGE_PARAMETER);
            values.insert(symbol, Ratio::integer(value));
            if value != LARGE_PARAMETER {
                chosen.push((symbol, value));
            }
        }
        chosen
    }
}

/// Values of `symbol` at and beside which a condition of `indicator` changes, as far as the rest of it
/// is known.
fn changes(arena: &Arena, indicator: &Poly, symbol: AtomId, values: &Values) -> Vec<i128> {
    let least = arena.symbol(symbol).and_then(|symbol| symbol.least);
    let mut all = Vec::new();
    arena.for_each_atom(indicator, &mut |id| {
        if let Some(Atom::NonNegative(form) | Atom::Zero(form)) = arena.atom(id)
            && let Some(root) = root(arena, form, symbol, values)
        {
            all.extend([root, root + 1, root - 1]);
        }
    });
    all.retain(|&value| least.is_none_or(|least| value >= least));
    all
}

/// The whole number at or below the value of `symbol` at which a form that is linear in it is zero.
fn root(arena: &Arena, form: &Poly, symbol: AtomId, values: &Values) -> Option<i128> {
    let linear = form
        .terms()
        .iter()
        .find(|(monomial, _)| matches!(monomial.as_slice(), [(id, 1)] if *id == symbol))?;
    let rest = form.sub(
        &Poly::atom(symbol)
            .scale(linear.1)
            .divide_by(form.denominator()),
    );
    if arena.mentions(&rest, symbol) {
        return None;
    }
    let (numerator, denominator) = arena.evaluate(&rest, values)?.parts();
    let slope = linear.1.checked_mul(denominator)?;
    let zero = numerator.checked_mul(form.denominator())?.checked_neg()?;
    let root = match slope > 0 {
        true => zero.div_euclid(slope),
        false => zero.checked_neg()?.div_euclid(slope.checked_neg()?),
    };
    (root.abs() < i128::from(u64::MAX)).then_some(root)
}
