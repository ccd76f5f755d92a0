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
//! | `(h + s) mod m` | (initial + `s t`) mod `m` |
//! | `f(t)` without `h` | initial, then `f(t - 1)` |
//!
//! Everything else is data.

use cresta_ir::visit::{for_each_read, for_each_write, nested};
use cresta_ir::{Instruction, Kernel, Kind, Operand, Register};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::arena::{Arena, Atom, Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Poly};
use crate::sum::Variable;
use crate::value::{Truth, Value};

use super::loops::{Loop, MetExit, Pass};
use super::state::Walker;

/// Registers that an iteration may read before it writes them.
pub(super) fn carried_registers(
    kernel: &Kernel,
    parts: &Loop<'_>,
    written: &FxHashSet<Register>,
) -> Vec<Register> {
    let mut scan = Scan {
        kernel,
        written,
        carried: FxHashSet::default(),
    };
    let mut defined = FxHashSet::default();
    scan.block(parts.body, &mut defined);
    scan.block(parts.continuing, &mut defined);
    if let Some(Operand::Register(register)) = parts.break_if {
        scan.read(register, &defined);
    }
    let mut carried: Vec<Register> = scan.carried.into_iter().collect();
    carried.sort_unstable();
    carried
}

struct Scan<'a> {
    kernel: &'a Kernel,
    written: &'a FxHashSet<Register>,
    carried: FxHashSet<Register>,
}

impl Scan<'_> {
    fn read(&mut self, register: Register, defined: &FxHashSet<Register>) {
        if self.written.contains(&register) && !defined.contains(&register) {
            self.carried.insert(register);
        }
    }

    fn block(&mut self, block: &[Instruction], defined: &mut FxHashSet<Register>) {
        for instruction in block {
            for_each_read(self.kernel, &instruction.kind, |operand| {
                if let Operand::Register(register) = operand {
                    self.read(register, defined);
                }
            });
            match &instruction.kind {
                // both sides define, or neither counts as defining
                Kind::If { accept, reject, .. } => {
                    let mut other = defined.clone();
                    self.block(accept, defined);
                    self.block(reject, &mut other);
                    defined.retain(|register| other.contains(register));
                }
                kind => {
                    for inner in nested(kind) {
                        self.block(inner, &mut defined.clone());
                    }
                }
            }
            for_each_write(&instruction.kind, |register| {
                defined.insert(register);
            });
        }
    }
}

