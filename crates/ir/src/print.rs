//! The printer: a kernel as text, for people and golden tests.
//!
//! One instruction a line, blocks indented by two spaces. `%3: f32` defines register 3; constants
//! carry WGSL's suffixes. An address is in bytes: `A[16 + %3*4]`, and `%3*4:64` says that the
//! indexed type has 64 elements. Components that nothing uses print as `_`. Spans are left out.
//!
//! Start at the implementation of [`fmt::Display`] for [`Kernel`].

mod names;

use std::fmt::{self, Display, Formatter, Write as _};

use crate::instruction::{Access, Case, Instruction, Kind, Operand, Register};
use crate::kernel::Kernel;

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.workgroup_size;
        writeln!(f, "kernel {} workgroup_size({x}, {y}, {z})", self.entry)?;
        for variable in &self.variables {
            writeln!(f, "{variable}")?;
        }
        for overridden in &self.overrides {
            write!(
                f,
                "override {}: {}",
                overridden.name,
                overridden.scalar.name()
            )?;
            if let Some(id) = overridden.id {
                write!(f, " @id({id})")?;
            }
            if let Some(value) = overridden.value {
                write!(f, " = {value}")?;
            }
            if let Some(computed) = overridden.computed {
                write!(f, " = {}", self.operand(computed))?;
            }
            writeln!(f)?;
        }
        if !self.prologue.is_empty() {
            writeln!(f, "prologue {{")?;
            self.block(f, &self.prologue, 1)?;
            writeln!(f, "}}")?;
        }
        writeln!(f, "body {{")?;
        self.block(f, &self.body, 1)?;
        writeln!(f, "}}")
    }
}

/// Writes items with commas between them.
fn list<T: Display>(f: &mut Formatter<'_>, items: impl Iterator<Item = T>) -> fmt::Result {
    for (index, item) in items.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    write!(f, "{:1$}", "", 2 * depth)
}

impl Kernel {
    fn block(&self, f: &mut Formatter<'_>, block: &[Instruction], depth: usize) -> fmt::Result {
        for instruction in block {
            indent(f, depth)?;
            self.instruction(f, &instruction.kind, depth)?;
            writeln!(f)?;
        }
        Ok(())
    }

    fn instruction(&self, f: &mut Formatter<'_>, kind: &Kind, depth: usize) -> fmt::Result {
        match kind {
            Kind::Compute {
                target,
                operation,
                scalar,
                arguments,
            } => {
                self.targets(f, &[Some(*target)])?;
                write!(f, "{}.{} ", operation.name(), scalar.name())?;
                self.operands(f, arguments)
            }
            Kind::Copy { target, source } => {
                self.targets(f, &[Some(*target)])?;
                f.write_str(&self.operand(*source))
            }
            Kind::ArrayLength {
                target,
                variable,
                binding_index,
            } => {
                self.targets(f, &[Some(*target)])?;
                write!(f, "array_length {}", self.variable(*variable).name)?;
                self.binding(f, *binding_index)
            }
            Kind::Load { targets, access } => {
                let access = self.access(*access);
                self.targets(f, targets)?;
                let name = match (access.atomic, access.workgroup_uniform) {
                    (true, _) => "atomic.load",
                    (_, true) => "workgroup_uniform_load",
                    _ => "load",
                };
                write!(f, "{name} ")?;
                self.memory(f, access)
            }
            Kind::Store { values, access } => {
                let access = self.access(*access);
                f.write_str(if access.atomic {
                    "atomic.store "
                } else {
                    "store "
                })?;
                self.memory(f, access)?;
                f.write_str(" = ")?;
                self.operands(f, values)
            }
            Kind::Atomic { .. } | Kind::Subgroup { .. } | Kind::Texture { .. } => {
                self.operation(f, kind)
            }
            Kind::Barrier(scope) => write!(f, "barrier{scope}"),
            Kind::MemoryBarrier(scope) => write!(f, "memory_barrier{scope}"),
            Kind::Unsupported {
                what,
                targets,
                arguments,
            } => {
                let targets: Vec<_> = targets.iter().copied().map(Some).collect();
                self.targets(f, &targets)?;
                write!(f, "unsupported {what:?} ")?;
                self.operands(f, arguments)
            }
            Kind::Break(label) => write!(f, "break L{}", label.0),
            Kind::Continue(label) => write!(f, "continue L{}", label.0),
            Kind::Return => f.write_str("return"),
            Kind::If { .. } | Kind::Switch { .. } | Kind::Loop { .. } | Kind::Block { .. } => {
                self.construct(f, kind, depth)
            }
        }
    }

