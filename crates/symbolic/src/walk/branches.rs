//! Branches, switches, labelled blocks, and the merging of values.

use std::ops::Range;

use cresta_ir::{Case, Instruction, Label, Operand, Register, SpanId};
use rustc_hash::FxHashMap;

use crate::arena::{SymbolKind, Uniformity};
use crate::poly::{Monomial, Poly};
use crate::program::BranchSummary;
use crate::value::{Truth, Value};

use super::frames::FrameKind;
use super::state::Walker;

impl Walker<'_> {
    pub(super) fn truth_of(&mut self, operand: Operand) -> Result<Truth, Uniformity> {
        match self.read(operand) {
            Value::Truth(truth) => Ok(truth),
            value => Err(value.uniformity(&self.program.arena)),
        }
    }

    /// The condition of a branch, with what depends on data replaced by a named fraction.
    fn branch_condition(
        &mut self,
        truth: Result<Truth, Uniformity>,
        name: &str,
        span: SpanId,
    ) -> Truth {
        let (known, uniformity) = match truth {
            Ok(truth) if !self.program.arena.depends_on_data(&truth.holds) => {
                let uniformity = self.program.arena.uniformity(&truth.holds);
                let constant = truth.is_always() || truth.is_never();
                self.note_branch(span, uniformity, None, constant);
                return truth;
            }
            Ok(truth) => (
                self.known_factors(&truth.holds),
                self.program.arena.uniformity(&truth.holds),
            ),
            Err(uniformity) => (Poly::one(), uniformity),
        };
        let taken = self.taken(name, uniformity, span);
        let holds = known.mul(&taken);
        Truth::from_indicator(self.arena(), holds)
    }

    /// The fraction of lanes that take a data-dependent branch, of those that reach it and for which
    /// the rest of its condition holds.
    pub(super) fn taken(&mut self, name: &str, uniformity: Uniformity, span: SpanId) -> Poly {
        let symbol = self.name_symbol(
            SymbolKind::Taken,
            name.to_owned(),
            "fraction of lanes that take the branch",
            uniformity,
            Some(0),
            Some(Poly::one()),
        );
        self.note_branch(span, uniformity, Some(name.to_owned()), false);
        Poly::atom(symbol)
    }

    fn note_branch(
        &mut self,
        span: SpanId,
        uniformity: Uniformity,
        unknown: Option<String>,
        constant: bool,
    ) {
        if self.trial == 0 && !constant {
            self.program.branches.push(BranchSummary {
                span,
                uniformity,
                unknown,
            });
        }
    }

    /// The factors of a product of indicators that do not depend on data.
    fn known_factors(&self, holds: &Poly) -> Poly {
        let [(monomial, 1)] = holds.terms() else {
            return Poly::one();
        };
        if holds.denominator() != 1 {
            return Poly::one();
        }
        let known: Monomial = monomial
            .iter()
            .filter(|&&(atom, _)| !self.program.arena.depends_on_data(&Poly::atom(atom)))
            .copied()
            .collect();
        Poly::monomial(known)
    }

    pub(super) fn branch(
        &mut self,
        condition: Operand,
        accept: &[Instruction],
        reject: &[Instruction],
        span: SpanId,
        within: &Range<u32>,
    ) -> bool {
        let truth = self.truth_of(condition);
        let name = self.name_at("taken", span);
        let truth = self.branch_condition(truth, &name, span);
        if truth.is_always() {
            return self.block(accept);
        }
        if truth.is_never() {
            return self.block(reject);
        }
        let sides = [(truth.clone(), accept), (truth.not(), reject)];
        self.alternatives(&sides, within)
    }

    /// Runs bodies that exclude one another, each under its condition, and merges.
    fn alternatives(&mut self, sides: &[(Truth, &[Instruction])], within: &Range<u32>) -> bool {
        let depth = self.condition.len();
        let first = self.exits.len();
        let mark = self.journal.len();
        let mut outcomes: Vec<(Truth, Vec<(Register, Value)>)> = Vec::new();
        for (truth, body) in sides {
            let own = self.exits.len();
            self.hold(truth.holds.clone(), false);
            let falls = self.block(body);
            self.end_conditions(depth, own);
            let written = self.roll_back(mark, within);
            if falls {
                outcomes.push((truth.clone(), written));
            }
        }
        self.merge_outcomes(&outcomes);
        self.rejoin(first);
        !outcomes.is_empty()
    }

    fn merge_outcomes(&mut self, outcomes: &[(Truth, Vec<(Register, Value)>)]) {
        let Some((_, last)) = outcomes.last() else {
            return;
        };
        if outcomes.len() == 1 {
            for (register, value) in last {
                self.write(*register, value.clone());
            }
            return;
        }
        let maps: Vec<FxHashMap<Register, &Value>> = outcomes
            .iter()
            .map(|(_, written)| {
                written
                    .iter()
                    .map(|(register, value)| (*register, value))
                    .collect()
            })
            .collect();
        let mut registers: Vec<Register> = outcomes
            .iter()
            .flat_map(|(_, written)| written.iter().map(|(r, _)| *r))
            .collect();
        registers.sort_unstable();
        registers.dedup();
        for register in registers {
            let before = self.registers[register.0 as usize].clone();
            let value_in = |map: &FxHashMap<Register, &Value>| {
                map.get(&register)
                    .map_or_else(|| before.clone(), |&value| value.clone())
            };
            let mut merged = maps.last().map(value_in).unwrap_or_else(|| before.clone());
            for (map, (truth, _)) in maps.iter().zip(outcomes).rev().skip(1) {
                let value = value_in(map);
                merged = self.merge_values(truth, &value, &merged);
            }
            self.write(register, merged);
        }
    }

    /// `accept` where the condition holds, else `reject`.
    pub(super) fn merge_values(&mut self, truth: &Truth, accept: &Value, reject: &Value) -> Value {
        const TERMS: usize = 12;
        if accept == reject || truth.is_always() {
            return accept.clone();
        }
        let arena = &self.program.arena;
        let uniformity = arena
            .uniformity(&truth.holds)
            .min(accept.uniformity(arena))
            .min(reject.uniformity(arena));
        let fraction = arena.has_fraction(&truth.holds);
        match (accept, reject) {
            (Value::Whole(a), Value::Whole(b)) => {
                let arena = &mut self.program.arena;
                let (a, b) = (&arena.under(&truth.holds, a), &arena.under(&truth.fails, b));
                if !fraction && a.terms().len() + b.terms().len() <= TERMS {
                    let arena = &mut self.program.arena;
                    return Value::Whole(arena.choose(&truth.holds, a, b));
                }
                let least = arena.least(a).zip(arena.least(b)).map(|(x, y)| x.min(y));
                Value::Whole(Poly::atom(self.data(uniformity, least)))
            }
            (Value::Truth(a), Value::Truth(b))
                if !fraction && a.holds.terms().len() + b.holds.terms().len() <= TERMS =>
            {
                let holds = self.program.arena.choose(&truth.holds, &a.holds, &b.holds);
                Value::Truth(Truth::from_indicator(self.arena(), holds))
            }
            _ => Value::Other(uniformity),
        }
    }

    pub(super) fn labelled(
        &mut self,
        label: Label,
        body: &[Instruction],
        within: Range<u32>,
    ) -> bool {
        let depth = self.condition.len();
        let first = self.exits.len();
        let frame = self.frames.len();
        self.push_frame(FrameKind::Block, label, within, Vec::new());
        let falls = self.block(body);
        self.end_labelled(frame, depth, first, falls)
    }

    /// Goes on after a construct that can be left; whether control gets there.
    fn end_labelled(&mut self, frame: usize, depth: usize, first: usize, falls: bool) -> bool {
        self.end_conditions(depth, first);
        let reached = self.merge_exits(frame, first, falls);
        self.frames.truncate(frame);
        self.rejoin(first);
        reached
    }

    pub(super) fn switch(
        &mut self,
        label: Label,
        selector: Operand,
        cases: &[Case],
        span: SpanId,
        within: &Range<u32>,
    ) -> bool {
        let value = self.read(selector);
        let depth = self.condition.len();
        let first = self.exits.len();
        let frame = self.frames.len();
        self.push_frame(FrameKind::Block, label, within.clone(), Vec::new());
        let sides = self.case_conditions(&value, cases, span);
        let bodies: Vec<(Truth, &[Instruction])> = sides
            .into_iter()
            .zip(cases)
            .filter(|(truth, _)| !truth.is_never())
            .map(|(truth, case)| (truth, case.body.as_slice()))
            .collect();
        let falls = match bodies.as_slice() {
            [(truth, body)] if truth.is_always() => self.block(body),
            bodies => self.alternatives(bodies, within),
        };
        self.end_labelled(frame, depth, first, falls)
    }

    fn case_conditions(&mut self, value: &Value, cases: &[Case], span: SpanId) -> Vec<Truth> {
        let uniformity = value.uniformity(&self.program.arena);
        let selector = match value {
            Value::Whole(poly) if !self.program.arena.depends_on_data(poly) => Some(poly.clone()),
            _ => None,
        };
        let mut conditions = Vec::new();
        let mut any = Truth::known(false);
        for case in cases {
            if case.default {
                conditions.push(Truth::always());
                continue;
            }
            let truth = match &selector {
                Some(selector) => {
                    let mut truth = Truth::known(false);
                    for value in &case.values {
                        let difference = selector.add_integer(-i128::from(*value));
                        let equal = Truth::zero(self.arena(), &difference);
                        truth = truth.or(self.arena(), &equal);
                    }
                    truth
                }
                None => {
                    let first = case.values.first().copied().unwrap_or_default();
                    let name = format!("{}#{first}", self.name_at("taken", span));
                    let taken = self.taken(&name, uniformity, span);
                    Truth::from_indicator(self.arena(), taken)
                }
            };
            any = match &selector {
                Some(_) => any.or(self.arena(), &truth),
                // cases of one selector exclude one another, so that fractions add up
                None => Truth::from_indicator(self.arena(), any.holds.add(&truth.holds)),
            };
            conditions.push(truth);
        }
        for (condition, case) in conditions.iter_mut().zip(cases) {
            if case.default {
                *condition = any.not();
            }
        }
        if selector.is_some() {
            let constant = conditions
                .iter()
                .all(|truth| truth.is_always() || truth.is_never());
            self.note_branch(span, uniformity, None, constant);
        }
        conditions
    }
}
