//! Where registers occur in a kernel, settled once before the walk.
//!
//! Instructions are numbered in the order of the source. A register all of whose occurrences lie
//! within a construct is of no interest after it, unless a loop carries it from one iteration to the
//! next: merges leave such registers alone.

use std::ops::Range;

use cresta_ir::visit::{for_each_read, for_each_write, nested};
use cresta_ir::{Instruction, Kernel, Kind, Label, Operand, Register};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is known of the registers of a kernel.
pub(super) struct Layout {
    /// Positions of the first and last occurrence of each register.
    occurrences: Vec<Range<u32>>,
    /// Positions of constructs by the address of their instruction.
    constructs: FxHashMap<usize, Range<u32>>,
    /// Positions of the bodies of loops, likewise.
    bodies: FxHashMap<usize, Range<u32>>,
    /// Registers that each loop carries.
    carried: FxHashMap<usize, Vec<Register>>,
    /// Whether any loop carries the register.
    is_carried: Vec<bool>,
    /// Source positions of branches and loops that inlining makes several of.
    pub(super) repeated: FxHashSet<u32>,
    /// Instructions of the kernel.
    pub(super) size: u32,
}

/// What the range of a register that does not occur grows from.
#[expect(
    clippy::reversed_empty_ranges,
    reason = "the least and greatest of nothing"
)]
const NOWHERE: Range<u32> = u32::MAX..0;

/// Identifies an instruction.
pub(super) fn key(instruction: &Instruction) -> usize {
    std::ptr::from_ref(instruction).addr()
}

impl Layout {
    pub(super) fn new(kernel: &Kernel) -> Layout {
        let mut layout = Layout {
            occurrences: vec![NOWHERE; kernel.registers.len()],
            constructs: FxHashMap::default(),
            bodies: FxHashMap::default(),
            carried: FxHashMap::default(),
            is_carried: vec![false; kernel.registers.len()],
            repeated: FxHashSet::default(),
            size: 0,
        };
        let mut seen = FxHashSet::default();
        for block in [&kernel.prologue, &kernel.body] {
            layout.number(kernel, block, &mut seen);
        }
        for block in [&kernel.prologue, &kernel.body] {
            layout.find_carried(kernel, block);
        }
        layout
    }

    fn occurs(&mut self, register: Register, at: u32) {
        let range = &mut self.occurrences[register.0 as usize];
        range.start = range.start.min(at);
        range.end = range.end.max(at + 1);
    }

    fn number(&mut self, kernel: &Kernel, block: &[Instruction], seen: &mut FxHashSet<u32>) {
        for instruction in block {
            let at = self.size;
            self.size += 1;
            let is_loop = matches!(instruction.kind, Kind::Loop { .. });
            for_each_write(&instruction.kind, |register| self.occurs(register, at));
            if !is_loop {
                self.reads(kernel, instruction, at);
            }
            let branches = matches!(
                instruction.kind,
                Kind::If { .. } | Kind::Switch { .. } | Kind::Loop { .. }
            );
            let start = kernel.span(instruction.span).start;
            if branches && !seen.insert(start) {
                self.repeated.insert(start);
            }
            for (index, inner) in nested(&instruction.kind).into_iter().enumerate() {
                self.number(kernel, inner, seen);
                if is_loop && index == 0 {
                    self.bodies.insert(key(instruction), at..self.size);
                }
            }
            if is_loop {
                // the exit after the continuing part
                self.reads(kernel, instruction, self.size);
                self.size += 1;
            }
            if branches || matches!(instruction.kind, Kind::Block { .. }) {
                self.constructs.insert(key(instruction), at..self.size);
            }
        }
    }

    fn reads(&mut self, kernel: &Kernel, instruction: &Instruction, at: u32) {
        for_each_read(kernel, &instruction.kind, |operand| {
            if let Operand::Register(register) = operand {
                self.occurs(register, at);
            }
        });
    }

    fn find_carried(&mut self, kernel: &Kernel, block: &[Instruction]) {
        for instruction in block {
            for inner in nested(&instruction.kind) {
                self.find_carried(kernel, inner);
            }
            if matches!(instruction.kind, Kind::Loop { .. }) {
                let carried = self.carried_by(kernel, instruction);
                for register in &carried {
                    self.is_carried[register.0 as usize] = true;
                }
                self.carried.insert(key(instruction), carried);
            }
        }
    }

