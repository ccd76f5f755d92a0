//! Loops.
//!
//! A first run of the body, which records nothing, shows how registers change in one iteration and
//! where the loop is left. [`recurrence`](super::recurrence) turns changes into closed forms of the
//! iteration. Exits whose condition does not depend on data and can only fail once *bound* the loop:
//! regions after them run while they have not failed. If any exit depends on data, the trips are a
//! named unknown. A second run records; [`settle`](super::settle) gives registers their values after
//! the loop.

use cresta_ir::{Instruction, Label, Operand, Register, SpanId};

use crate::arena::{Symbol, SymbolKind, Uniformity};
use crate::poly::{AtomId, Poly};
use crate::program::{Exit, LoopId, LoopSummary, Within};
use crate::sum::Variable;
use crate::value::{Truth, Value};

use super::frames::{ExitEvent, FrameKind};
use super::state::Walker;

const MEETS: &str = "a loop that ends on equality meets it";
const STEPS: &str = "loop steps are not zero";
const NOT_FOLLOWED: &str = "loops within many loops are not followed: their trips are unknowns";

/// Instructions that following a loop counts as.
const COST: u64 = 20;

/// The parts of a loop instruction.
#[derive(Clone, Copy)]
pub(super) struct Loop<'i> {
    pub(super) label: Label,
    pub(super) body: &'i [Instruction],
    pub(super) continuing: &'i [Instruction],
    pub(super) break_if: Option<Operand>,
    pub(super) span: SpanId,
    /// Identifies the instruction.
    pub(super) key: usize,
}

/// One exit as a run of the body met it.
#[derive(Clone, Debug)]
pub(super) struct MetExit {
    /// When it is taken by a lane that did not take an earlier one.
    pub(super) truth: Truth,
    pub(super) span: SpanId,
    /// Identifies the instruction.
    pub(super) key: usize,
    /// What the carried registers held.
    pub(super) carried: Vec<Value>,
    /// What else is of interest where it leads, with what it held.
    pub(super) values: Vec<(Register, Value)>,
    /// What is left: the loop itself, or the frame beyond it.
    pub(super) target: Option<usize>,
    /// Whether it leaves for something beyond the loop.
    pub(super) beyond: bool,
}

/// What one run of the body left.
pub(super) struct Pass {
    pub(super) exits: Vec<MetExit>,
    /// What carried registers hold after the continuing part.
    pub(super) next: Vec<Value>,
}

/// How the exits bound a loop.
pub(super) struct Bounds {
    pub(super) exits: Vec<Exit>,
    /// Keys of the met exits that are in `exits`.
    pub(super) counted: Vec<usize>,
    pub(super) trips: Poly,
    pub(super) most: Option<Poly>,
    pub(super) unknown: Option<String>,
    pub(super) uniformity: Uniformity,
}

