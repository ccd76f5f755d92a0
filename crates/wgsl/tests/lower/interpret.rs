//! A small interpreter of the kernel IR, for tests of the lowering: one invocation, 32-bit types.

use std::collections::BTreeMap;

use cresta_ir::{
    Access, AtomicFunction, Builtin, Constant, Instruction, Kernel, Kind, Label, Operand,
    Operation, Register, Scalar,
};

/// The memory of the variables, by name; those that are absent start as zeros.
pub type Memory = BTreeMap<String, Vec<u32>>;

/// Steps after which a kernel counts as not ending.
const STEPS: usize = 1_000_000;

/// Runs one invocation. Built-in values are looked up by the name that dumps print.
///
/// # Errors
///
/// What the interpreter does not know, or an access outside of its variable.
pub fn run(kernel: &Kernel, memory: &mut Memory, builtins: &[(&str, u32)]) -> Result<(), String> {
    for variable in &kernel.variables {
        let bytes = variable
            .ty
            .as_ref()
            .and_then(cresta_ir::Type::bytes)
            .unwrap_or(0);
        let words = usize::try_from(bytes.div_ceil(4)).map_err(|error| error.to_string())?;
        memory
            .entry(variable.name.clone())
            .or_insert_with(|| vec![0; words]);
    }
    let mut machine = Machine {
        kernel,
        memory,
        builtins: builtins
            .iter()
            .map(|&(name, value)| (name.to_owned(), value))
            .collect(),
        registers: vec![0; kernel.registers.len()],
        steps: 0,
    };
    machine.block(&kernel.prologue)?;
    machine.block(&kernel.body).map(|_| ())
}

/// How a block is left.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    Next,
    Break(Label),
    Continue(Label),
    Return,
}

struct Machine<'m> {
    kernel: &'m Kernel,
    memory: &'m mut Memory,
    builtins: BTreeMap<String, u32>,
    registers: Vec<u32>,
    steps: usize,
}

