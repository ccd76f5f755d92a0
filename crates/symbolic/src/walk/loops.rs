//! Loops.
//!
//! A first run of the body, which records nothing, shows how registers change in one iteration and
//! where the loop is left. [`recurrence`](super::recurrence) turns changes into closed forms of the
//! iteration. Exits whose condition does not depend on data and can only fail once *bound* the loop:
//! regions after them run while they have not failed. If any exit depends on data, the trips are a
//! named unknown. A second run records.

use cresta_ir::visit::{for_each_write, nested};
use cresta_ir::{Instruction, Label, Operand, Register, SpanId};
use rustc_hash::FxHashSet;

use crate::arena::{Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Poly};
use crate::program::{Exit, LoopId, LoopSummary, Within};
use crate::sum::Variable;
use crate::value::{Truth, Value};

use super::frames::{ExitEvent, FrameKind};
use super::state::Walker;

/// The parts of a loop instruction.
#[derive(Clone, Copy)]
pub(super) struct Loop<'i> {
    pub(super) label: Label,
    pub(super) body: &'i [Instruction],
    pub(super) continuing: &'i [Instruction],
    pub(super) break_if: Option<Operand>,
    pub(super) span: SpanId,
}

/// One exit as a run of the body met it.
#[derive(Clone, Debug)]
pub(super) struct MetExit {
    pub(super) truth: Truth,
    pub(super) span: SpanId,
    /// Identifies the instruction.
    pub(super) key: usize,
    /// What the carried registers held.
    pub(super) carried: Vec<Value>,
    /// What is left: the loop itself, or the frame beyond it.
    pub(super) target: Option<usize>,
    /// Whether it leaves for something beyond the loop.
    pub(super) beyond: bool,
    /// Whether it lies in a loop within this one.
    pub(super) inner: bool,
}

/// What one run of the body left.
pub(super) struct Pass {
    pub(super) exits: Vec<MetExit>,
    /// What carried registers hold after the continuing part.
    pub(super) next: Vec<Value>,
}

/// How the exits bound a loop.
struct Bounds {
    exits: Vec<Exit>,
    /// Keys of the met exits that are in `exits`.
    counted: Vec<usize>,
    trips: Poly,
    unknown: Option<String>,
    uniformity: Uniformity,
}

