//! Constructs that can be left, and the events of leaving them.

use cresta_ir::{Label, Register, SpanId};

use crate::poly::Poly;
use crate::value::{Truth, Value};

use super::state::Walker;

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

/// A construct around the current instruction.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) label: Label,
    /// Number of conditions when it was entered.
    pub(super) depth: usize,
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
    /// The conditions at that point, within the innermost loop.
    pub(super) condition: Vec<Truth>,
    /// Number of loops around the exit.
    pub(super) loops: usize,
    /// Whether the exit is one that bounds the innermost loop, so that what follows is counted by
    /// the loop's trips and not by a condition.
    pub(super) counted: bool,
    /// What registers held, if written since the frame was entered.
    pub(super) values: Vec<(Register, Value)>,
    /// Where.
    pub(super) span: SpanId,
    /// Identifies the instruction: its address, or 0 for the `break_if` of the innermost loop.
    pub(super) key: usize,
}

impl Walker<'_> {
    pub(super) fn push_frame(&mut self, kind: FrameKind, label: Label, counted: Vec<usize>) {
        self.frames.push(Frame {
            kind,
            label,
            depth: self.condition.len(),
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
    pub(super) fn innermost_loop(&self) -> Option<usize> {
        self.frames
            .iter()
            .rposition(|frame| frame.kind == FrameKind::Loop)
    }

    /// Records that control leaves for `target` under the current condition.
    pub(super) fn leave(&mut self, target: Option<usize>, span: SpanId, key: usize) {
        let counted = self.innermost_loop().is_some_and(|inner| {
            target.is_none_or(|t| t <= inner) && self.frames[inner].counted.contains(&key)
        });
        let mark = target.map_or(0, |t| self.frames[t].mark);
        let values = self.changed_since(mark);
        self.exits.push(ExitEvent {
            target,
            condition: self.condition.clone(),
            loops: self.loops.len(),
            counted,
            values,
            span,
            key,
        });
        if counted && let Some(within) = self.loops.last_mut() {
            within.passed += 1;
            self.region = None;
        }
    }

    /// Restores the condition at the end of a construct entered at `depth`, less what left for
    /// somewhere beyond it since event `first`.
    pub(super) fn rejoin(&mut self, depth: usize, first: usize, frame: Option<usize>) {
        self.condition.truncate(depth);
        self.region = None;
        let loops = self.loops.len();
        let beyond: Vec<Truth> = self.exits[first..]
            .iter()
            .filter(|event| !event.counted && event.loops == loops)
            .filter(|event| frame.is_none_or(|frame| event.target.is_none_or(|t| t < frame)))
            .map(|event| {
                let rest = event.condition.get(depth..).unwrap_or_default();
                rest.iter()
                    .fold(Truth::always(), |all, truth| all.and(truth))
                    .not()
            })
            .collect();
        self.condition.extend(beyond);
    }

    /// Merges what registers hold at the end of a frame with what they held where it was left.
    pub(super) fn merge_exits(&mut self, frame: usize, first: usize, falls_through: bool) -> bool {
        let depth = self.frames[frame].depth;
        let events: Vec<ExitEvent> = self.exits[first..]
            .iter()
            .filter(|event| event.target == Some(frame))
            .cloned()
            .collect();
        let mut reached = falls_through;
        for event in events {
            if event.loops != self.loops.len() {
                self.forget(&event.values);
                reached = true;
                continue;
            }
            let rest = event.condition.get(depth..).unwrap_or_default();
            let taken = rest
                .iter()
                .fold(Truth::always(), |all, truth| all.and(truth));
            if !reached {
                let mark = self.frames[frame].mark;
                self.roll_back(mark);
                for (register, value) in event.values {
                    self.write(register, value);
                }
                reached = true;
                continue;
            }
            self.merge_event(frame, &taken, event.values);
        }
        reached
    }

    fn merge_event(&mut self, frame: usize, taken: &Truth, values: Vec<(Register, Value)>) {
        let mark = self.frames[frame].mark;
        let here = self.changed_since(mark);
        for (register, now) in here {
            let at_exit = values
                .iter()
                .find(|(r, _)| *r == register)
                .map(|(_, value)| value.clone());
            let before = || {
                self.journal[mark..]
                    .iter()
                    .find(|(r, _)| *r == register)
                    .map(|(_, value)| value.clone())
            };
            let Some(then) = at_exit.or_else(before) else {
                continue;
            };
            let merged = self.merge_values(taken, &then, &now);
            self.write(register, merged);
        }
        for (register, then) in values {
            if !self.journal[mark..].iter().any(|(r, _)| *r == register) {
                let now = self.registers[register.0 as usize].clone();
                let merged = self.merge_values(taken, &then, &now);
                self.write(register, merged);
            }
        }
    }

    /// Makes registers unknown: they were written in a loop that was left from within.
    pub(super) fn forget(&mut self, values: &[(Register, Value)]) {
        for (register, value) in values {
            let uniformity = value.uniformity(&self.program.arena);
            let unknown =
                self.unknown_of(*register, uniformity.min(crate::arena::Uniformity::Lane));
            self.write(*register, unknown);
        }
    }

    /// The poly that is 1 where the current point is reached.
    pub(super) fn reached(&self) -> Poly {
        self.entry.mul(&self.condition_from(0).holds)
    }
}