impl Machine<'_> {
    fn value(&self, operand: Operand) -> Result<u32, String> {
        match operand {
            Operand::Register(Register(number)) => Ok(self.registers[number as usize]),
            Operand::Constant(Constant { bits, .. }) => Ok(bits as u32),
            Operand::Override(id) => {
                let overridden = &self.kernel.overrides[id.0 as usize];
                match (overridden.value, overridden.computed) {
                    (Some(value), _) => Ok(value.bits as u32),
                    (None, Some(computed)) => self.value(computed),
                    (None, None) => Err(format!("override {}", overridden.name)),
                }
            }
            Operand::Builtin(builtin) => self.builtin(builtin),
        }
    }

    fn builtin(&self, builtin: Builtin) -> Result<u32, String> {
        let name = builtin.to_string();
        self.builtins.get(&name).copied().ok_or(name)
    }

    fn scalar(&self, operand: Operand) -> Scalar {
        match operand {
            Operand::Register(register) => self.kernel.register_type(register),
            Operand::Constant(constant) => constant.scalar,
            Operand::Override(id) => self.kernel.overrides[id.0 as usize].scalar,
            Operand::Builtin(_) => Scalar::U32,
        }
    }

    /// The words that an access refers to.
    fn place(&self, access: &Access) -> Result<(String, usize), String> {
        let mut byte = i64::try_from(access.address.constant).map_err(|error| error.to_string())?;
        for term in &access.address.terms {
            let index = self.value(term.index)?;
            let index = match self.scalar(term.index) {
                Scalar::I32 => i64::from(index.cast_signed()),
                _ => i64::from(index),
            };
            if term
                .length
                .is_some_and(|length| !(0..i64::from(length)).contains(&index))
            {
                return Err(format!("index {index} of {:?}", term.length));
            }
            byte += index * i64::from(term.stride);
        }
        let variable = self.kernel.variable(access.variable);
        let words = self.memory[&variable.name].len();
        let first = usize::try_from(byte / 4).map_err(|error| error.to_string())?;
        if byte % 4 != 0 || first + usize::from(access.components) > words {
            return Err(format!("{}: byte {byte} of {words} words", variable.name));
        }
        Ok((variable.name.clone(), first))
    }

    fn block(&mut self, block: &[Instruction]) -> Result<Flow, String> {
        for instruction in block {
            self.steps += 1;
            if self.steps > STEPS {
                return Err("no end".to_owned());
            }
            let flow = self.instruction(&instruction.kind)?;
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn instruction(&mut self, kind: &Kind) -> Result<Flow, String> {
        match kind {
            Kind::Compute {
                target,
                operation,
                scalar,
                arguments,
            } => {
                let values: Vec<_> = arguments
                    .iter()
                    .map(|&argument| self.value(argument))
                    .collect::<Result<_, _>>()?;
                let result = self.kernel.register_type(*target);
                self.registers[target.0 as usize] = compute(*operation, *scalar, result, &values)?;
            }
            Kind::Copy { target, source } => {
                self.registers[target.0 as usize] = self.value(*source)?;
            }
            Kind::ArrayLength {
                target, variable, ..
            } => {
                let variable = self.kernel.variable(*variable);
                let (offset, stride) = variable
                    .ty
                    .as_ref()
                    .and_then(cresta_ir::Type::runtime_array)
                    .ok_or("length")?;
                let bytes = 4 * self.memory[&variable.name].len() as u32;
                self.registers[target.0 as usize] = (bytes - offset) / stride;
            }
            Kind::Load { targets, access } => {
                let (name, first) = self.place(self.kernel.access(*access))?;
                for (index, target) in targets.iter().enumerate() {
                    if let Some(target) = target {
                        self.registers[target.0 as usize] = self.memory[&name][first + index];
                    }
                }
            }
            Kind::Store { values, access } => {
                let (name, first) = self.place(self.kernel.access(*access))?;
                for (index, &value) in values.iter().enumerate() {
                    let value = self.value(value)?;
                    self.memory.get_mut(&name).ok_or("memory")?[first + index] = value;
                }
            }
            Kind::Atomic { .. } => self.atomic(kind)?,
            Kind::Barrier(_) | Kind::MemoryBarrier(_) => {}
            Kind::Subgroup { .. } | Kind::Texture { .. } | Kind::Unsupported { .. } => {
                return Err(format!("{kind:?}"));
            }
            Kind::Break(label) => return Ok(Flow::Break(*label)),
            Kind::Continue(label) => return Ok(Flow::Continue(*label)),
            Kind::Return => return Ok(Flow::Return),
            Kind::If { .. } | Kind::Switch { .. } | Kind::Loop { .. } | Kind::Block { .. } => {
                return self.construct(kind);
            }
        }
        Ok(Flow::Next)
    }

    fn atomic(&mut self, kind: &Kind) -> Result<(), String> {
        let Kind::Atomic {
            function,
            target,
            exchanged,
            value,
            compare,
            access,
        } = kind
        else {
            return Ok(());
        };
        let access = self.kernel.access(*access);
        let (name, first) = self.place(access)?;
        let old = self.memory[&name][first];
        let value = self.value(*value)?;
        let compare = compare.map(|compare| self.value(compare)).transpose()?;
        let same = compare.is_none_or(|compare| compare == old);
        let apply = |operation| compute(operation, access.scalar, access.scalar, &[old, value]);
        let new = match function {
            AtomicFunction::Add => apply(Operation::Add)?,
            AtomicFunction::Subtract => apply(Operation::Sub)?,
            AtomicFunction::And => apply(Operation::BitAnd)?,
            AtomicFunction::ExclusiveOr => apply(Operation::BitXor)?,
            AtomicFunction::InclusiveOr => apply(Operation::BitOr)?,
            AtomicFunction::Min => apply(Operation::Min)?,
            AtomicFunction::Max => apply(Operation::Max)?,
            AtomicFunction::Exchange | AtomicFunction::CompareExchange if same => value,
            AtomicFunction::Exchange | AtomicFunction::CompareExchange => old,
        };
        self.memory.get_mut(&name).ok_or("memory")?[first] = new;
        if let Some(target) = target {
            self.registers[target.0 as usize] = old;
        }
        if let Some(exchanged) = exchanged {
            self.registers[exchanged.0 as usize] = same.into();
        }
        Ok(())
    }

    fn construct(&mut self, kind: &Kind) -> Result<Flow, String> {
        match kind {
            Kind::If {
                condition,
                accept,
                reject,
                ..
            } => {
                let taken = self.value(*condition)? != 0;
                self.block(if taken { accept } else { reject })
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => {
                let bits = self.value(*selector)?;
                let value = match self.scalar(*selector) {
                    Scalar::I32 => i64::from(bits.cast_signed()),
                    _ => i64::from(bits),
                };
                let chosen = cases.iter().find(|case| case.values.contains(&value));
                let case = chosen.or_else(|| cases.iter().find(|case| case.default));
                let flow = self.block(&case.ok_or("no case")?.body)?;
                Ok(left(flow, *label))
            }
            Kind::Block { label, body } => {
                let flow = self.block(body)?;
                Ok(left(flow, *label))
            }
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => loop {
                match self.block(body)? {
                    Flow::Next => {}
                    Flow::Continue(inner) if inner == *label => {}
                    flow => return Ok(left(flow, *label)),
                }
                self.block(continuing)?;
                if let Some(condition) = break_if
                    && self.value(*condition)? != 0
                {
                    return Ok(Flow::Next);
                }
                self.steps += 1;
                if self.steps > STEPS {
                    return Err("no end".to_owned());
                }
            },
            _ => Ok(Flow::Next),
        }
    }
}

/// The flow behind a construct with this label.
fn left(flow: Flow, label: Label) -> Flow {
    if flow == Flow::Break(label) {
        Flow::Next
    } else {
        flow
    }
}

fn compute(
    operation: Operation,
    scalar: Scalar,
    result: Scalar,
    values: &[u32],
) -> Result<u32, String> {
    let unknown = || format!("{}.{}", operation.name(), scalar.name());
    match operation {
        Operation::Select => return Ok(if values[0] != 0 { values[1] } else { values[2] }),
        Operation::Component => {
            let index = values[0] as usize + 1;
            return values
                .get(index)
                .copied()
                .ok_or_else(|| format!("component {index}"));
        }
        Operation::Bitcast => return Ok(values[0]),
        Operation::Convert => return convert(scalar, result, values[0]).ok_or_else(unknown),
        _ => {}
    }
    let found = match scalar {
        Scalar::F32 => floats(operation, values),
        Scalar::I32 => integers(operation, values).or_else(|| signed(operation, values)),
        Scalar::U32 => integers(operation, values).or_else(|| unsigned(operation, values)),
        Scalar::Bool => integers(operation, values).map(|bits| bits & 1),
        _ => None,
    };
    found.ok_or_else(unknown)
}

fn convert(from: Scalar, to: Scalar, bits: u32) -> Option<u32> {
    let float = f32::from_bits(bits);
    Some(match (from, to) {
        (Scalar::F32, Scalar::U32) => float as u32,
        (Scalar::F32, Scalar::I32) => (float as i32).cast_unsigned(),
        (Scalar::U32 | Scalar::Bool, Scalar::F32) => (bits as f32).to_bits(),
        (Scalar::I32, Scalar::F32) => (bits.cast_signed() as f32).to_bits(),
        (Scalar::U32 | Scalar::I32, Scalar::U32 | Scalar::I32) => bits,
        (Scalar::Bool, Scalar::U32 | Scalar::I32) => bits,
        (Scalar::U32 | Scalar::I32, Scalar::Bool) => u32::from(bits != 0),
        _ => return None,
    })
}

fn integers(operation: Operation, values: &[u32]) -> Option<u32> {
    use Operation as Op;
    let (a, b) = (values[0], values.get(1).copied().unwrap_or(0));
    Some(match operation {
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::Neg => a.wrapping_neg(),
        Op::BitNot | Op::Not => !a,
        Op::BitAnd | Op::And => a & b,
        Op::BitOr | Op::Or => a | b,
        Op::BitXor => a ^ b,
        Op::Shl => a.wrapping_shl(b),
        Op::Equal => u32::from(a == b),
        Op::NotEqual => u32::from(a != b),
        Op::CountOneBits => a.count_ones(),
        _ => return None,
    })
}

fn signed(operation: Operation, values: &[u32]) -> Option<u32> {
    use Operation as Op;
    let a = values[0].cast_signed();
    let b = values.get(1).copied().unwrap_or(0).cast_signed();
    let integer = match operation {
        Op::Div => a.checked_div(b)?,
        Op::Rem => a.checked_rem(b)?,
        Op::Shr => a.wrapping_shr(b.cast_unsigned()),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Abs => a.wrapping_abs(),
        Op::Sign => a.signum(),
        Op::Less => return Some(u32::from(a < b)),
        Op::LessEqual => return Some(u32::from(a <= b)),
        Op::Greater => return Some(u32::from(a > b)),
        Op::GreaterEqual => return Some(u32::from(a >= b)),
        _ => return None,
    };
    Some(integer.cast_unsigned())
}

fn unsigned(operation: Operation, values: &[u32]) -> Option<u32> {
    use Operation as Op;
    let (a, b) = (values[0], values.get(1).copied().unwrap_or(0));
    Some(match operation {
        Op::Div => a.checked_div(b)?,
        Op::Rem => a.checked_rem(b)?,
        Op::Shr => a.wrapping_shr(b),
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(values[2]),
        Op::Less => u32::from(a < b),
        Op::LessEqual => u32::from(a <= b),
        Op::Greater => u32::from(a > b),
        Op::GreaterEqual => u32::from(a >= b),
        _ => return None,
    })
}

fn floats(operation: Operation, values: &[u32]) -> Option<u32> {
    use Operation as Op;
    let value = |index: usize| f32::from_bits(values.get(index).copied().unwrap_or(0));
    let (a, b, c) = (value(0), value(1), value(2));
    let float = match operation {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::Rem => a % b,
        Op::Neg => -a,
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => a.max(b).min(c),
        Op::Saturate => a.clamp(0.0, 1.0),
        Op::Abs => a.abs(),
        Op::Sign => {
            if a == 0.0 {
                0.0
            } else {
                a.signum()
            }
        }
        Op::Floor => a.floor(),
        Op::Ceil => a.ceil(),
        Op::Trunc => a.trunc(),
        Op::Fract => a - a.floor(),
        Op::Step => f32::from(b >= a),
        Op::Fma => a.mul_add(b, c),
        Op::Mix => a * (1.0 - c) + b * c,
        Op::Sqrt => a.sqrt(),
        Op::InverseSqrt => a.sqrt().recip(),
        Op::ModfFract => a.fract(),
        Op::ModfWhole => a.trunc(),
        Op::Equal => return Some(u32::from(a == b)),
        Op::NotEqual => return Some(u32::from(a != b)),
        Op::Less => return Some(u32::from(a < b)),
        Op::LessEqual => return Some(u32::from(a <= b)),
        Op::Greater => return Some(u32::from(a > b)),
        Op::GreaterEqual => return Some(u32::from(a >= b)),
        _ => return None,
    };
    Some(float.to_bits())
}
