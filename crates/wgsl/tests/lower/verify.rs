//! A check of the kernel IR's invariants, for tests of the lowering.

use std::collections::BTreeSet;

use cresta_ir::{
    Access, AccessKind, Instruction, Kernel, Kind, Label, Operand, Operation, Register, Scalar,
    SubgroupOperation, TextureOperation,
};

/// Everything that is wrong with a kernel, as text.
pub fn verify(kernel: &Kernel) -> Vec<String> {
    let mut verifier = Verifier {
        kernel,
        problems: Vec::new(),
        labels: BTreeSet::new(),
        open: Vec::new(),
        written: BTreeSet::new(),
        read: BTreeSet::new(),
    };
    verifier.block(&kernel.prologue);
    verifier.block(&kernel.body);
    for access in &kernel.accesses {
        verifier.access(access);
    }
    verifier.problems
}

/// Registers that are read but never written: uninitialised variables of the source.
pub fn never_written(kernel: &Kernel) -> BTreeSet<u32> {
    let mut verifier = Verifier {
        kernel,
        problems: Vec::new(),
        labels: BTreeSet::new(),
        open: Vec::new(),
        written: BTreeSet::new(),
        read: BTreeSet::new(),
    };
    verifier.block(&kernel.prologue);
    verifier.block(&kernel.body);
    &verifier.read - &verifier.written
}

/// A construct around the instruction that is looked at.
struct Open {
    label: Label,
    can_break: bool,
    can_continue: bool,
}

struct Verifier<'k> {
    kernel: &'k Kernel,
    problems: Vec<String>,
    labels: BTreeSet<Label>,
    open: Vec<Open>,
    written: BTreeSet<u32>,
    read: BTreeSet<u32>,
}

