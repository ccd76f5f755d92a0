//! The backward walk over structured control flow.
//!
//! Each loop is walked until what is live at its head stays the same, starting from what the last
//! walk over an enclosing loop found, so that nests do not multiply passes.

use std::collections::HashMap;

use super::bit_set::BitSet;
use crate::instruction::{Case, Instruction, Kind, Label, Operand, Register};
use crate::kernel::{Kernel, SpanId};
use crate::visit::{for_each_read, for_each_write};

/// The most registers live at once, and where.
#[derive(Clone, Copy, Default)]
pub(super) struct Peak {
    pub(super) registers: u32,
    pub(super) at: Option<SpanId>,
}

/// The live registers and the 32-bit registers they take.
#[derive(Clone)]
struct Live {
    set: BitSet,
    size: u32,
}

/// What is live where a jump out of a construct, or to its continuing part, leads.
struct Frame {
    label: Label,
    at_break: Live,
    at_continue: Option<Live>,
}

pub(super) struct Walk<'k> {
    kernel: &'k Kernel,
    /// Registers that take two.
    wide: BitSet,
    frames: Vec<Frame>,
    /// Live at the head of each loop, as the last walk over it found.
    heads: HashMap<Label, Live>,
    peak: Peak,
}

impl<'k> Walk<'k> {
    pub(super) fn new(kernel: &'k Kernel) -> Self {
        let mut wide = BitSet::new(kernel.registers.len());
        for (index, scalar) in (0..).zip(&kernel.registers) {
            if scalar.bytes() > 4 {
                wide.insert(index);
            }
        }
        Walk {
            kernel,
            wide,
            frames: Vec::new(),
            heads: HashMap::new(),
            peak: Peak::default(),
        }
    }

    pub(super) fn run(mut self) -> Peak {
        let end = self.nothing();
        self.block(&self.kernel.body, end);
        self.peak
    }

    fn nothing(&self) -> Live {
        Live {
            set: BitSet::new(self.kernel.registers.len()),
            size: 0,
        }
    }

    /// What is live before a block, given what is after it.
    fn block(&mut self, block: &'k [Instruction], after: Live) -> Live {
        block.iter().rev().fold(after, |live, instruction| {
            self.instruction(instruction, live)
        })
    }

    fn instruction(&mut self, instruction: &'k Instruction, live: Live) -> Live {
        let before = match &instruction.kind {
            Kind::If {
                condition,
                accept,
                reject,
                ..
            } => {
                let other = self.block(reject, live.clone());
                let mut before = self.block(accept, live);
                self.union(&mut before, &other);
                self.read(&mut before, *condition);
                before
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => self.switch(*label, *selector, cases, live),
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => self.repeat(*label, [body, continuing], *break_if, live),
            Kind::Block { label, body } => {
                self.inside(*label, &live.clone(), |walk| walk.block(body, live))
            }
            Kind::Break(label) => self.frame(*label).at_break.clone(),
            Kind::Continue(label) => {
                let target = self.frame(*label).at_continue.clone();
                target.unwrap_or_else(|| self.nothing())
            }
            Kind::Return => self.nothing(),
            simple => self.simple(instruction.span, simple, live),
        };
        self.note(&before, instruction.span);
        before
    }

    fn simple(&mut self, span: SpanId, kind: &Kind, mut live: Live) -> Live {
        for_each_write(kind, |register| {
            if live.set.insert(register.0) {
                live.size += self.size(register);
            }
        });
        self.note(&live, span);
        for_each_write(kind, |register| {
            if live.set.remove(register.0) {
                live.size -= self.size(register);
            }
        });
        for_each_read(self.kernel, kind, |operand| self.read(&mut live, operand));
        live
    }

    fn switch(&mut self, label: Label, selector: Operand, cases: &'k [Case], after: Live) -> Live {
        let has_default = cases.iter().any(|case| case.default);
        let mut before = if has_default {
            self.nothing()
        } else {
            after.clone()
        };
        for case in cases {
            let live = self.inside(label, &after, |walk| walk.block(&case.body, after.clone()));
            self.union(&mut before, &live);
        }
        self.read(&mut before, selector);
        before
    }

    fn repeat(
        &mut self,
        label: Label,
        [body, continuing]: [&'k [Instruction]; 2],
        break_if: Option<Operand>,
        after: Live,
    ) -> Live {
        let earlier = self.heads.remove(&label);
        let mut head = earlier.unwrap_or_else(|| self.nothing());
        loop {
            let mut at_end = head.clone();
            if let Some(condition) = break_if {
                self.union(&mut at_end, &after);
                self.read(&mut at_end, condition);
            }
            let at_continue = self.block(continuing, at_end);
            let before = self.inside(label, &after, |walk| {
                walk.frame(label).at_continue = Some(at_continue.clone());
                walk.block(body, at_continue)
            });
            if !self.union(&mut head, &before) {
                self.heads.insert(label, head.clone());
                return head;
            }
        }
    }

    fn inside(
        &mut self,
        label: Label,
        at_break: &Live,
        walk: impl FnOnce(&mut Self) -> Live,
    ) -> Live {
        self.frames.push(Frame {
            label,
            at_break: at_break.clone(),
            at_continue: None,
        });
        let live = walk(self);
        self.frames.pop();
        live
    }

    fn frame(&mut self, label: Label) -> &mut Frame {
        let mut frames = self.frames.iter_mut().rev();
        #[expect(clippy::expect_used, reason = "an invariant of the IR")]
        frames
            .find(|frame| frame.label == label)
            .expect("a label names an enclosing construct")
    }

    fn size(&self, register: Register) -> u32 {
        1 + u32::from(self.wide.contains(register.0))
    }

    fn read(&self, live: &mut Live, operand: Operand) {
        if let Operand::Register(register) = operand
            && live.set.insert(register.0)
        {
            live.size += self.size(register);
        }
    }

    /// Adds what is live elsewhere; whether anything was new.
    fn union(&self, live: &mut Live, other: &Live) -> bool {
        let grown = live.set.union(&other.set);
        if grown {
            live.size = live.set.len() + live.set.common(&self.wide);
        }
        grown
    }

    fn note(&mut self, live: &Live, span: SpanId) {
        if live.size > 0 && live.size >= self.peak.registers {
            self.peak = Peak {
                registers: live.size,
                at: Some(span),
            };
        }
    }
}
