//! The interpreter: one workgroup at a time, all its lanes in lockstep.

use std::collections::HashMap;

use cresta_ir::{
    Block, Builtin, Constant, Instruction, Kernel, Kind, Label, Operand, Operation, OverrideId,
    Register, Scalar,
};

use super::counts::{AccessCounts, Counts};
use super::device::Device;
use super::evaluate::{self, MOST_ARGUMENTS};
use super::launch::Launch;
use super::mask::Mask;
use super::memory::Memory;

/// Turns of one loop in one workgroup after which a kernel is taken not to end.
const ENDLESS: u32 = 1_000_000;

/// A labelled construct that is running, with the lanes that left or continued it.
struct Frame {
    label: Label,
    broken: Mask,
    continued: Mask,
}

/// Everything that an operand can name has a row of values, one per lane. Registers come first.
pub(super) struct Interpreter<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) launch: &'k Launch,
    pub(super) device: &'k Device,
    pub(super) counts: Counts,
    lanes: usize,
    pub(super) rows: Vec<u64>,
    other_rows: HashMap<Operand, usize>,
    pub(super) memory: Memory<'k>,
    frames: Vec<Frame>,
}

impl<'k> Interpreter<'k> {
    pub(super) fn new(kernel: &'k Kernel, launch: &'k Launch, device: &'k Device) -> Self {
        launch.check(kernel);
        let lanes = kernel.workgroup_invocations() as usize;
        let mut interpreter = Interpreter {
            kernel,
            launch,
            device,
            counts: Counts {
                accesses: vec![AccessCounts::default(); kernel.accesses.len()],
                ..Counts::default()
            },
            lanes,
            rows: vec![0; kernel.registers.len() * lanes],
            other_rows: HashMap::new(),
            memory: Memory::new(kernel, launch, lanes as u64),
            frames: Vec::new(),
        };
        interpreter.run_prologue();
        interpreter
    }

    pub(super) fn run(mut self, workgroups: [u32; 3]) -> Counts {
        for z in 0..workgroups[2] {
            for y in 0..workgroups[1] {
                for x in 0..workgroups[0] {
                    self.start_workgroup([x, y, z], workgroups);
                    let all = Mask::new((0..self.lanes).collect(), self.simd_width());
                    self.counts.invocations += all.count();
                    let kernel = self.kernel;
                    self.block(&kernel.body, all);
                }
            }
        }
        self.memory.finish(&mut self.counts);
        self.counts
    }

    fn simd_width(&self) -> usize {
        self.device.simd_width as usize
    }

    /// Gives overrides their values and runs the prologue, without counting it. An override that
    /// others compute comes after these, so the prologue runs once for each.
    fn run_prologue(&mut self) {
        let kernel = self.kernel;
        let accesses = self.counts.accesses.clone();
        let first_lane = || Mask::new(vec![0], 1);
        let operands = (0..).map(|index| Operand::Override(OverrideId(index)));
        for (operand, _) in operands.clone().zip(&kernel.overrides) {
            self.set_row(operand, |_| 0);
        }
        for (operand, found) in operands.zip(&kernel.overrides) {
            let given = self.launch.override_bits(&found.name);
            let value = given.or(found.value.map(|value| value.bits));
            let bits = value.unwrap_or_else(|| {
                let computed = found.computed;
                let computed = computed.unwrap_or_else(|| panic!("{} has no value", found.name));
                self.block(&kernel.prologue, first_lane());
                self.read(computed, 0)
            });
            self.set_row(operand, |_| bits);
        }
        self.block(&kernel.prologue, first_lane());
        self.memory.end_prologue();
        self.counts = Counts {
            accesses,
            ..Counts::default()
        };
    }

