//! The walk over structured control flow.

use std::collections::{BTreeMap, HashMap};

use super::NonUniformBarrier;
use super::state::{State, join_into};
use crate::instruction::{
    Access, AccessId, Builtin, Case, Instruction, Kind, Label, Operand, TextureOperation,
};
use crate::kernel::{Kernel, SpanId};
use crate::types::Space;

/// How a stretch of code ends.
struct End {
    /// The state after it; none when control cannot get there.
    next: Option<State>,
    /// The outermost construct that some path inside leaves: 0 for a return, then outermost first;
    /// none when every path falls through.
    leaves: Option<usize>,
}

impl End {
    fn next(state: State) -> Self {
        End {
            next: Some(state),
            leaves: None,
        }
    }

    fn leaving(depth: usize) -> Self {
        End {
            next: None,
            leaves: Some(depth),
        }
    }
}

fn outermost(a: Option<usize>, b: Option<usize>) -> Option<usize> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// A labelled construct that the walk is inside of, with the states at its breaks and continues.
struct Frame {
    label: Label,
    breaks: Option<State>,
    continues: Option<State>,
}

/// A branch on several cases or two.
struct Arms<'k> {
    blocks: Vec<&'k [Instruction]>,
    /// Whether control may skip all of them.
    skippable: bool,
}

pub(super) struct Walk<'k> {
    kernel: &'k Kernel,
    frames: Vec<Frame>,
    /// The state at the head of each loop in the last pass over it.
    heads: HashMap<Label, State>,
    found: BTreeMap<SpanId, SpanId>,
}

impl<'k> Walk<'k> {
    pub(super) fn new(kernel: &'k Kernel) -> Self {
        Walk {
            kernel,
            frames: Vec::new(),
            heads: HashMap::new(),
            found: BTreeMap::new(),
        }
    }

    pub(super) fn run(mut self) -> Vec<NonUniformBarrier> {
        self.block(&self.kernel.body, State::entry(self.kernel));
        let mut found: Vec<_> = self
            .found
            .iter()
            .map(|(&barrier, &cause)| NonUniformBarrier { barrier, cause })
            .collect();
        found.sort_by_key(|found| self.kernel.span(found.barrier).start);
        found
    }

    fn block(&mut self, block: &'k [Instruction], state: State) -> End {
        let mut end = End::next(state);
        for instruction in block {
            let Some(state) = end.next.take() else { break };
            let after = self.instruction(instruction, state);
            end.next = after.next;
            end.leaves = outermost(end.leaves, after.leaves);
        }
        end
    }