impl Walker<'_> {
    pub(super) fn run_loop(&mut self, parts: &Loop<'_>) -> bool {
        let written = written_registers(parts);
        let carried = super::recurrence::carried_registers(self.kernel, parts, &written);
        let initial: Vec<Value> = carried
            .iter()
            .map(|r| self.registers[r.0 as usize].clone())
            .collect();
        let name = format!("t{}", self.loops.len() + 1);
        let iteration = self.arena().fresh(Symbol {
            name,
            kind: SymbolKind::Iteration,
            // lanes that are still in the loop are all in the same iteration
            uniformity: Uniformity::Launch,
            least: Some(0),
            greatest: None,
        });
        let (forms, met) = self.close(parts, &carried, &initial, iteration);
        let bounds = self.bound(&met, iteration, parts.span);
        let id = LoopId(self.program.loops.len());
        if self.trial == 0 {
            self.program.loops.push(LoopSummary {
                span: parts.span,
                iteration,
                exits: bounds.exits.clone(),
                trips: bounds.trips.clone(),
                uniformity: bounds.uniformity,
                unknown: bounds.unknown.clone(),
            });
        }
        let recorded = self.pass(parts, &carried, &forms, bounds.counted.clone(), id);
        self.settle(&carried, &written, &recorded, &bounds, iteration);
        self.leave_beyond(&recorded, bounds.uniformity)
    }

    /// Runs the body once with the given values of the carried registers, recording nothing.
    pub(super) fn trial_pass(
        &mut self,
        parts: &Loop<'_>,
        carried: &[Register],
        values: &[Value],
    ) -> Pass {
        self.trial += 1;
        let mark = self.journal.len();
        let pass = self.pass(parts, carried, values, Vec::new(), LoopId(usize::MAX));
        self.roll_back(mark);
        self.trial -= 1;
        pass
    }

    fn pass(
        &mut self,
        parts: &Loop<'_>,
        carried: &[Register],
        values: &[Value],
        counted: Vec<usize>,
        id: LoopId,
    ) -> Pass {
        let reached = self.reached();
        let entry = std::mem::replace(&mut self.entry, reached);
        let outer = std::mem::take(&mut self.condition);
        let first = self.exits.len();
        let frame = self.frames.len();
        let passed = usize::from(counted.is_empty());
        self.loops.push(Within { id, passed });
        self.push_frame(FrameKind::Loop, parts.label, counted);
        for (register, value) in carried.iter().zip(values) {
            self.write(*register, value.clone());
        }
        self.push_frame(FrameKind::LoopBody, parts.label, Vec::new());
        self.region = None;
        let falls = self.block(parts.body);
        self.condition.clear();
        let reached = self.merge_exits(frame + 1, first, falls);
        self.rejoin(0, first, Some(frame + 1));
        if reached {
            self.block(parts.continuing);
            if let Some(condition) = parts.break_if {
                self.break_if(condition, frame, parts.span);
            }
        }
        let next = carried
            .iter()
            .map(|r| self.registers[r.0 as usize].clone())
            .collect();
        let exits = self.met_exits(first, frame, carried);
        self.frames.truncate(frame);
        self.loops.pop();
        self.exits.truncate(first);
        self.condition = outer;
        self.entry = entry;
        self.region = None;
        Pass { exits, next }
    }

    fn break_if(&mut self, condition: Operand, frame: usize, span: SpanId) {
        let truth = match self.truth_of(condition) {
            Ok(truth) => truth,
            Err(uniformity) => {
                let symbol = self.data(uniformity, Some(0));
                Truth::from_indicator(Poly::atom(symbol))
            }
        };
        self.condition.push(truth);
        self.leave(Some(frame), span, 0);
        self.condition.pop();
    }

    /// The exits of this loop that a run met, in order.
    fn met_exits(&self, first: usize, frame: usize, carried: &[Register]) -> Vec<MetExit> {
        let loops = self.loops.len();
        let held = |event: &ExitEvent, register: &Register| {
            let at_exit = event.values.iter().find(|(r, _)| r == register);
            at_exit.map_or(Value::Other(Uniformity::Lane), |(_, value)| value.clone())
        };
        let leaving = self.exits[first..]
            .iter()
            .filter(|e| e.target.is_none_or(|t| t <= frame));
        leaving
            .map(|event| MetExit {
                truth: event
                    .condition
                    .iter()
                    .fold(Truth::always(), |all, t| all.and(t)),
                span: event.span,
                key: event.key,
                carried: carried
                    .iter()
                    .map(|register| held(event, register))
                    .collect(),
                target: event.target,
                beyond: event.target != Some(frame),
                inner: event.loops > loops,
            })
            .collect()
    }

    /// Decides which exits bound the loop.
    fn bound(&mut self, met: &[MetExit], iteration: AtomId, span: SpanId) -> Bounds {
        let mut exits = Vec::new();
        let mut uniformity = Uniformity::Launch;
        for exit in met {
            uniformity = uniformity.min(self.program.arena.uniformity(&exit.truth.holds));
        }
        for exit in met {
            let stay = (!exit.inner)
                .then(|| self.bounding_stay(&exit.truth, iteration))
                .flatten();
            let Some(stay) = stay else {
                return self.unknown_bounds(met, iteration, span, uniformity);
            };
            exits.push(Exit {
                stay,
                span: exit.span,
            });
        }
        let all = exits
            .iter()
            .fold(Poly::one(), |all, exit| all.mul(&exit.stay));
        let variable = Variable {
            symbol: iteration,
            count: None,
        };
        let trips = self.arena().sum_over(vec![variable], &all);
        if exits.is_empty() || trips.contains(AtomId::OVERFLOW) {
            return self.unknown_bounds(met, iteration, span, uniformity);
        }
        let counted = met.iter().map(|exit| exit.key).collect();
        Bounds {
            exits,
            counted,
            trips,
            unknown: None,
            uniformity,
        }
    }

    fn unknown_bounds(
        &mut self,
        met: &[MetExit],
        iteration: AtomId,
        span: SpanId,
        uniformity: Uniformity,
    ) -> Bounds {
        let name = self.name_at("trips", span);
        let symbol = self.name_symbol(
            SymbolKind::Trips,
            name.clone(),
            "trips of the loop, mean per lane",
            uniformity,
            Some(0),
            None,
        );
        let trips = Poly::atom(symbol);
        let ahead = trips.sub(&Poly::atom(iteration)).add_integer(-1);
        let stay = self.arena().nonnegative(&ahead);
        let direct = met.iter().find(|exit| !exit.inner);
        let exit = Exit {
            stay,
            span: direct.map_or(span, |exit| exit.span),
        };
        let counted = direct.map(|exit| exit.key).into_iter().collect();
        Bounds {
            exits: vec![exit],
            counted,
            trips,
            unknown: Some(name),
            uniformity,
        }
    }

    /// 1 while the loop goes on past an exit, when that is known and never returns once it is 0.
    fn bounding_stay(&mut self, truth: &Truth, iteration: AtomId) -> Option<Poly> {
        let stay = &truth.fails;
        if stay.is_zero() {
            return Some(Poly::zero());
        }
        if self.program.arena.depends_on_data(stay) {
            return None;
        }
        self.monotone(stay, iteration)
    }

    /// Gives every register that the loop writes its value after the loop.
    fn settle(
        &mut self,
        carried: &[Register],
        written: &FxHashSet<Register>,
        recorded: &Pass,
        bounds: &Bounds,
        iteration: AtomId,
    ) {
        let mut others: Vec<Register> = written
            .iter()
            .copied()
            .filter(|register| !carried.contains(register))
            .collect();
        others.sort_unstable();
        for register in others {
            let last = self.registers[register.0 as usize].uniformity(&self.program.arena);
            let value = self.unknown_of(register, last.min(bounds.uniformity));
            self.write(register, value);
        }
        for (index, register) in carried.iter().enumerate() {
            let value = match common_value(recorded, index) {
                Some(Value::Whole(poly))
                    if bounds.unknown.is_none() && !self.program.arena.depends_on_data(&poly) =>
                {
                    Value::Whole(self.arena().replace(&poly, iteration, &bounds.trips))
                }
                Some(value) => {
                    let uniformity = value.uniformity(&self.program.arena);
                    self.unknown_of(*register, uniformity.min(bounds.uniformity))
                }
                None => self.unknown_of(*register, Uniformity::Lane),
            };
            self.write(*register, value);
        }
    }

    /// Passes on exits that left for something beyond the loop, as fractions of the lanes.
    fn leave_beyond(&mut self, recorded: &Pass, control: Uniformity) -> bool {
        let falls = recorded.exits.iter().any(|exit| !exit.beyond) || recorded.exits.is_empty();
        let beyond: Vec<(Option<usize>, SpanId, usize)> = recorded
            .exits
            .iter()
            .filter(|exit| exit.beyond)
            .map(|exit| (exit.target, exit.span, exit.key))
            .collect();
        let last = beyond.len().saturating_sub(1);
        for (index, (target, span, key)) in beyond.into_iter().enumerate() {
            if !falls && index == last {
                self.leave(target, span, key);
                return false;
            }
            let name = self.name_at("taken", span);
            let gone = self.taken(&name, control, span);
            let truth = Truth::from_indicator(gone);
            self.condition.push(truth.clone());
            self.leave(target, span, key);
            self.condition.pop();
            self.condition.push(truth.not());
            self.region = None;
        }
        true
    }
}

/// What a carried register holds at every exit, if it is the same.
fn common_value(recorded: &Pass, index: usize) -> Option<Value> {
    let mut values = recorded.exits.iter().filter(|exit| !exit.beyond);
    let first = values.next()?.carried.get(index)?.clone();
    values
        .all(|exit| exit.carried.get(index) == Some(&first))
        .then_some(first)
}

fn written_registers(parts: &Loop<'_>) -> FxHashSet<Register> {
    fn visit(block: &[Instruction], written: &mut FxHashSet<Register>) {
        for instruction in block {
            for_each_write(&instruction.kind, |register| {
                written.insert(register);
            });
            for inner in nested(&instruction.kind) {
                visit(inner, written);
            }
        }
    }
    let mut written = FxHashSet::default();
    visit(parts.body, &mut written);
    visit(parts.continuing, &mut written);
    written
}