    fn start_workgroup(&mut self, group: [u32; 3], groups: [u32; 3]) {
        self.memory.start_workgroup();
        let registers = self.kernel.registers.len() * self.lanes;
        self.rows[..registers].fill(0);
        let [width, height, _] = self.kernel.workgroup_size.map(|size| size as usize);
        let local = |lane: usize| [lane % width, lane / width % height, lane / (width * height)];
        let size = self.kernel.workgroup_size;
        for axis in 0..3 {
            let at = usize::from(axis);
            let first = u64::from(group[at]) * u64::from(size[at]);
            self.set_builtin(Builtin::WorkgroupId(axis), |_| group[at].into());
            self.set_builtin(Builtin::NumWorkgroups(axis), |_| groups[at].into());
            self.set_builtin(Builtin::LocalId(axis), |lane| local(lane)[at] as u64);
            self.set_builtin(Builtin::GlobalId(axis), |lane| {
                first + local(lane)[at] as u64
            });
        }
        let simd = self.simd_width();
        let simd_groups = self.lanes.div_ceil(simd);
        self.set_builtin(Builtin::LocalIndex, |lane| lane as u64);
        self.set_builtin(Builtin::SubgroupSize, |_| simd as u64);
        self.set_builtin(Builtin::SubgroupInvocationId, |lane| (lane % simd) as u64);
        self.set_builtin(Builtin::SubgroupId, |lane| (lane / simd) as u64);
        self.set_builtin(Builtin::NumSubgroups, |_| simd_groups as u64);
    }

    fn set_builtin(&mut self, builtin: Builtin, value: impl Fn(usize) -> u64) {
        self.set_row(Operand::Builtin(builtin), value);
    }

    fn set_row(&mut self, operand: Operand, value: impl Fn(usize) -> u64) {
        let end = self.rows.len();
        let start = *self.other_rows.entry(operand).or_insert(end);
        if start == end {
            self.rows.resize(end + self.lanes, 0);
        }
        for lane in 0..self.lanes {
            self.rows[start + lane] = value(lane);
        }
    }

    /// Where the values of an operand start.
    pub(super) fn row(&mut self, operand: Operand) -> usize {
        if let Operand::Register(register) = operand {
            return register.0 as usize * self.lanes;
        }
        if let Some(&start) = self.other_rows.get(&operand) {
            return start;
        }
        let Operand::Constant(Constant { bits, .. }) = operand else {
            panic!("{operand:?} has no value");
        };
        self.set_row(operand, |_| bits);
        self.other_rows[&operand]
    }

    pub(super) fn read(&mut self, operand: Operand, lane: usize) -> u64 {
        let row = self.row(operand);
        self.rows[row + lane]
    }

    pub(super) fn write(&mut self, register: Register, lane: usize, bits: u64) {
        let row = register.0 as usize * self.lanes;
        self.rows[row + lane] = bits;
    }

    fn split(&mut self, condition: Operand, mask: &Mask) -> (Mask, Mask) {
        let row = self.row(condition);
        mask.split(|lane| self.rows[row + lane] != 0)
    }

    /// Runs a block; the lanes that get to its end.
    fn block(&mut self, block: &'k Block, mut mask: Mask) -> Mask {
        for instruction in block {
            if mask.is_empty() {
                break;
            }
            mask = self.instruction(instruction, mask);
        }
        mask
    }