    /// Atomics, subgroup operations and textures.
    fn operation(&self, f: &mut Formatter<'_>, kind: &Kind) -> fmt::Result {
        match kind {
            Kind::Atomic {
                function,
                target,
                exchanged,
                value,
                compare,
                access,
            } => {
                match (target, exchanged) {
                    (None, None) => {}
                    (_, None) => self.targets(f, &[*target])?,
                    (_, Some(_)) => self.targets(f, &[*target, *exchanged])?,
                }
                write!(f, "atomic.{function} ")?;
                self.memory(f, self.access(*access))?;
                f.write_str(" = ")?;
                let operands: Vec<_> = compare.iter().copied().chain([*value]).collect();
                self.operands(f, &operands)
            }
            Kind::Subgroup {
                operation,
                scalar,
                targets,
                arguments,
            } => {
                let targets: Vec<_> = targets.iter().copied().map(Some).collect();
                self.targets(f, &targets)?;
                write!(f, "subgroup.{operation} {} ", scalar.name())?;
                self.operands(f, arguments)
            }
            Kind::Texture {
                operation,
                coordinates,
                layer,
                level,
                extra,
                sampler,
                values,
                targets,
                access,
            } => {
                if !targets.is_empty() {
                    self.targets(f, targets)?;
                }
                let access = self.access(*access);
                let name = &self.variable(access.variable).name;
                write!(f, "texture.{operation} {name}")?;
                self.binding(f, access.binding_index)?;
                f.write_str("(")?;
                self.operands(f, coordinates)?;
                f.write_str(")")?;
                for (name, operand) in [("layer", layer), ("level", level)] {
                    if let Some(operand) = operand {
                        write!(f, " {name} {}", self.operand(*operand))?;
                    }
                }
                if !extra.is_empty() {
                    f.write_str(" extra ")?;
                    self.operands(f, extra)?;
                }
                if let Some(sampler) = sampler {
                    write!(f, " sampler {}", self.variable(*sampler).name)?;
                }
                if !values.is_empty() {
                    f.write_str(" = ")?;
                    self.operands(f, values)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What holds blocks.
    fn construct(&self, f: &mut Formatter<'_>, kind: &Kind, depth: usize) -> fmt::Result {
        match kind {
            Kind::If {
                condition,
                accept,
                reject,
                short_circuit,
            } => {
                let name = if *short_circuit {
                    "if short_circuit"
                } else {
                    "if"
                };
                writeln!(f, "{name} {} {{", self.operand(*condition))?;
                self.block(f, accept, depth + 1)?;
                if !reject.is_empty() {
                    indent(f, depth)?;
                    writeln!(f, "}} else {{")?;
                    self.block(f, reject, depth + 1)?;
                }
            }
            Kind::Switch {
                label,
                selector,
                cases,
            } => {
                writeln!(f, "switch L{} {} {{", label.0, self.operand(*selector))?;
                for case in cases {
                    self.case(f, case, depth + 1)?;
                }
            }
            Kind::Loop {
                label,
                body,
                continuing,
                break_if,
            } => {
                writeln!(f, "loop L{} {{", label.0)?;
                self.block(f, body, depth + 1)?;
                if !continuing.is_empty() {
                    indent(f, depth)?;
                    writeln!(f, "}} continuing {{")?;
                    self.block(f, continuing, depth + 1)?;
                }
                if let Some(condition) = break_if {
                    indent(f, depth)?;
                    return write!(f, "}} break_if {}", self.operand(*condition));
                }
            }
            Kind::Block { label, body } => {
                writeln!(f, "block L{} {{", label.0)?;
                self.block(f, body, depth + 1)?;
            }
            _ => return Ok(()),
        }
        indent(f, depth)?;
        f.write_str("}")
    }

    fn case(&self, f: &mut Formatter<'_>, case: &Case, depth: usize) -> fmt::Result {
        indent(f, depth)?;
        f.write_str("case ")?;
        let values = case.values.iter().map(ToString::to_string);
        let default = case.default.then(|| "default".to_owned());
        list(f, values.chain(default))?;
        writeln!(f, " {{")?;
        self.block(f, &case.body, depth + 1)?;
        indent(f, depth)?;
        writeln!(f, "}}")
    }

    /// The left side of a definition.
    fn targets(&self, f: &mut Formatter<'_>, targets: &[Option<Register>]) -> fmt::Result {
        if targets.is_empty() {
            return Ok(());
        }
        let names = targets.iter().map(|target| match target {
            Some(register) => {
                let scalar = self.register_type(*register);
                format!("%{}: {}", register.0, scalar.name())
            }
            None => "_".to_owned(),
        });
        list(f, names)?;
        f.write_str(" = ")
    }

    fn operands(&self, f: &mut Formatter<'_>, operands: &[Operand]) -> fmt::Result {
        list(f, operands.iter().map(|&operand| self.operand(operand)))
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(register) => format!("%{}", register.0),
            Operand::Constant(constant) => constant.to_string(),
            Operand::Override(id) => match self.overrides.get(id.0 as usize) {
                Some(overridden) => format!("${}", overridden.name),
                None => format!("${}", id.0),
            },
            Operand::Builtin(builtin) => builtin.to_string(),
        }
    }

    fn binding(&self, f: &mut Formatter<'_>, index: Option<Operand>) -> fmt::Result {
        match index {
            Some(index) => write!(f, "#{}", self.operand(index)),
            None => Ok(()),
        }
    }

    /// Width, variable and address of an access.
    fn memory(&self, f: &mut Formatter<'_>, access: &Access) -> fmt::Result {
        f.write_str(access.scalar.name())?;
        if access.components > 1 {
            write!(f, "x{}", access.components)?;
        }
        write!(f, " {}", self.variable(access.variable).name)?;
        self.binding(f, access.binding_index)?;
        let address = &access.address;
        let constant = (address.constant != 0 || address.terms.is_empty())
            .then(|| address.constant.to_string());
        let terms = address.terms.iter().map(|term| {
            let mut text = format!("{}*{}", self.operand(term.index), term.stride);
            if let Some(length) = term.length {
                // Writing to a string cannot fail.
                let _ = write!(text, ":{length}");
            }
            text
        });
        let parts: Vec<_> = constant.into_iter().chain(terms).collect();
        write!(f, "[{}]", parts.join(" + "))
    }
}
