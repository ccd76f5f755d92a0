//! Dispatch of instructions.

use cresta_ir::{BarrierScope, Instruction, Kind, Operand, Register, Scalar, SpanId};

use crate::arena::Uniformity;
use crate::poly::Poly;
use crate::program::PlacedBarrier;
use crate::value::Value;

use super::frames::FrameKind;
use super::loops::Loop;
use super::state::Walker;

impl Walker<'_> {
    /// Runs a block; whether control reaches its end.
    pub(super) fn block(&mut self, block: &[Instruction]) -> bool {
        block
            .iter()
            .all(|instruction| self.instruction(instruction))
    }

    fn instruction(&mut self, instruction: &Instruction) -> bool {
        let span = instruction.span;
        let key = super::layout::key(instruction);
        self.steps = self.steps.saturating_sub(1);
        match &instruction.kind {
            Kind::Compute {
                target,
                operation,
                scalar,
                arguments,
            } => {
                self.count(|costs| {
                    let cost = operation.cost(*scalar);
                    costs.flops += u64::from(cost.flops);
                    match scalar {
                        Scalar::F16 => costs.flops_f16 += u64::from(cost.flops),
                        Scalar::F64 => costs.flops_f64 += u64::from(cost.flops),
                        _ => {}
                    }
                    costs.special += u64::from(cost.special);
                    costs.integer += u64::from(cost.integer);
                    costs.other += u64::from(cost.other);
                    costs.instructions += 1;
                });
                let value = self.compute(*operation, *scalar, *target, arguments);
                self.write(*target, value);
            }
            Kind::Copy { target, source } => {
                let value = self.read(*source);
                self.write(*target, value);
            }
            Kind::ArrayLength {
                target,
                variable,
                binding_index,
            } => {
                self.count(|costs| costs.instructions += 1);
                self.array_length(*target, *variable, *binding_index);
            }
            Kind::Load { targets, access } => self.load(targets, *access),
            Kind::Store { access, .. } => self.place(*access, Vec::new()),
            Kind::Atomic {
                target,
                exchanged,
                access,
                ..
            } => {
                self.count(|costs| costs.atomics += 1);
                self.place(*access, Vec::new());
                self.set_unknown(target.iter().chain(exchanged), Uniformity::Lane);
            }
            Kind::Barrier(scope) => self.barrier(*scope, span),
            Kind::MemoryBarrier(_) => self.count(|costs| costs.instructions += 1),
            Kind::Subgroup {
                operation,
                scalar: _,
                targets,
                arguments,
            } => {
                self.count(|costs| {
                    costs.subgroup += 1;
                    costs.instructions += 1;
                });
                self.subgroup(*operation, targets, arguments);
            }
            Kind::Texture { .. } => self.texture(&instruction.kind),
            Kind::If {
                condition,
                accept,
                reject,
                ..
            } => {
                let within = self.layout.construct(key);
                return self.branch(*condition, accept, reject, span, &within);
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => {
                let within = self.layout.construct(key);
                return self.switch(*label, *selector, cases, span, &within);
            }
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => {
                let label = *label;
                let break_if = *break_if;
                return self.run_loop(&Loop {
                    label,
                    body,
                    continuing,
                    break_if,
                    span,
                    key,
                });
            }
            Kind::Block { label, body } => {
                let within = self.layout.construct(key);
                return self.labelled(*label, body, within);
            }
            Kind::Break(label) => {
                let target = self.frame_of(*label, None);
                self.leave(target, span, key, Poly::one());
                return false;
            }
            Kind::Continue(label) => {
                let target = self.frame_of(*label, Some(FrameKind::LoopBody));
                self.leave(target, span, key, Poly::one());
                return false;
            }
            Kind::Return => {
                self.leave(None, span, key, Poly::one());
                return false;
            }
            Kind::Unsupported { targets, .. } => {
                self.set_unknown(targets.iter(), Uniformity::Lane);
            }
        }
        true
    }

    fn barrier(&mut self, scope: BarrierScope, span: SpanId) {
        self.count(|costs| costs.instructions += 1);
        if self.trial == 0 && !scope.subgroup {
            let region = self.current_region();
            self.program.regions[region].costs.barriers += 1;
            self.program.barriers.push(PlacedBarrier { span, region });
        }
    }

    /// A value of the register's type of which nothing but its uniformity is known.
    pub(super) fn unknown_of(&mut self, register: Register, uniformity: Uniformity) -> Value {
        let scalar = self.kernel.register_type(register);
        if scalar.is_integer() {
            let least = (!scalar.is_signed()).then_some(0);
            let symbol = self.data(uniformity, least);
            return Value::Whole(Poly::atom(symbol));
        }
        Value::Other(uniformity)
    }

    pub(super) fn set_unknown<'r>(
        &mut self,
        registers: impl Iterator<Item = &'r Register>,
        uniformity: Uniformity,
    ) {
        for &register in registers {
            let value = self.unknown_of(register, uniformity);
            self.write(register, value);
        }
    }

    pub(super) fn least_uniform(&mut self, operands: &[Operand]) -> Uniformity {
        let mut least = Uniformity::Launch;
        for &operand in operands {
            let value = self.read(operand);
            least = least.min(value.uniformity(&self.program.arena));
        }
        least
    }
}