    /// Registers that a loop writes and that an iteration, or what follows the loop, may read
    /// without the iteration having written them.
    fn carried_by(&self, kernel: &Kernel, instruction: &Instruction) -> Vec<Register> {
        let Kind::Loop {
            label,
            body,
            continuing,
            break_if,
        } = &instruction.kind
        else {
            return Vec::new();
        };
        let mut scan = Scan {
            kernel,
            read_first: FxHashSet::default(),
            defined: FxHashSet::default(),
            log: Vec::new(),
        };
        scan.block(body);
        if continues(body, *label) {
            scan.undo(0);
        }
        scan.block(continuing);
        if let Some(Operand::Register(register)) = break_if {
            scan.read(*register);
        }
        let mut written = Vec::new();
        written_registers(body, &mut written);
        written_registers(continuing, &mut written);
        written.sort_unstable();
        written.dedup();
        let whole = self.construct(key(instruction));
        written.retain(|register| {
            scan.read_first.contains(register) || !self.is_within(*register, &whole)
        });
        written
    }

    fn is_within(&self, register: Register, range: &Range<u32>) -> bool {
        let occurrences = &self.occurrences[register.0 as usize];
        range.start <= occurrences.start && occurrences.end <= range.end
    }

    /// Registers that a loop carries from one iteration to the next, or out of the loop.
    pub(super) fn carried(&self, instruction: usize) -> &[Register] {
        self.carried.get(&instruction).map_or(&[], Vec::as_slice)
    }

    /// Positions within a construct.
    pub(super) fn construct(&self, instruction: usize) -> Range<u32> {
        self.constructs.get(&instruction).cloned().unwrap_or(0..0)
    }

    /// Positions within the body of a loop.
    pub(super) fn body(&self, instruction: usize) -> Range<u32> {
        self.bodies.get(&instruction).cloned().unwrap_or(0..0)
    }

    /// Whether the register's value may be read after the construct with these positions.
    pub(super) fn outlives(&self, register: Register, range: &Range<u32>) -> bool {
        self.is_carried[register.0 as usize] || !self.is_within(register, range)
    }
}

/// Finds registers that are read before they are certain to have been written.
struct Scan<'a> {
    kernel: &'a Kernel,
    read_first: FxHashSet<Register>,
    defined: FxHashSet<Register>,
    /// Registers in the order in which they came to be defined.
    log: Vec<Register>,
}

impl Scan<'_> {
    fn read(&mut self, register: Register) {
        if !self.defined.contains(&register) {
            self.read_first.insert(register);
        }
    }

    fn define(&mut self, register: Register) {
        if self.defined.insert(register) {
            self.log.push(register);
        }
    }

    /// Forgets definitions back to a point of the log, and returns them.
    fn undo(&mut self, mark: usize) -> Vec<Register> {
        let undone = self.log.split_off(mark);
        for register in &undone {
            self.defined.remove(register);
        }
        undone
    }

    fn block(&mut self, block: &[Instruction]) {
        for instruction in block {
            let mut reads = Vec::new();
            for_each_read(self.kernel, &instruction.kind, |operand| {
                if let Operand::Register(register) = operand {
                    reads.push(register);
                }
            });
            let mark = self.log.len();
            match &instruction.kind {
                Kind::Loop {
                    label,
                    body,
                    continuing,
                    ..
                } => {
                    self.block(body);
                    if continues(body, *label) {
                        self.undo(mark);
                    }
                    self.block(continuing);
                    reads.into_iter().for_each(|register| self.read(register));
                    self.undo(mark);
                }
                Kind::If { accept, reject, .. } => {
                    reads.into_iter().for_each(|register| self.read(register));
                    // both sides define, or neither counts as defining
                    self.block(accept);
                    let first: FxHashSet<Register> = self.undo(mark).into_iter().collect();
                    self.block(reject);
                    for register in self.undo(mark) {
                        if first.contains(&register) {
                            self.define(register);
                        }
                    }
                }
                kind => {
                    reads.into_iter().for_each(|register| self.read(register));
                    for inner in nested(kind) {
                        self.block(inner);
                        self.undo(mark);
                    }
                }
            }
            for_each_write(&instruction.kind, |register| self.define(register));
        }
    }
}

fn continues(block: &[Instruction], label: Label) -> bool {
    block.iter().any(|instruction| {
        matches!(instruction.kind, Kind::Continue(target) if target == label)
            || nested(&instruction.kind)
                .into_iter()
                .any(|inner| continues(inner, label))
    })
}

fn written_registers(block: &[Instruction], written: &mut Vec<Register>) {
    for instruction in block {
        for_each_write(&instruction.kind, |register| written.push(register));
        for inner in nested(&instruction.kind) {
            written_registers(inner, written);
        }
    }
}
