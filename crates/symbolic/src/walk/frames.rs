//! Constructs that can be left, the events of leaving them, and the conditions that hold.
//!
//! The conditions within the innermost loop form a stack. When a construct ends, the conditions that
//! it pushed are folded into the exit events met within it, and what did not leave goes on under one
//! new condition: that nothing left.

use std::ops::Range;

use cresta_ir::{Label, Register, SpanId};
use rustc_hash::FxHashMap;

use crate::poly::Poly;
use crate::value::{Truth, Value};

use super::state::Walker;

const TOO_LONG: &str = "what runs under hundreds of conditions is not counted";
/// Atoms of the longest condition.
const LONGEST: u32 = 1000;

/// What a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A block or switch.
    Block,
    /// A loop.
    Loop,
    /// The body of a loop, which `continue` leaves.
    LoopBody,
}

/// A condition on the stack.
#[derive(Clone, Debug)]
pub(super) struct Held {
    /// 1 where it holds.
    pub(super) holds: Poly,
    /// Whether it says no more than that earlier exits of the innermost loop were not taken.
    pub(super) passed: bool,
    /// 1 where the innermost loop is entered and this and all conditions below it hold.
    reached: Poly,
}

/// A construct around the current instruction.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) label: Label,
    /// Positions that are left with it.
    pub(super) within: Range<u32>,
    /// Journal position when it was entered.
    pub(super) mark: usize,
    /// For a loop that is being recorded: keys of the exits that bound it (see
    /// [`loops`](super::loops)).
    pub(super) counted: Vec<usize>,
}

/// Control left for a frame.
#[derive(Clone, Debug)]
pub(super) struct ExitEvent {
    /// Index of the frame that is left; `None` for the kernel.
    pub(super) target: Option<usize>,
    /// 1 where it is taken, as far as conditions from `depth` on say.
    pub(super) taken: Poly,
    /// The same, where no earlier exit of the innermost loop was taken.
    pub(super) own: Poly,
    /// Conditions below this one are not in `taken` yet.
    depth: usize,
    /// Whether the exit is one that bounds the innermost loop, so that what follows is counted by
    /// the loop's trips and not by a condition.
    pub(super) counted: bool,
    /// What registers held that outlive the frame, if written since it was entered.
    pub(super) values: Vec<(Register, Value)>,
    /// Where.
    pub(super) span: SpanId,
    /// Identifies the instruction: its address, or 0 for the `break_if` of the innermost loop.
    pub(super) key: usize,
}