impl Verifier<'_> {
    fn check(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }

    fn block(&mut self, block: &[Instruction]) {
        for (index, instruction) in block.iter().enumerate() {
            let jumps = matches!(
                instruction.kind,
                Kind::Break(_) | Kind::Continue(_) | Kind::Return
            );
            self.check(!jumps || index + 1 == block.len(), || {
                "something follows a jump".to_owned()
            });
            self.check(
                (instruction.span.0 as usize) < self.kernel.spans.len(),
                || "no such span".to_owned(),
            );
            self.instruction(&instruction.kind);
        }
    }

    fn scalar(&mut self, operand: Operand) -> Scalar {
        match operand {
            Operand::Register(Register(number)) => {
                self.read.insert(number);
                self.kernel.registers[number as usize]
            }
            Operand::Constant(constant) => constant.scalar,
            Operand::Override(id) => self.kernel.overrides[id.0 as usize].scalar,
            Operand::Builtin(_) => Scalar::U32,
        }
    }

    fn expect(&mut self, operand: Operand, scalar: Scalar, what: &str) {
        let found = self.scalar(operand);
        self.check(found == scalar, || {
            format!("{what}: {} instead of {}", found.name(), scalar.name())
        });
    }

    fn target(&mut self, register: Register, scalar: Scalar, what: &str) {
        self.written.insert(register.0);
        let found = self.kernel.register_type(register);
        self.check(found == scalar, || {
            format!(
                "{what}: result {} instead of {}",
                found.name(),
                scalar.name()
            )
        });
    }

    fn instruction(&mut self, kind: &Kind) {
        match kind {
            Kind::Compute {
                target,
                operation,
                scalar,
                arguments,
            } => self.compute(*target, *operation, *scalar, arguments),
            Kind::Copy { target, source } => {
                let scalar = self.scalar(*source);
                self.target(*target, scalar, "copy");
            }
            Kind::ArrayLength {
                target, variable, ..
            } => {
                self.target(*target, Scalar::U32, "array length");
                let ty = self.kernel.variable(*variable).ty.as_ref();
                let runtime = ty.is_some_and(|ty| ty.runtime_array().is_some());
                self.check(runtime, || "length of something else".to_owned());
            }
            Kind::Load { targets, access } => {
                let access = self.kernel.access(*access);
                self.shape(access, AccessKind::Load, targets.len());
                for target in targets.iter().flatten() {
                    self.target(*target, access.scalar, "load");
                }
                self.check(targets.iter().any(Option::is_some), || {
                    "a load of nothing".to_owned()
                });
            }
            Kind::Store { values, access } => {
                let access = self.kernel.access(*access);
                self.shape(access, AccessKind::Store, values.len());
                for value in values {
                    self.expect(*value, access.scalar, "store");
                }
            }
            Kind::Atomic {
                target,
                exchanged,
                value,
                compare,
                access,
                ..
            } => {
                let access = self.kernel.access(*access);
                self.shape(access, AccessKind::Atomic, 1);
                for operand in [*value].iter().chain(compare) {
                    self.expect(*operand, access.scalar, "atomic");
                }
                if let Some(target) = target {
                    self.target(*target, access.scalar, "atomic");
                }
                if let Some(exchanged) = exchanged {
                    self.target(*exchanged, Scalar::Bool, "atomic");
                }
            }
            Kind::Subgroup { .. } => self.subgroup(kind),
            Kind::Texture { .. } => self.texture(kind),
            Kind::Barrier(_) | Kind::MemoryBarrier(_) | Kind::Return => {}
            Kind::Unsupported {
                targets, arguments, ..
            } => {
                for target in targets {
                    self.written.insert(target.0);
                }
                for argument in arguments {
                    self.scalar(*argument);
                }
            }
            Kind::Break(label) => {
                let found = self.open.iter().any(|o| o.label == *label && o.can_break);
                self.check(found, || format!("break out of nothing: {label:?}"));
            }
            Kind::Continue(label) => {
                let found = self
                    .open
                    .iter()
                    .any(|o| o.label == *label && o.can_continue);
                self.check(found, || format!("continue of nothing: {label:?}"));
            }
            Kind::If { .. } | Kind::Switch { .. } | Kind::Loop { .. } | Kind::Block { .. } => {
                self.construct(kind);
            }
        }
    }

    fn subgroup(&mut self, kind: &Kind) {
        let Kind::Subgroup {
            operation,
            scalar,
            targets,
            arguments,
        } = kind
        else {
            return;
        };
        let (results, values, result) = match operation {
            SubgroupOperation::Ballot => (4, 1, Scalar::U32),
            SubgroupOperation::Broadcast
            | SubgroupOperation::Shuffle
            | SubgroupOperation::ShuffleDown
            | SubgroupOperation::ShuffleUp
            | SubgroupOperation::ShuffleXor
            | SubgroupOperation::QuadBroadcast
            | SubgroupOperation::QuadSwap => (targets.len(), targets.len() + 1, *scalar),
            _ => (targets.len(), targets.len(), *scalar),
        };
        self.check(
            targets.len() == results && arguments.len() == values,
            || format!("{operation:?}: {} from {}", targets.len(), arguments.len()),
        );
        for target in targets {
            self.target(*target, result, "subgroup");
        }
        for argument in arguments.iter().take(targets.len().min(values)) {
            if *operation != SubgroupOperation::Ballot {
                self.expect(*argument, *scalar, "subgroup");
            }
        }
        for argument in arguments {
            self.scalar(*argument);
        }
    }

    fn texture(&mut self, kind: &Kind) {
        let Kind::Texture {
            operation,
            coordinates,
            layer,
            level,
            extra,
            sampler,
            values,
            targets,
            access,
        } = kind
        else {
            return;
        };
        let access = self.kernel.access(*access);
        let variable = self.kernel.variable(access.variable);
        let dimensions = variable.texture.as_ref().map(|texture| texture.dimensions);
        self.check(dimensions.is_some(), || "no texture".to_owned());
        for target in targets.iter().flatten() {
            self.target(*target, access.scalar, "texture");
        }
        for value in values {
            self.expect(*value, access.scalar, "texture");
        }
        let all = [
            coordinates.as_slice(),
            layer.as_slice(),
            level.as_slice(),
            extra,
        ];
        for operand in all.into_iter().flatten() {
            self.scalar(*operand);
        }
        if let Some(sampler) = sampler {
            let texture = self.kernel.variable(*sampler).texture.as_ref();
            let is_sampler = texture.is_some_and(|texture| texture.sampler);
            self.check(is_sampler, || "no sampler".to_owned());
        }
        let expected = match operation {
            TextureOperation::Store => AccessKind::Store,
            TextureOperation::Atomic(_) => AccessKind::Atomic,
            _ => AccessKind::Load,
        };
        self.check(access.kind == expected, || {
            format!("{operation:?}: {:?}", access.kind)
        });
    }

    fn construct(&mut self, kind: &Kind) {
        match kind {
            Kind::If {
                condition,
                accept,
                reject,
                ..
            } => {
                self.expect(*condition, Scalar::Bool, "condition");
                self.block(accept);
                self.block(reject);
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => {
                let scalar = self.scalar(*selector);
                self.check(scalar.is_integer(), || "selector".to_owned());
                let defaults = cases.iter().filter(|case| case.default).count();
                self.check(defaults == 1, || format!("{defaults} defaults"));
                self.enter(*label, true, false);
                for case in cases {
                    self.check(case.default || !case.values.is_empty(), || {
                        "a case of nothing".to_owned()
                    });
                    self.block(&case.body);
                }
                self.open.pop();
            }
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => {
                self.enter(*label, true, true);
                self.block(body);
                self.open.pop();
                let outer = std::mem::take(&mut self.open);
                self.block(continuing);
                self.open = outer;
                if let Some(condition) = break_if {
                    self.expect(*condition, Scalar::Bool, "break if");
                }
            }
            Kind::Block { label, body } => {
                self.enter(*label, true, false);
                self.block(body);
                self.open.pop();
            }
            _ => {}
        }
    }

    fn enter(&mut self, label: Label, can_break: bool, can_continue: bool) {
        let fresh = self.labels.insert(label);
        self.check(fresh, || format!("{label:?} twice"));
        self.open.push(Open {
            label,
            can_break,
            can_continue,
        });
    }

    fn shape(&mut self, access: &Access, kind: AccessKind, components: usize) {
        self.check(access.kind == kind, || {
            format!("{kind:?} of {:?}", access.kind)
        });
        self.check(usize::from(access.components) == components, || {
            format!("{components} of {} components", access.components)
        });
    }

    fn access(&mut self, access: &Access) {
        for term in &access.address.terms {
            let scalar = self.scalar(term.index);
            self.check(matches!(scalar, Scalar::I32 | Scalar::U32), || {
                format!("index {}", scalar.name())
            });
            self.check(term.stride > 0, || "stride 0".to_owned());
        }
        let variable = self.kernel.variable(access.variable);
        let (Some(ty), true) = (&variable.ty, access.address.terms.is_empty()) else {
            return;
        };
        if let Some(bytes) = ty.bytes() {
            let end = access.address.constant + u64::from(access.bytes());
            self.check(end <= bytes, || {
                format!("{}: byte {end} of {bytes}", variable.name)
            });
        }
        let path = variable.path_at(access.address.constant);
        self.check(path.is_some(), || {
            format!("{}: nothing at {}", variable.name, access.address.constant)
        });
    }

    fn compute(
        &mut self,
        target: Register,
        operation: Operation,
        scalar: Scalar,
        arguments: &[Operand],
    ) {
        use Operation as Op;
        let name = operation.name();
        let count = arguments.len();
        let found: Vec<_> = arguments
            .iter()
            .map(|&argument| self.scalar(argument))
            .collect();
        let result = self.kernel.register_type(target);
        self.written.insert(target.0);
        let same = |from: usize| {
            found[from.min(count)..]
                .iter()
                .all(|&found| found == scalar)
        };
        let (arity, typed) = match operation {
            Op::Neg
            | Op::BitNot
            | Op::Not
            | Op::Saturate
            | Op::Abs
            | Op::Sign
            | Op::Floor
            | Op::Ceil
            | Op::Round
            | Op::Trunc
            | Op::Fract
            | Op::ModfFract
            | Op::ModfWhole
            | Op::FrexpFract
            | Op::Sqrt
            | Op::InverseSqrt
            | Op::Exp
            | Op::Exp2
            | Op::Log
            | Op::Log2
            | Op::Sin
            | Op::Cos
            | Op::Tan
            | Op::Asin
            | Op::Acos
            | Op::Atan
            | Op::Sinh
            | Op::Cosh
            | Op::Tanh
            | Op::Asinh
            | Op::Acosh
            | Op::Atanh
            | Op::Radians
            | Op::Degrees
            | Op::QuantizeToF16
            | Op::CountOneBits
            | Op::CountLeadingZeros
            | Op::CountTrailingZeros
            | Op::FirstLeadingBit
            | Op::FirstTrailingBit
            | Op::ReverseBits => (1, same(0) && result == scalar),
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Rem
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::And
            | Op::Or
            | Op::Min
            | Op::Max
            | Op::Step
            | Op::Pow
            | Op::Atan2 => (2, same(0) && result == scalar),
            Op::Shl | Op::Shr => (2, found.first() == Some(&scalar) && result == scalar),
            Op::Ldexp => (2, found.first() == Some(&scalar) && result == scalar),
            Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual => (2, same(0) && result == Scalar::Bool),
            Op::Select => (
                3,
                found.first() == Some(&Scalar::Bool) && same(1) && result == scalar,
            ),
            Op::Clamp | Op::Fma | Op::Mix => (3, same(0) && result == scalar),
            Op::Component => (count, count > 1 && same(1) && result == scalar),
            Op::Convert | Op::Bitcast => (1, same(0) && result != scalar),
            Op::FrexpExponent => (1, same(0) && result == Scalar::I32),
            Op::IsNan | Op::IsInf => (1, same(0) && result == Scalar::Bool),
            Op::ExtractBits => (3, found.first() == Some(&scalar) && result == scalar),
            Op::InsertBits => (4, found.first() == Some(&scalar) && result == scalar),
            Op::Dot4I8Packed => (2, same(0) && result == Scalar::I32),
            Op::Dot4U8Packed => (2, same(0) && result == Scalar::U32),
            Op::Pack4x8Snorm
            | Op::Pack4x8Unorm
            | Op::Pack4xI8
            | Op::Pack4xU8
            | Op::Pack4xI8Clamp
            | Op::Pack4xU8Clamp => (4, same(0) && result == Scalar::U32),
            Op::Pack2x16Snorm | Op::Pack2x16Unorm | Op::Pack2x16Float => {
                (2, same(0) && result == Scalar::U32)
            }
            Op::Unpack4x8Snorm
            | Op::Unpack4x8Unorm
            | Op::Unpack2x16Snorm
            | Op::Unpack2x16Unorm
            | Op::Unpack2x16Float => (2, same(0) && result == Scalar::F32),
            Op::Unpack4xI8 => (2, same(0) && result == Scalar::I32),
            Op::Unpack4xU8 => (2, same(0) && result == Scalar::U32),
        };
        self.check(count == arity, || format!("{name} of {count} arguments"));
        self.check(typed, || {
            format!("{name}.{} of {found:?} is {result:?}", scalar.name())
        });
    }
}
