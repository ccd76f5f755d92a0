//! Closed forms of registers that a loop carries from one iteration to the next.
//!
//! The body is run with a symbol `h` for what each carried register holds at the start of an
//! iteration. From what it holds at the end:
//!
//! | end of iteration | at iteration `t` |
//! | --- | --- |
//! | `h` | initial value |
//! | `h + s`, `s` the same in every iteration | initial + `s t` |
//! | `h + s(t)` | initial + `Σ s` |
//! | `2^k h` | initial × `2^(k t)` |
//! | `floor(h / 2^k)` | `floor(initial / 2^(k t))` |
//! | `c - h` | initial, `c` - initial, initial, … |
//! | `c ^ h` | initial, `c` ^ initial, initial, … |
//! | `(h + s) mod m` | (initial + `s t`) mod `m` |
//! | `f(t)` without `h` | initial, then `f(t - 1)` |
//!
//! Everything else is data.

use cresta_ir::Register;
use rustc_hash::FxHashMap;

use crate::arena::{Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Poly};
use crate::value::{Truth, Value};

use super::loops::{Loop, MetExit, Pass};
use super::state::{HEAVIEST, Walker};

/// Runs of a body before every register is taken to differ between lanes.
const TRIALS: u32 = 3;

/// What stands for a carried register at the start of an iteration.
struct Head {
    symbol: AtomId,
    uniformity: Uniformity,
}

/// What a loop does from one iteration to the next.
pub(super) struct Closed {
    /// Carried registers at iteration `t`.
    pub(super) forms: Vec<Value>,
    /// Exits of an iteration in terms of them.
    pub(super) exits: Vec<MetExit>,
    /// Whether an exit is never taken by what the forms say, unless values wrap.
    pub(super) vanishes: bool,
    /// Carried registers after an iteration, in terms of what they held before it.
    next: Vec<Value>,
    /// What they hold before it.
    with: FxHashMap<AtomId, Poly>,
}