impl Walker<'_> {
    /// Closed forms of the carried registers, and the exits of an iteration in terms of them.
    pub(super) fn close(
        &mut self,
        parts: &Loop<'_>,
        carried: &[Register],
        initial: &[Value],
        iteration: AtomId,
    ) -> (Vec<Value>, Vec<MetExit>) {
        const TRIALS: u32 = 3;
        let mark = self.program.arena.mark();
        let mut heads: Vec<(AtomId, Uniformity)> = initial
            .iter()
            .map(|value| {
                let uniformity = if self.trial > 1 {
                    Uniformity::Lane
                } else {
                    value.uniformity(&self.program.arena)
                };
                (self.head(value, uniformity), uniformity)
            })
            .collect();
        let mut trial = 0;
        loop {
            let values: Vec<Value> = initial
                .iter()
                .zip(&heads)
                .map(|(value, &(head, _))| match value {
                    Value::Whole(_) => Value::Whole(Poly::atom(head)),
                    _ => Value::Other(Uniformity::Lane),
                })
                .collect();
            let pass = self.trial_pass(parts, carried, &values);
            trial += 1;
            let closed = self.closed_forms(initial, &heads, &pass, iteration, mark);
            let mut settled = true;
            for ((form, head), next) in closed.iter().zip(&mut heads).zip(&pass.next) {
                let reached = next.uniformity(&self.program.arena);
                if form.is_none() && matches!(next, Value::Whole(_)) && reached < head.1 {
                    head.1 = if trial + 1 >= TRIALS {
                        Uniformity::Lane
                    } else {
                        reached
                    };
                    settled = false;
                }
            }
            if settled || trial >= TRIALS {
                return self.expressed(carried, initial, &heads, &closed, pass);
            }
            for (head, uniformity) in &heads {
                if let Some(symbol) = self.program.arena.symbol_mut(*head) {
                    symbol.uniformity = *uniformity;
                }
            }
        }
    }

    fn head(&mut self, value: &Value, uniformity: Uniformity) -> AtomId {
        let least = match value {
            Value::Whole(poly) if self.program.arena.is_nonnegative(poly) => Some(0),
            _ => None,
        };
        self.arena().fresh(Symbol {
            name: "h".to_owned(),
            kind: SymbolKind::Summation,
            uniformity,
            least,
            greatest: None,
        })
    }

    /// Rewrites what a trial found in terms of closed forms; registers without one become data.
    fn expressed(
        &mut self,
        carried: &[Register],
        initial: &[Value],
        heads: &[(AtomId, Uniformity)],
        closed: &[Option<Poly>],
        pass: Pass,
    ) -> (Vec<Value>, Vec<MetExit>) {
        let mut with = FxHashMap::default();
        let mut forms = Vec::new();
        for (index, form) in closed.iter().enumerate() {
            let (head, uniformity) = heads[index];
            let value = match (form, &initial[index]) {
                (Some(form), _) => Value::Whole(form.clone()),
                (None, Value::Whole(_)) => self.unknown_of(carried[index], uniformity),
                (None, _) => Value::Other(Uniformity::Lane),
            };
            if let Value::Whole(poly) = &value {
                with.insert(head, poly.clone());
            }
            forms.push(value);
        }
        let mut exits = pass.exits;
        for exit in &mut exits {
            let holds = self.arena().substitute(&exit.truth.holds, &with);
            let fails = self.arena().substitute(&exit.truth.fails, &with);
            exit.truth = Truth { holds, fails };
        }
        (forms, exits)
    }

    fn closed_forms(
        &mut self,
        initial: &[Value],
        heads: &[(AtomId, Uniformity)],
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
                let head = heads[index].0;
                let next = self.arena().substitute(next, &with);
                if self.is_unsettled(&next, head, heads, mark) {
                    continue;
                }
                if let Some(form) = self.form(start, &next, head, iteration) {
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
    fn is_unsettled(
        &self,
        next: &Poly,
        head: AtomId,
        heads: &[(AtomId, Uniformity)],
        mark: usize,
    ) -> bool {
        let arena = &self.program.arena;
        let mut unsettled = false;
        arena.for_each_atom(next, &mut |id| {
            let Some(symbol) = arena.symbol(id) else {
                unsettled |= arena.atom(id).is_none();
                return;
            };
            unsettled |= match symbol.kind {
                SymbolKind::Taken => true,
                SymbolKind::Data | SymbolKind::Trips | SymbolKind::Iteration => id.index() >= mark,
                SymbolKind::Summation => id != head && heads.iter().any(|&(other, _)| other == id),
                _ => false,
            };
        });
        unsettled
    }

    fn form(&mut self, start: &Poly, next: &Poly, head: AtomId, t: AtomId) -> Option<Poly> {
        let arena = &mut self.program.arena;
        if !arena.mentions(next, head) {
            return Some(arena.shifted(start, next, t));
        }
        let step = next.sub(&Poly::atom(head));
        if !arena.mentions(&step, head) {
            return arena.accumulated(start, &step, t);
        }
        let (coefficient, rest) = next.linear_in(head)?;
        if rest.is_zero()
            && let Some(factor) = coefficient
                .as_integer()
                .filter(|&f| f > 1 && f & (f - 1) == 0)
        {
            let exponent = Poly::atom(t).scale(factor.trailing_zeros().into());
            return Some(start.mul(&arena.power_of_two(&exponent)));
        }
        if coefficient.as_integer() == Some(-1) && !arena.mentions(&rest, head) {
            let odd = arena.modulo(&Poly::atom(t), &Poly::integer(2));
            return (!arena.mentions(&rest, t))
                .then(|| start.add(&rest.sub(&start.scale(2)).mul(&odd)));
        }
        arena.quotient_form(start, next, head, t)
    }

    /// The indicator as one that never returns to 1 once it is 0 as `t` grows, or `None`.
    pub(super) fn monotone(&mut self, stay: &Poly, t: AtomId) -> Option<Poly> {
        if let Some(explicit) = self.counts_to_equality(stay, t) {
            return Some(explicit);
        }
        let [(monomial, 1)] = stay.terms() else {
            return (!self.program.arena.mentions(stay, t)).then(|| stay.clone());
        };
        let mut product = Poly::one();
        for &(id, _) in monomial {
            let factor = Poly::atom(id);
            let arena = &mut self.program.arena;
            if arena
                .symbol(id)
                .is_some_and(|symbol| symbol.kind == SymbolKind::Taken)
            {
                return None;
            }
            let factor = if arena.mentions(&factor, t) {
                arena.falling(id, t)?
            } else {
                factor
            };
            product = product.mul(&factor);
        }
        Some(product)
    }

    /// `p ≠ 0` for `p` that steps by one: the loop runs until it is met.
    fn counts_to_equality(&mut self, stay: &Poly, t: AtomId) -> Option<Poly> {
        let met = Poly::one().sub(stay).as_atom()?;
        let Some(Atom::Zero(p)) = self.program.arena.atom(met).cloned() else {
            return None;
        };
        let (a, r) = p.linear_in(t)?;
        let a = a.as_integer().filter(|a| a.abs() == 1)?;
        if self.program.arena.mentions(&r, t) {
            return None;
        }
        self.assume("a loop that ends on equality meets it");
        let trips = r.scale(-a);
        let ahead = trips.sub(&Poly::atom(t)).add_integer(-1);
        Some(self.arena().nonnegative(&ahead))
    }
}

impl Arena {
    /// `start` at `t = 0`, then `next(t - 1)`.
    fn shifted(&mut self, start: &Poly, next: &Poly, t: AtomId) -> Poly {
        if next == start {
            return start.clone();
        }
        let before = self.replace(next, t, &Poly::atom(t).add_integer(-1));
        let later = self.nonnegative(&Poly::atom(t).add_integer(-1));
        self.choose(&later, &before, start)
    }

    fn accumulated(&mut self, start: &Poly, step: &Poly, t: AtomId) -> Option<Poly> {
        if !self.mentions(step, t) {
            return Some(start.add(&step.mul(&Poly::atom(t))));
        }
        let earlier = self.fresh(Symbol {
            name: "u".to_owned(),
            kind: SymbolKind::Summation,
            uniformity: Uniformity::Launch,
            least: Some(0),
            greatest: Some(Poly::atom(t).add_integer(-1)),
        });
        let step = self.replace(step, t, &Poly::atom(earlier));
        let variable = Variable {
            symbol: earlier,
            count: Some(Poly::atom(t)),
        };
        let sum = self.sum_over(vec![variable], &step);
        let mut open = false;
        self.for_each_atom(&sum, &mut |id| {
            open |= matches!(self.atom(id), None | Some(Atom::Sum { .. }));
        });
        (!open).then(|| start.add(&sum))
    }

    fn quotient_form(
        &mut self,
        start: &Poly,
        next: &Poly,
        head: AtomId,
        t: AtomId,
    ) -> Option<Poly> {
        match self.atom(next.as_atom()?).cloned()? {
            Atom::FloorDiv(a, b) if a.as_atom() == Some(head) => {
                let divisor = b.as_integer().filter(|&d| d > 1 && d & (d - 1) == 0)?;
                let exponent = Poly::atom(t).scale(divisor.trailing_zeros().into());
                let power = self.power_of_two(&exponent);
                Some(self.floor_div(start, &power))
            }
            Atom::Mod(a, m) => {
                let (coefficient, step) = a.linear_in(head)?;
                let fits = self.is_nonnegative(start)
                    && self.is_at_most(start, &m.add_integer(-1))
                    && coefficient.as_integer() == Some(1)
                    && !self.mentions(&step, head)
                    && !self.mentions(&step, t)
                    && !self.mentions(&m, t);
                let total = start.add(&step.mul(&Poly::atom(t)));
                fits.then(|| self.modulo(&total, &m))
            }
            _ => None,
        }
    }

    /// An indicator `p ≥ 0` with `p` falling in `t`, written so that sums over `t` can use it.
    fn falling(&mut self, id: AtomId, t: AtomId) -> Option<Poly> {
        let Atom::NonNegative(p) = self.atom(id)?.clone() else {
            return None;
        };
        if let Some((a, r)) = p.linear_in(t)
            && !a.is_zero()
            && !self.mentions(&r, t)
            && !self.mentions(&a, t)
        {
            let falls = self.is_nonnegative(&a.neg());
            return falls.then(|| Poly::atom(id));
        }
        let power = p.atoms().find(|&atom| {
            matches!(self.atom(atom), Some(Atom::PowerOfTwo(_)))
                && self.mentions(&Poly::atom(atom), t)
        })?;
        let Some(Atom::PowerOfTwo(exponent)) = self.atom(power).cloned() else {
            return None;
        };
        let (a, r) = p.linear_in(power)?;
        let factor = exponent
            .divide_exactly(&Poly::atom(t))?
            .as_integer()
            .filter(|&k| k > 0)?;
        let positive = self.is_nonnegative(&a.neg());
        if !positive || self.mentions(&r, t) || self.mentions(&a, t) {
            return None;
        }
        // c 2^(k t) ≤ r while k t < bits of floor(r / c)
        let quotient = self.floor_div(&r, &a.neg());
        let bits = self.bit_length(&quotient);
        let trips = self.ceil_div(&bits, &Poly::integer(factor));
        Some(self.nonnegative(&trips.sub(&Poly::atom(t)).add_integer(-1)))
    }
}