impl Walker<'_> {
    pub(super) fn push_frame(
        &mut self,
        kind: FrameKind,
        label: Label,
        within: Range<u32>,
        counted: Vec<usize>,
    ) {
        self.frames.push(Frame {
            kind,
            label,
            within,
            mark: self.journal.len(),
            counted,
        });
    }

    pub(super) fn frame_of(&self, label: Label, kind: Option<FrameKind>) -> Option<usize> {
        self.frames.iter().rposition(|frame| {
            frame.label == label
                && match kind {
                    Some(kind) => frame.kind == kind,
                    None => frame.kind != FrameKind::LoopBody,
                }
        })
    }

    /// Index of the innermost loop's frame.
    fn innermost_loop(&self) -> Option<usize> {
        self.frames
            .iter()
            .rposition(|frame| frame.kind == FrameKind::Loop)
    }

    /// The poly that is 1 where the current point is reached.
    pub(super) fn reached(&self) -> Poly {
        let last = self.condition.last();
        last.map_or_else(|| self.entry.clone(), |held| held.reached.clone())
    }

    /// Adds a condition.
    pub(super) fn hold(&mut self, holds: Poly, passed: bool) {
        let holds = self.arena().compact(&holds);
        let reached = self.reached();
        let reached = self.arena().both(&reached, &holds);
        let reached = if self.program.arena.weight(&reached) > LONGEST {
            self.assume(TOO_LONG);
            Poly::overflow()
        } else {
            reached
        };
        self.condition.push(Held {
            holds,
            passed,
            reached,
        });
        self.region = None;
    }

    /// Records that control leaves for `target` where `gone` is 1, under the current conditions.
    pub(super) fn leave(&mut self, target: Option<usize>, span: SpanId, key: usize, gone: Poly) {
        let gone = self.arena().compact(&gone);
        let inner = self.innermost_loop();
        let counts = inner.filter(|&inner| target.is_none_or(|t| t <= inner));
        let index = counts.and_then(|inner| {
            let counted = self.frames[inner].counted.iter();
            counted.copied().position(|counted| counted == key)
        });
        let values = target.map_or_else(Vec::new, |target| {
            let frame = &self.frames[target];
            self.changed_since(frame.mark, &frame.within)
        });
        self.exits.push(ExitEvent {
            target,
            taken: gone.clone(),
            own: gone,
            depth: self.condition.len(),
            counted: index.is_some(),
            values,
            span,
            key,
        });
        if let Some(index) = index
            && let Some(within) = self.loops.last_mut()
        {
            within.passed = within.passed.max(index + 1);
            self.region = None;
        }
    }

    /// Takes the conditions from `depth` on off the stack and folds them into the events since
    /// `first`.
    pub(super) fn end_conditions(&mut self, depth: usize, first: usize) {
        let (mut taken, mut own, mut at) = (Poly::one(), Poly::one(), depth);
        let arena = &mut self.program.arena;
        for event in &mut self.exits[first..] {
            if event.depth <= depth {
                continue;
            }
            if event.depth < at {
                (taken, own, at) = (Poly::one(), Poly::one(), depth);
            }
            for held in &self.condition[at..event.depth] {
                taken = arena.both(&taken, &held.holds);
                if !held.passed {
                    own = arena.both(&own, &held.holds);
                }
            }
            at = event.depth;
            event.taken = arena.both(&event.taken, &taken);
            event.own = arena.both(&event.own, &own);
            event.depth = depth;
        }
        self.condition.truncate(depth);
        self.region = None;
    }

    /// Goes on after a construct under the condition that nothing left it for somewhere beyond.
    pub(super) fn rejoin(&mut self, first: usize) {
        let inner = self.innermost_loop();
        let leaves_loop =
            |event: &ExitEvent| inner.is_some_and(|inner| event.target.is_none_or(|t| t <= inner));
        let gone: Vec<(Poly, Poly, bool)> = self.exits[first..]
            .iter()
            .filter(|event| !event.counted)
            .map(|event| (event.taken.clone(), event.own.clone(), leaves_loop(event)))
            .collect();
        if gone.is_empty() {
            return;
        }
        let arena = &mut self.program.arena;
        if gone.iter().any(|(taken, ..)| arena.has_fraction(taken)) {
            // a lane leaves once: the fractions add up
            let all = gone
                .iter()
                .fold(Poly::zero(), |all, (taken, ..)| all.add(taken));
            let stays = arena.complement(&all);
            self.hold(stays, false);
            return;
        }
        for passed in [false, true] {
            let mut stays = Poly::one();
            for (_, own, _) in gone.iter().filter(|(.., leaves)| *leaves == passed) {
                let stay = self.program.arena.complement(own);
                stays = self.program.arena.both(&stays, &stay);
            }
            if stays != Poly::one() {
                self.hold(stays, passed);
            }
        }
    }

    /// Merges what registers hold at the end of a frame with what they held where it was left, and
    /// drops these events. The conditions must have ended. Whether the end is reached.
    pub(super) fn merge_exits(&mut self, frame: usize, first: usize, falls_through: bool) -> bool {
        let (events, rest): (Vec<ExitEvent>, Vec<ExitEvent>) = self
            .exits
            .drain(first..)
            .partition(|event| event.target == Some(frame));
        self.exits.extend(rest);
        let mut reached = falls_through;
        for event in events {
            if reached {
                let taken = Truth::from_indicator(self.arena(), event.taken);
                self.merge_event(frame, &taken, &event.values);
                continue;
            }
            let (mark, within) = (self.frames[frame].mark, self.frames[frame].within.clone());
            self.roll_back(mark, &within);
            for (register, value) in event.values {
                self.write(register, value);
            }
            reached = true;
        }
        reached
    }

    fn merge_event(&mut self, frame: usize, taken: &Truth, values: &[(Register, Value)]) {
        let (mark, within) = (self.frames[frame].mark, self.frames[frame].within.clone());
        let here = self.changed_since(mark, &within);
        let mut at_exit: FxHashMap<Register, &Value> =
            values.iter().map(|(r, value)| (*r, value)).collect();
        let mut before: FxHashMap<Register, Value> = FxHashMap::default();
        for (register, value) in &self.journal[mark..] {
            before.entry(*register).or_insert_with(|| value.clone());
        }
        for (register, now) in here {
            let then = at_exit.remove(&register).or_else(|| before.get(&register));
            if let Some(then) = then {
                let merged = self.merge_values(taken, then, &now);
                self.write(register, merged);
            }
        }
        for (register, then) in values {
            if at_exit.contains_key(register) {
                let now = self.registers[register.0 as usize].clone();
                let merged = self.merge_values(taken, then, &now);
                self.write(*register, merged);
            }
        }
    }
}