    fn instruction(&mut self, instruction: &'k Instruction, mask: Mask) -> Mask {
        match &instruction.kind {
            Kind::If {
                condition,
                accept,
                reject,
                ..
            } => {
                let (yes, no) = self.split(*condition, &mask);
                let yes = self.block(accept, yes);
                let no = self.block(reject, no);
                yes.join(no)
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => {
                let row = self.row(*selector);
                let mut rest = mask;
                let mut after = rest.none();
                let ordered = cases.iter().filter(|case| !case.default);
                for case in ordered.chain(cases.iter().filter(|case| case.default)) {
                    let (taken, others) = rest.split(|lane| {
                        let bits = self.rows[row + lane] as u32;
                        let either = [i64::from(bits), i64::from(bits.cast_signed())];
                        case.default || case.values.iter().any(|value| either.contains(value))
                    });
                    rest = others;
                    let (end, _) = self.labelled(*label, &case.body, taken);
                    after = after.join(end);
                }
                after.join(rest)
            }
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => self.repeat(*label, [body, continuing], *break_if, mask),
            Kind::Block { label, body } => self.labelled(*label, body, mask).0,
            Kind::Break(label) => {
                let none = mask.none();
                let frame = self.frame(*label);
                frame.broken = frame.broken.clone().join(mask);
                none
            }
            Kind::Continue(label) => {
                let none = mask.none();
                let frame = self.frame(*label);
                frame.continued = frame.continued.clone().join(mask);
                none
            }
            Kind::Return => mask.none(),
            simple => {
                self.simple(simple, &mask);
                mask
            }
        }
    }

    fn frame(&mut self, label: Label) -> &mut Frame {
        let mut frames = self.frames.iter_mut().rev();
        frames
            .find(|frame| frame.label == label)
            .expect("an enclosing construct")
    }

    /// Runs a block that can be left: the lanes at its end, those that broke out of it included, and
    /// those that continued.
    fn labelled(&mut self, label: Label, block: &'k Block, mask: Mask) -> (Mask, Mask) {
        let (end, broken, continued) = self.apart(label, block, mask);
        (end.join(broken), continued)
    }

    fn apart(&mut self, label: Label, block: &'k Block, mask: Mask) -> (Mask, Mask, Mask) {
        self.frames.push(Frame {
            label,
            broken: mask.none(),
            continued: mask.none(),
        });
        let end = self.block(block, mask);
        let frame = self.frames.pop().expect("pushed above");
        (end, frame.broken, frame.continued)
    }

    fn repeat(
        &mut self,
        label: Label,
        [body, continuing]: [&'k Block; 2],
        break_if: Option<Operand>,
        mut mask: Mask,
    ) -> Mask {
        let mut after = mask.none();
        for _ in 0..ENDLESS {
            if mask.is_empty() {
                return after;
            }
            let (end, broken, continued) = self.apart(label, body, mask);
            after = after.join(broken);
            mask = self.block(continuing, end.join(continued));
            if let Some(condition) = break_if {
                let (left, rest) = self.split(condition, &mask);
                after = after.join(left);
                mask = rest;
            }
        }
        panic!("a loop does not end");
    }

    /// An instruction that does not direct control.
    fn simple(&mut self, kind: &'k Kind, mask: &Mask) {
        if let Kind::Copy { target, source } = kind {
            let row = self.row(*source);
            for &lane in &mask.lanes {
                self.write(*target, lane, self.rows[row + lane]);
            }
            return;
        }
        self.counts.active_lanes += mask.count();
        self.counts.lanes += mask.simd_groups * u64::from(self.device.simd_width);
        match kind {
            Kind::Compute {
                target,
                operation,
                scalar,
                arguments,
            } => self.compute(*target, *operation, *scalar, arguments, mask),
            Kind::ArrayLength {
                target, variable, ..
            } => {
                let elements = self.memory.elements(*variable);
                for &lane in &mask.lanes {
                    self.write(*target, lane, elements);
                }
            }
            Kind::Load { targets, access } => self.load(targets, *access, mask),
            Kind::Store { values, access } => self.store(values, *access, mask),
            Kind::Atomic { .. } => self.atomic(kind, mask),
            Kind::Barrier(scope) if scope.subgroup => {
                self.counts.simd_barriers += mask.simd_groups;
            }
            Kind::Barrier(_) => self.counts.barriers += 1,
            Kind::MemoryBarrier(_) => {}
            Kind::Subgroup { .. } => self.subgroup(kind, mask),
            Kind::Texture { .. } => self.texture(kind, mask),
            other => panic!("cannot run {other:?}"),
        }
    }

    fn compute(
        &mut self,
        target: Register,
        operation: Operation,
        scalar: Scalar,
        arguments: &[Operand],
        mask: &Mask,
    ) {
        let result = self.kernel.register_type(target);
        let mut rows = [0; MOST_ARGUMENTS];
        for (row, &argument) in rows.iter_mut().zip(arguments) {
            *row = self.row(argument);
        }
        let rows = &rows[..arguments.len()];
        let mut bits = [0; MOST_ARGUMENTS];
        for &lane in &mask.lanes {
            for (bits, row) in bits.iter_mut().zip(rows) {
                *bits = self.rows[row + lane];
            }
            let value = evaluate::apply(operation, scalar, result, &bits[..rows.len()]);
            self.write(target, lane, value);
        }
        let cost = operation.cost(scalar);
        let total = |each: u32| u64::from(each) * mask.count();
        self.counts.flops += total(cost.flops);
        match scalar {
            Scalar::F16 => self.counts.flops_f16 += total(cost.flops),
            Scalar::F64 => self.counts.flops_f64 += total(cost.flops),
            _ => {}
        }
        self.counts.special += total(cost.special);
        self.counts.integer += total(cost.integer);
        self.counts.other += total(cost.other);
    }
}
