//! Which instructions are needed, and which of their results.
//!
//! Instructions are walked backwards. Most registers are written once, and only read after that in
//! the order of the text; such a register is needed if any needed instruction reads it, and every
//! one of those comes first in a backward walk. Only the others, mostly variables of the source, are
//! tracked by what is live at each point. A loop is walked until what is live at its head stays the
//! same, starting from what an earlier walk found.

use std::collections::HashMap;

use crate::instruction::{
    Block, Case, Instruction, Kind, Label, Operand, Register, TextureOperation,
};
use crate::kernel::Kernel;
use crate::liveness::BitSet;
use crate::visit::{for_each_read, for_each_write};

/// Marks a register that is written once and read only later.
const SIMPLE: u32 = u32::MAX;

/// What is needed of an instruction: whether it stays, and which of its results.
#[derive(Clone, Copy, Default)]
pub(super) struct Need(u8);

const STAYS: u8 = 1 << 7;

impl Need {
    /// Everything, or nothing.
    pub(super) fn all_or_nothing(stays: bool) -> Self {
        Need(if stays { u8::MAX } else { 0 })
    }

    pub(super) fn stays(self) -> bool {
        self.0 & STAYS != 0
    }

    /// Whether the result at `index` is needed; instructions have at most four.
    pub(super) fn result(self, index: usize) -> bool {
        self.0 & (1 << index) != 0
    }
}

/// The needs of every instruction, in the order of the walk.
pub(super) struct Needs(Vec<Need>);

impl Needs {
    /// From the need of each instruction, the last first.
    pub(super) fn new(needs: Vec<Need>) -> Self {
        Needs(needs)
    }

    /// The need of the instruction at a position of the walk.
    pub(super) fn of(&self, position: usize) -> Need {
        self.0[position]
    }
}

/// What is needed of the body.
pub(super) fn of_body(kernel: &Kernel) -> Needs {
    let mut walk = Walk::new(kernel, &kernel.body);
    let mut live = BitSet::new(walk.tracked_count);
    walk.block(&kernel.body, &mut live);
    Needs(walk.needs)
}

/// What is live where a jump leads.
struct Frame {
    label: Label,
    at_break: BitSet,
    at_continue: Option<BitSet>,
}

struct Walk<'k> {
    kernel: &'k Kernel,
    needs: Vec<Need>,
    /// Position of the instruction that is walked next.
    next: usize,
    /// By register: its index among the tracked ones, or [`SIMPLE`].
    tracked: Vec<u32>,
    tracked_count: usize,
    /// Simple registers that are needed.
    needed: BitSet,
    frames: Vec<Frame>,
    /// Live at the head of each loop, as far as is known.
    heads: HashMap<Label, BitSet>,
}

impl<'k> Walk<'k> {
    fn new(kernel: &'k Kernel, block: &Block) -> Self {
        let mut walk = Walk {
            kernel,
            needs: Vec::new(),
            next: 0,
            tracked: vec![SIMPLE; kernel.registers.len()],
            tracked_count: 0,
            needed: BitSet::new(kernel.registers.len()),
            frames: Vec::new(),
            heads: HashMap::new(),
        };
        let mut written = BitSet::new(kernel.registers.len());
        let count = walk.classify(block, &mut written);
        walk.needs.resize(count, Need::default());
        walk
    }

    /// Finds the registers to track, in the order of the text; the number of instructions.
    fn classify(&mut self, block: &[Instruction], written: &mut BitSet) -> usize {
        let kernel = self.kernel;
        let mut count = block.len();
        for Instruction { kind, .. } in block {
            let looped = matches!(kind, Kind::Loop { .. });
            if !looped {
                for_each_read(kernel, kind, |operand| self.classify_read(operand, written));
            }
            for_each_write(kind, |register| {
                if !written.insert(register.0) {
                    self.track(register);
                }
            });
            for inner in crate::visit::nested(kind) {
                count += self.classify(inner, written);
            }
            if looped {
                // A loop reads its condition at its end.
                for_each_read(kernel, kind, |operand| self.classify_read(operand, written));
            }
        }
        count
    }

    fn classify_read(&mut self, operand: Operand, written: &BitSet) {
        if let Operand::Register(register) = operand
            && !written.contains(register.0)
        {
            self.track(register);
        }
    }

    fn track(&mut self, register: Register) {
        let index = &mut self.tracked[register.0 as usize];
        if *index == SIMPLE {
            *index = self.tracked_count as u32;
            self.tracked_count += 1;
        }
    }

    /// Walks a block backwards; whether anything in it stays.
    fn block(&mut self, block: &[Instruction], live: &mut BitSet) -> bool {
        let mut any = false;
        for instruction in block.iter().rev() {
            any |= self.instruction(&instruction.kind, live);
        }
        any
    }