    fn instruction(&mut self, instruction: &'k Instruction, mut state: State) -> End {
        let span = instruction.span;
        match &instruction.kind {
            Kind::If {
                condition,
                accept,
                reject,
                ..
            } => {
                let arms = Arms {
                    blocks: vec![accept, reject],
                    skippable: false,
                };
                self.branch(span, *condition, &arms, state)
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => self.switch(span, *label, *selector, cases, state),
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => self.repeat(span, *label, [body, continuing], *break_if, state),
            Kind::Block { label, body } => {
                let control = state.control;
                self.labelled(*label, control, |walk| walk.block(body, state))
            }
            Kind::Break(label) => {
                let (depth, frame) = self.frame(*label);
                join_into(&mut frame.breaks, Some(state));
                End::leaving(depth)
            }
            Kind::Continue(label) => {
                let (depth, frame) = self.frame(*label);
                join_into(&mut frame.continues, Some(state));
                End::leaving(depth)
            }
            Kind::Return => End::leaving(0),
            simple => {
                self.simple(span, simple, &mut state);
                End::next(state)
            }
        }
    }

    /// The depth (outermost 1) and the frame of a construct that the walk is inside of.
    fn frame(&mut self, label: Label) -> (usize, &mut Frame) {
        let index = self.frames.iter().rposition(|frame| frame.label == label);
        #[expect(clippy::expect_used, reason = "an invariant of the IR")]
        let index = index.expect("a label names an enclosing construct");
        (index + 1, &mut self.frames[index])
    }

    /// Walks what is inside of a construct and joins its breaks to its end. If nothing inside leaves
    /// an outer construct, control is afterwards as it was before.
    fn labelled(
        &mut self,
        label: Label,
        before: Option<SpanId>,
        inside: impl FnOnce(&mut Self) -> End,
    ) -> End {
        self.frames.push(Frame {
            label,
            breaks: None,
            continues: None,
        });
        let mut end = inside(self);
        let depth = self.frames.len();
        let frame = self.frames.pop();
        join_into(&mut end.next, frame.and_then(|frame| frame.breaks));
        end.leaves = end.leaves.filter(|&leaves| leaves < depth);
        reconverge(&mut end, before);
        end
    }

    fn branch(&mut self, span: SpanId, on: Operand, arms: &Arms<'k>, mut state: State) -> End {
        let before = state.control;
        if non_uniform(on, &state) {
            state.control = before.or(Some(span));
        }
        let mut end = End {
            next: arms.skippable.then(|| state.clone()),
            leaves: None,
        };
        for block in &arms.blocks {
            let arm = self.block(block, state.clone());
            join_into(&mut end.next, arm.next);
            end.leaves = outermost(end.leaves, arm.leaves);
        }
        reconverge(&mut end, before);
        end
    }

    fn switch(
        &mut self,
        span: SpanId,
        label: Label,
        selector: Operand,
        cases: &'k [Case],
        state: State,
    ) -> End {
        let arms = Arms {
            blocks: cases.iter().map(|case| case.body.as_slice()).collect(),
            skippable: !cases.iter().any(|case| case.default),
        };
        let before = state.control;
        self.labelled(label, before, |walk| {
            walk.branch(span, selector, &arms, state)
        })
    }

    fn repeat(
        &mut self,
        span: SpanId,
        label: Label,
        [body, continuing]: [&'k [Instruction]; 2],
        break_if: Option<Operand>,
        mut head: State,
    ) -> End {
        let before = head.control;
        if let Some(earlier) = self.heads.remove(&label) {
            head.join(&earlier);
        }
        loop {
            let mut back = None;
            let mut end = self.labelled(label, before, |walk| {
                let inside = walk.block(body, head.clone());
                let mut at_continuing = inside.next;
                let (_, frame) = walk.frame(label);
                join_into(&mut at_continuing, frame.continues.take());
                if let Some(state) = at_continuing {
                    back = walk.block(continuing, state).next;
                }
                let mut next = None;
                if let (Some(condition), Some(back)) = (break_if, &mut back) {
                    if non_uniform(condition, back) {
                        back.control = back.control.or(Some(span));
                    }
                    next = Some(back.clone());
                }
                End {
                    next,
                    leaves: inside.leaves,
                }
            });
            if back.is_none_or(|back| !head.join(&back)) {
                if let (Some(_), Some(next)) = (end.leaves, &mut end.next) {
                    next.control = next.control.or(head.control);
                }
                self.heads.insert(label, head);
                return end;
            }
        }
    }

    /// An instruction that does not direct control.
    fn simple(&mut self, span: SpanId, kind: &Kind, state: &mut State) {
        match kind {
            Kind::Compute {
                target, arguments, ..
            } => state.assign(*target, any(arguments, state)),
            Kind::Copy { target, source } => state.assign(*target, non_uniform(*source, state)),
            Kind::ArrayLength {
                target,
                binding_index,
                ..
            } => {
                let index = binding_index.is_some_and(|index| non_uniform(index, state));
                state.assign(*target, index);
            }
            Kind::Load { targets, access } => {
                let non_uniform = self.load(*access, state);
                for &target in targets.iter().flatten() {
                    state.assign(target, non_uniform);
                }
            }
            Kind::Store { values, access } => {
                let access = self.kernel.access(*access);
                if self.kernel.variable(access.variable).space == Space::Private {
                    let non_uniform = any(values, state) || address(access, state);
                    state.store_private(access.variable, non_uniform);
                }
            }
            Kind::Atomic {
                target, exchanged, ..
            } => {
                for &target in target.iter().chain(exchanged) {
                    state.assign(target, true);
                }
            }
            Kind::Barrier(scope) if !scope.subgroup => {
                if let Some(cause) = state.control {
                    self.found.entry(span).or_insert(cause);
                }
            }
            Kind::Subgroup { targets, .. } => {
                for &target in targets {
                    state.assign(target, true);
                }
            }
            Kind::Texture { targets, .. } => {
                let non_uniform = self.texture(kind, state);
                for &target in targets.iter().flatten() {
                    state.assign(target, non_uniform);
                }
            }
            Kind::Unsupported {
                targets, arguments, ..
            } => {
                let non_uniform = any(arguments, state);
                for &target in targets {
                    state.assign(target, non_uniform);
                }
            }
            _ => {}
        }
    }

    /// Whether the result of a load may be non-uniform.
    fn load(&mut self, id: AccessId, state: &State) -> bool {
        let access = self.kernel.access(id);
        let variable = self.kernel.variable(access.variable);
        let elsewhere = address(access, state);
        if access.workgroup_uniform {
            if elsewhere {
                self.found.entry(access.span).or_insert(access.span);
            }
            return elsewhere;
        }
        let contents = match variable.space {
            Space::Uniform => false,
            Space::Storage | Space::Texture => variable.writable,
            Space::Workgroup => true,
            Space::Private => state.private(access.variable),
        };
        elsewhere || contents || access.atomic
    }

    /// Whether what a texture instruction returns may be non-uniform.
    fn texture(&self, kind: &Kind, state: &State) -> bool {
        let Kind::Texture {
            operation,
            coordinates,
            layer,
            level,
            extra,
            access,
            ..
        } = kind
        else {
            return false;
        };
        let access = self.kernel.access(*access);
        let contents = match operation {
            TextureOperation::Query(_) => false,
            TextureOperation::Atomic(_) => true,
            _ => self.kernel.variable(access.variable).writable,
        };
        contents
            || any(coordinates, state)
            || any(extra, state)
            || [*layer, *level, access.binding_index]
                .iter()
                .flatten()
                .any(|&operand| non_uniform(operand, state))
    }
}

/// Whether an address may be non-uniform.
fn address(access: &Access, state: &State) -> bool {
    let indices = access.address.terms.iter().map(|term| term.index);
    let mut indices = indices.chain(access.binding_index);
    indices.any(|index| non_uniform(index, state))
}

fn any(operands: &[Operand], state: &State) -> bool {
    let mut operands = operands.iter();
    operands.any(|&operand| non_uniform(operand, state))
}

/// Whether an operand may be non-uniform.
fn non_uniform(operand: Operand, state: &State) -> bool {
    match operand {
        Operand::Register(register) => state.register(register),
        Operand::Constant(_) | Operand::Override(_) => false,
        Operand::Builtin(builtin) => match builtin {
            Builtin::WorkgroupId(_)
            | Builtin::NumWorkgroups(_)
            | Builtin::SubgroupSize
            | Builtin::NumSubgroups => false,
            Builtin::GlobalId(_)
            | Builtin::LocalId(_)
            | Builtin::LocalIndex
            | Builtin::SubgroupInvocationId
            | Builtin::SubgroupId => true,
        },
    }
}

fn reconverge(end: &mut End, before: Option<SpanId>) {
    if let (None, Some(next)) = (end.leaves, &mut end.next) {
        next.control = before;
    }
}