impl Walker<'_> {
    /// Closed forms of the carried registers, and the exits of an iteration in terms of them.
    pub(super) fn close(
        &mut self,
        parts: &Loop<'_>,
        carried: &[Register],
        initial: &[Value],
        iteration: AtomId,
    ) -> Closed {
        let mark = self.program.arena.mark();
        let mut heads = Vec::with_capacity(carried.len());
        for (register, value) in carried.iter().zip(initial) {
            let uniformity = if self.trial > 1 {
                Uniformity::Lane
            } else {
                value.uniformity(&self.program.arena)
            };
            heads.push(self.head(*register, uniformity));
        }
        let mut trial = 1;
        loop {
            let values: Vec<Value> = initial
                .iter()
                .zip(&heads)
                .map(|(value, head)| match value {
                    Value::Whole(_) => Value::Whole(Poly::atom(head.symbol)),
                    _ => Value::Other(Uniformity::Lane),
                })
                .collect();
            let pass = self.trial_pass(parts, carried, &values);
            let closed = self.closed_forms(initial, &heads, &pass, iteration, mark);
            trial += 1;
            let mut settled = true;
            for (index, head) in heads.iter_mut().enumerate() {
                let Value::Whole(next) = &pass.next[index] else {
                    continue;
                };
                let next = closed[index].as_ref().unwrap_or(next);
                let reached = self.program.arena.uniformity(next);
                if reached < head.uniformity {
                    *head = self.head(carried[index], reached);
                    settled = false;
                }
            }
            if settled {
                return self.expressed(carried, initial, &heads, &closed, pass);
            }
            if trial == TRIALS {
                for (register, head) in carried.iter().zip(&mut heads) {
                    *head = self.head(*register, Uniformity::Lane);
                }
            }
        }
    }

    fn head(&mut self, register: Register, uniformity: Uniformity) -> Head {
        let scalar = self.kernel.register_type(register);
        let least = (scalar.is_integer() && !scalar.is_signed()).then_some(0);
        let symbol = self.arena().fresh(Symbol {
            name: "h".to_owned(),
            kind: SymbolKind::Summation,
            uniformity,
            least,
            greatest: None,
        });
        Head { symbol, uniformity }
    }

    /// Rewrites what a trial found in terms of closed forms; registers without one become data.
    fn expressed(
        &mut self,
        carried: &[Register],
        initial: &[Value],
        heads: &[Head],
        closed: &[Option<Poly>],
        pass: Pass,
    ) -> Closed {
        let mut with = FxHashMap::default();
        let mut forms = Vec::new();
        for (index, form) in closed.iter().enumerate() {
            let value = match (form, &initial[index]) {
                (Some(form), _) => Value::Whole(form.clone()),
                (None, Value::Whole(_)) => self.unknown_of(carried[index], heads[index].uniformity),
                (None, _) => Value::Other(Uniformity::Lane),
            };
            if let Value::Whole(poly) = &value {
                with.insert(heads[index].symbol, poly.clone());
            }
            forms.push(value);
        }
        let mut exits = pass.exits;
        let mut vanishes = false;
        for exit in &mut exits {
            let possible = !exit.truth.is_never();
            exit.truth = self.truth_with(&exit.truth, &with);
            vanishes |= possible && exit.truth.is_never();
            // only of interest where no second run shows them
            if self.trial > 0 {
                let values = exit.values.iter_mut().map(|(_, value)| value);
                for value in values.chain(&mut exit.carried) {
                    *value = match &*value {
                        Value::Whole(poly) => Value::Whole(self.arena().substitute(poly, &with)),
                        Value::Truth(truth) => Value::Truth(self.truth_with(truth, &with)),
                        Value::Other(uniformity) => Value::Other(*uniformity),
                    };
                }
            }
        }
        Closed {
            forms,
            exits,
            vanishes,
            next: pass.next,
            with,
        }
    }

    /// Whether a run with the closed forms shows that values wrap in iterations from which the forms
    /// were taken.
    pub(super) fn is_refuted(&mut self, closed: &Closed, pass: &Pass) -> bool {
        let whole = |value: &Value| match value {
            Value::Whole(poly) => Some(poly.clone()),
            _ => None,
        };
        for (expected, found) in closed.next.iter().zip(&pass.next) {
            let (Some(expected), Some(found)) = (whole(expected), whole(found)) else {
                continue;
            };
            let expected = self.arena().substitute(&expected, &closed.with);
            if self.program.arena.differ_by_wrapping(&expected, &found) {
                return true;
            }
        }
        let arena = &self.program.arena;
        closed.exits.iter().any(|expected| {
            let known = |exit: &&MetExit| !arena.depends_on_data(&exit.truth.holds);
            let mut found = pass.exits.iter().filter(known);
            found.any(|exit| {
                exit.key == expected.key
                    && known(&expected)
                    && exit.truth.holds != expected.truth.holds
            })
        })
    }

    fn truth_with(&mut self, truth: &Truth, with: &FxHashMap<AtomId, Poly>) -> Truth {
        Truth {
            holds: self.arena().substitute(&truth.holds, with),
            fails: self.arena().substitute(&truth.fails, with),
        }
    }

    fn closed_forms(
        &mut self,
        initial: &[Value],
        heads: &[Head],
        pass: &Pass,
        iteration: AtomId,
        mark: usize,
    ) -> Vec<Option<Poly>> {
        let mut closed: Vec<Option<Poly>> = vec![None; heads.len()];
        let mut with: FxHashMap<AtomId, Poly> = FxHashMap::default();
        loop {
            let mut progress = false;
            for index in 0..heads.len() {
                let (Value::Whole(start), Value::Whole(next)) =
                    (&initial[index], &pass.next[index])
                else {
                    continue;
                };
                if closed[index].is_some() {
                    continue;
                }
                let head = heads[index].symbol;
                let next = self.arena().substitute(next, &with);
                if self.is_unsettled(&next, head, heads, mark) {
                    continue;
                }
                if let Some(form) = self.arena().form(start, &next, head, iteration)
                    && self.program.arena.weight(&form) <= HEAVIEST
                {
                    with.insert(head, form.clone());
                    closed[index] = Some(form);
                    progress = true;
                }
            }
            if !progress {
                return closed;
            }
        }
    }

    /// Whether a change mentions another register without closed form, or anything that the body
    /// makes anew in each iteration.
    fn is_unsettled(&self, next: &Poly, head: AtomId, heads: &[Head], mark: usize) -> bool {
        let arena = &self.program.arena;
        let mut unsettled = next.is_overflow();
        arena.for_each_symbol(next, |id, symbol| {
            unsettled |= match symbol.kind {
                SymbolKind::Taken => true,
                SymbolKind::Data | SymbolKind::Trips | SymbolKind::Iteration => id.index() >= mark,
                SymbolKind::Summation => id != head && heads.iter().any(|other| other.symbol == id),
                _ => false,
            };
        });
        unsettled
    }
}