    fn instruction(&mut self, kind: &Kind, live: &mut BitSet) -> bool {
        let stays = match kind {
            Kind::If { accept, reject, .. } => {
                let mut other = live.clone();
                let accepted = self.block(accept, &mut other);
                let rejected = self.block(reject, live);
                live.union(&other);
                accepted || rejected
            }
            Kind::Switch { label, cases, .. } => self.switch(*label, cases, live),
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => {
                self.repeat(*label, (body, continuing), *break_if, live);
                self.next += 1;
                self.needs[self.next - 1] = Need(STAYS);
                return true;
            }
            Kind::Block { label, body } => {
                self.frames.push(Frame {
                    label: *label,
                    at_break: live.clone(),
                    at_continue: None,
                });
                let stays = self.block(body, live);
                self.frames.pop();
                stays
            }
            Kind::Break(label) => {
                if let Some(frame) = self.frame(*label) {
                    live.clone_from(&frame.at_break);
                }
                true
            }
            Kind::Continue(label) => {
                if let Some(target) = self
                    .frame(*label)
                    .and_then(|frame| frame.at_continue.as_ref())
                {
                    live.clone_from(target);
                }
                true
            }
            Kind::Return => {
                *live = BitSet::new(self.tracked_count);
                true
            }
            kind => return self.leaf(kind, live),
        };
        self.needs[self.next] = Need(if stays { STAYS } else { 0 });
        self.next += 1;
        if stays {
            self.read(kind, live);
        }
        stays
    }

    /// An instruction without blocks.
    fn leaf(&mut self, kind: &Kind, live: &mut BitSet) -> bool {
        let mut any = false;
        for_each_write(kind, |register| any |= self.is_needed(register, live));
        let results = match kind {
            Kind::Load { targets, .. } | Kind::Texture { targets, .. } => {
                self.results(targets, live)
            }
            Kind::Atomic {
                target, exchanged, ..
            } => self.results(&[*target, *exchanged], live),
            _ => 0,
        };
        let stays = any || has_effect(kind);
        self.needs[self.next] = Need(if stays { STAYS | results } else { 0 });
        self.next += 1;
        if stays {
            for_each_write(kind, |register| {
                let tracked = self.tracked[register.0 as usize];
                if tracked != SIMPLE {
                    live.remove(tracked);
                }
            });
            self.read(kind, live);
        }
        stays
    }

    fn is_needed(&self, register: Register, live: &BitSet) -> bool {
        match self.tracked[register.0 as usize] {
            SIMPLE => self.needed.contains(register.0),
            tracked => live.contains(tracked),
        }
    }

    /// A bit for each needed result, of which there are at most four.
    fn results(&self, targets: &[Option<Register>], live: &BitSet) -> u8 {
        let needed = |target: &Option<Register>| {
            target.is_some_and(|register| self.is_needed(register, live))
        };
        let bits = targets
            .iter()
            .enumerate()
            .filter(|(_, target)| needed(target));
        bits.fold(0, |bits, (index, _)| bits | 1 << index)
    }

    fn switch(&mut self, label: Label, cases: &[Case], live: &mut BitSet) -> bool {
        let after = live.clone();
        if cases.iter().any(|case| case.default) {
            *live = BitSet::new(self.tracked_count);
        }
        self.frames.push(Frame {
            label,
            at_break: after.clone(),
            at_continue: None,
        });
        let mut stays = false;
        for case in cases {
            let mut inside = after.clone();
            stays |= self.block(&case.body, &mut inside);
            live.union(&inside);
        }
        self.frames.pop();
        stays
    }

    fn repeat(
        &mut self,
        label: Label,
        (body, continuing): (&[Instruction], &[Instruction]),
        break_if: Option<Operand>,
        live: &mut BitSet,
    ) {
        let start = self.next;
        let after = live.clone();
        let mut head = match self.heads.remove(&label) {
            Some(head) => head,
            None => BitSet::new(self.tracked_count),
        };
        loop {
            self.next = start;
            live.clone_from(&head);
            if let Some(condition) = break_if {
                live.union(&after);
                self.read_operand(condition, live);
            }
            self.block(continuing, live);
            self.frames.push(Frame {
                label,
                at_break: after.clone(),
                at_continue: Some(live.clone()),
            });
            self.block(body, live);
            self.frames.pop();
            if !head.union(live) {
                break;
            }
        }
        live.clone_from(&head);
        self.heads.insert(label, head);
    }

    fn frame(&self, label: Label) -> Option<&Frame> {
        self.frames.iter().rev().find(|frame| frame.label == label)
    }

    fn read(&mut self, kind: &Kind, live: &mut BitSet) {
        let kernel = self.kernel;
        for_each_read(kernel, kind, |operand| self.read_operand(operand, live));
    }

    fn read_operand(&mut self, operand: Operand, live: &mut BitSet) {
        if let Operand::Register(register) = operand {
            match self.tracked[register.0 as usize] {
                SIMPLE => self.needed.insert(register.0),
                tracked => live.insert(tracked),
            };
        }
    }
}

/// Whether an instruction does more than write its results.
fn has_effect(kind: &Kind) -> bool {
    match kind {
        Kind::Compute { .. }
        | Kind::Copy { .. }
        | Kind::ArrayLength { .. }
        | Kind::Load { .. }
        | Kind::Subgroup { .. } => false,
        Kind::Texture {
            operation, values, ..
        } => match operation {
            TextureOperation::Load
            | TextureOperation::Sample
            | TextureOperation::Gather
            | TextureOperation::Query(_) => !values.is_empty(),
            TextureOperation::Store | TextureOperation::Atomic(_) => true,
        },
        Kind::Store { .. }
        | Kind::Atomic { .. }
        | Kind::Barrier(_)
        | Kind::MemoryBarrier(_)
        | Kind::If { .. }
        | Kind::Switch { .. }
        | Kind::Loop { .. }
        | Kind::Block { .. }
        | Kind::Break(_)
        | Kind::Continue(_)
        | Kind::Return
        | Kind::Unsupported { .. } => true,
    }
}