impl Walker<'_> {
    pub(super) fn run_loop(&mut self, parts: &Loop<'_>) -> bool {
        let carried = self.layout.carried(parts.key).to_vec();
        let initial: Vec<Value> = carried
            .iter()
            .map(|r| self.registers[r.0 as usize].clone())
            .collect();
        let iteration = self.iteration();
        self.steps = self.steps.saturating_sub(COST);
        if self.steps == 0 {
            self.assume(NOT_FOLLOWED);
            return self.run_unknown(parts, &carried, &[]);
        }
        let closed = self.close(parts, &carried, &initial, iteration);
        if closed.vanishes {
            // unless another exit is taken, it turns until the values that this one waits for have wrapped
            return self.run_unknown(parts, &carried, &closed.exits);
        }
        let bounds = self.bound(&closed.exits, iteration, parts.span);
        if self.trial > 0 {
            // nothing is recorded: what the first run met, in terms of the closed forms, is enough
            return self.settle(&carried, &closed.exits, &bounds, iteration);
        }
        let before = self.recorded();
        let wrapped = std::mem::take(&mut self.wraps_iteration);
        let pass = self.recorded_pass(parts, &carried, &closed.forms, &bounds, iteration);
        let refuted = self.wraps_iteration && self.is_refuted(&closed, &pass);
        self.wraps_iteration |= wrapped;
        if refuted {
            self.forget(&before);
            return self.run_unknown(parts, &carried, &closed.exits);
        }
        self.settle(&carried, &pass.exits, &bounds, iteration)
    }

    /// Runs a loop of which nothing is known but, maybe, its exits.
    fn run_unknown(&mut self, parts: &Loop<'_>, carried: &[Register], met: &[MetExit]) -> bool {
        let iteration = self.iteration();
        let forms: Vec<Value> = carried
            .iter()
            .map(|&register| self.unknown_of(register, Uniformity::Lane))
            .collect();
        let met: Vec<&MetExit> = met.iter().collect();
        let bounds = self.unknown_bounds(&met, iteration, parts.span, Uniformity::Lane);
        let pass = self.recorded_pass(parts, carried, &forms, &bounds, iteration);
        self.settle(carried, &pass.exits, &bounds, iteration)
    }

    /// The symbol for the iterations of a loop within the current ones.
    fn iteration(&mut self) -> AtomId {
        let name = format!("t{}", self.loops.len() + 1);
        self.arena().fresh(Symbol {
            name,
            kind: SymbolKind::Iteration,
            // lanes that are still in the loop are all in the same iteration
            uniformity: Uniformity::Launch,
            least: Some(0),
            greatest: None,
        })
    }

    /// Runs the body with values of the carried registers in terms of the iteration, and records it.
    fn recorded_pass(
        &mut self,
        parts: &Loop<'_>,
        carried: &[Register],
        forms: &[Value],
        bounds: &Bounds,
        iteration: AtomId,
    ) -> Pass {
        let id = LoopId(self.program.loops.len());
        if self.trial == 0 {
            self.program.loops.push(LoopSummary {
                span: parts.span,
                iteration,
                exits: bounds.exits.clone(),
                trips: bounds.trips.clone(),
                most: bounds.most.clone(),
                uniformity: bounds.uniformity,
                unknown: bounds.unknown.clone(),
            });
        }
        self.pass(parts, carried, forms, bounds.counted.clone(), id)
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
        self.roll_back(mark, &(0..u32::MAX));
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
        let whole = self.layout.construct(parts.key);
        self.push_frame(FrameKind::Loop, parts.label, whole, counted);
        for (register, value) in carried.iter().zip(values) {
            self.write(*register, value.clone());
        }
        let body = self.layout.body(parts.key);
        self.push_frame(FrameKind::LoopBody, parts.label, body, Vec::new());
        self.region = None;
        let falls = self.block(parts.body);
        self.end_conditions(0, first);
        if self.merge_exits(frame + 1, first, falls) {
            self.frames.truncate(frame + 1);
            self.rejoin(first);
            self.block(parts.continuing);
            if let Some(condition) = parts.break_if {
                self.break_if(condition, frame, parts.span);
            }
            self.end_conditions(0, first);
        }
        let next = carried
            .iter()
            .map(|r| self.registers[r.0 as usize].clone())
            .collect();
        let events = self.exits.split_off(first);
        let exits = self.met_exits(events, frame, carried);
        self.frames.truncate(frame);
        self.loops.pop();
        self.condition = outer;
        self.entry = entry;
        self.region = None;
        Pass { exits, next }
    }

    fn break_if(&mut self, condition: Operand, frame: usize, span: SpanId) {
        let gone = match self.truth_of(condition) {
            Ok(truth) => truth.holds,
            Err(uniformity) => Poly::atom(self.data(uniformity, Some(0))),
        };
        if !gone.is_zero() {
            self.leave(Some(frame), span, 0, gone);
        }
    }

    /// The exits of this loop that a run met, in order.
    fn met_exits(
        &mut self,
        events: Vec<ExitEvent>,
        frame: usize,
        carried: &[Register],
    ) -> Vec<MetExit> {
        let held = |event: &ExitEvent, register: &Register| {
            let at_exit = event.values.iter().find(|(r, _)| r == register);
            at_exit.map_or(Value::Other(Uniformity::Lane), |(_, value)| value.clone())
        };
        let mut met = Vec::new();
        for event in events {
            let carried = carried.iter().map(|r| held(&event, r)).collect();
            met.push(MetExit {
                truth: Truth::from_indicator(self.arena(), event.own),
                span: event.span,
                key: event.key,
                carried,
                values: event.values,
                target: event.target,
                beyond: event.target != Some(frame),
            });
        }
        met
    }

    /// Decides which exits bound the loop.
    fn bound(&mut self, met: &[MetExit], iteration: AtomId, span: SpanId) -> Bounds {
        let met: Vec<&MetExit> = met.iter().filter(|exit| !exit.truth.is_never()).collect();
        let mut uniformity = Uniformity::Launch;
        for exit in &met {
            uniformity = uniformity.min(self.program.arena.uniformity(&exit.truth.holds));
        }
        let mut exits = Vec::new();
        for exit in &met {
            if let Some(stay) = self.bounding_stay(&exit.truth, iteration, met.len() == 1) {
                exits.push(Exit {
                    stay,
                    span: exit.span,
                });
            }
        }
        let most = self.trips_of(&exits, iteration);
        match most {
            Some(trips) if exits.len() == met.len() => {
                self.arena().limit(iteration, trips.clone());
                Bounds {
                    exits,
                    counted: met.iter().map(|exit| exit.key).collect(),
                    trips,
                    most: None,
                    unknown: None,
                    uniformity,
                }
            }
            most => Bounds {
                most,
                ..self.unknown_bounds(&met, iteration, span, uniformity)
            },
        }
    }

    /// Iterations that pass all of these exits; `None` where there is no end to them.
    fn trips_of(&mut self, exits: &[Exit], iteration: AtomId) -> Option<Poly> {
        let all = exits
            .iter()
            .fold(Poly::one(), |all, exit| all.mul(&exit.stay));
        let variable = Variable {
            symbol: iteration,
            count: None,
        };
        let trips = self.arena().sum_over(vec![variable], &all);
        (!exits.is_empty() && !trips.is_overflow()).then_some(trips)
    }

    fn unknown_bounds(
        &mut self,
        met: &[&MetExit],
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
        let first = met.first();
        let exit = Exit {
            stay,
            span: first.map_or(span, |exit| exit.span),
        };
        Bounds {
            exits: vec![exit],
            counted: first.map(|exit| exit.key).into_iter().collect(),
            trips,
            most: None,
            unknown: Some(name),
            uniformity,
        }
    }

    /// 1 while the loop goes on past an exit, when that is known and never returns once it is 0.
    fn bounding_stay(&mut self, truth: &Truth, iteration: AtomId, only: bool) -> Option<Poly> {
        let stay = &truth.fails;
        let arena = &mut self.program.arena;
        if arena.depends_on_data(stay) || arena.has_fraction(stay) {
            return None;
        }
        let falling = arena.falling(stay, iteration, only)?;
        if falling.meets {
            self.assume(MEETS);
        }
        if falling.steps {
            self.assume(STEPS);
        }
        Some(falling.stay)
    }
}
