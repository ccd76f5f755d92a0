//! How variables, types, constants and names print.

use std::fmt::{self, Display, Formatter};

use cresta_model::operation::Scalar;
use rustc_hash::FxHashSet;

use crate::instruction::{
    AtomicFunction, BarrierScope, Builtin, Constant, SubgroupOperation, TextureOperation,
    TextureQuery,
};
use crate::types::{Space, Type, Variable};

impl Display for Variable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "var {}: {}", self.name, self.space.name())?;
        if !self.writable && self.space != Space::Uniform {
            f.write_str(" read")?;
        }
        if let Some((group, binding)) = self.binding {
            write!(f, " group({group}) binding({binding})")?;
        }
        if let Some(count) = self.binding_count {
            write!(f, " bindings({count})")?;
        }
        if let Some(ty) = &self.ty {
            write!(f, " {ty}")?;
        }
        if let Some(texture) = &self.texture {
            if texture.sampler {
                return f.write_str(" sampler");
            }
            write!(f, " {}d", texture.dimensions)?;
            if texture.layered {
                f.write_str(" layered")?;
            }
            if texture.multisampled {
                f.write_str(" multisampled")?;
            }
            if let Some(format) = &texture.format {
                write!(f, " {format}")?;
            }
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_type(f, self, &mut FxHashSet::default())
    }
}

/// Writes a type; structures that were `written` before by their names alone, since types within types
/// are shared and may double with every level.
fn write_type(
    f: &mut Formatter<'_>,
    ty: &Type,
    written: &mut FxHashSet<*const Type>,
) -> fmt::Result {
    match ty {
        Type::Scalar(scalar) => f.write_str(scalar.name()),
        Type::Vector { scalar, components } => {
            write!(f, "vec{components}<{}>", scalar.name())
        }
        Type::Matrix {
            scalar,
            columns,
            rows,
            ..
        } => write!(f, "mat{columns}x{rows}<{}>", scalar.name()),
        Type::Array {
            element,
            stride,
            length,
        } => {
            f.write_str("array<")?;
            write_type(f, element, written)?;
            if let Some(length) = length {
                write!(f, ", {length}")?;
            }
            write!(f, ">({stride})")
        }
        Type::Struct { name, .. } if !written.insert(std::ptr::from_ref(ty)) => f.write_str(name),
        Type::Struct { name, members, .. } => {
            write!(f, "{name} {{ ")?;
            for (index, member) in members.iter().enumerate() {
                if index > 0 {
                    f.write_str(", ")?;
                }
                write!(f, "{} @{}: ", member.name, member.offset)?;
                write_type(f, &member.ty, written)?;
            }
            f.write_str(" }")
        }
    }
}

impl Display for Constant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let integer = self.integer().unwrap_or_default();
        match self.scalar {
            Scalar::Bool => write!(f, "{}", self.bits != 0),
            Scalar::I32 => write!(f, "{integer}i"),
            Scalar::U32 => write!(f, "{integer}u"),
            Scalar::I64 => write!(f, "{integer}li"),
            Scalar::U64 => write!(f, "{integer}lu"),
            Scalar::F16 => write!(f, "{:?}h", half_value(self.bits as u16)),
            Scalar::F32 => write!(f, "{:?}f", f32::from_bits(self.bits as u32)),
            Scalar::F64 => write!(f, "{:?}lf", f64::from_bits(self.bits)),
        }
    }
}

/// The value of an IEEE 754 binary16.
fn half_value(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let fraction = f32::from(bits & 0x3ff);
    let magnitude = match (bits >> 10) & 0x1f {
        0 => fraction * 2f32.powi(-24),
        0x1f if fraction == 0.0 => f32::INFINITY,
        0x1f => f32::NAN,
        exponent => (1.0 + fraction / 1024.0) * 2f32.powi(i32::from(exponent) - 15),
    };
    sign * magnitude
}

impl Display for Builtin {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let letter = |axis: u8| {
            ["x", "y", "z"]
                .get(usize::from(axis))
                .copied()
                .unwrap_or("?")
        };
        match *self {
            Builtin::GlobalId(axis) => write!(f, "global_id.{}", letter(axis)),
            Builtin::LocalId(axis) => write!(f, "local_id.{}", letter(axis)),
            Builtin::LocalIndex => f.write_str("local_index"),
            Builtin::WorkgroupId(axis) => write!(f, "workgroup_id.{}", letter(axis)),
            Builtin::NumWorkgroups(axis) => write!(f, "num_workgroups.{}", letter(axis)),
            Builtin::SubgroupSize => f.write_str("subgroup_size"),
            Builtin::SubgroupInvocationId => f.write_str("subgroup_invocation_id"),
            Builtin::SubgroupId => f.write_str("subgroup_id"),
            Builtin::NumSubgroups => f.write_str("num_subgroups"),
        }
    }
}

impl Display for BarrierScope {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (set, name) in [
            (self.storage, "storage"),
            (self.workgroup, "workgroup"),
            (self.texture, "texture"),
            (self.subgroup, "subgroup"),
        ] {
            if set {
                write!(f, " {name}")?;
            }
        }
        Ok(())
    }
}

impl Display for AtomicFunction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AtomicFunction::Add => "add",
            AtomicFunction::Subtract => "sub",
            AtomicFunction::And => "and",
            AtomicFunction::ExclusiveOr => "xor",
            AtomicFunction::InclusiveOr => "or",
            AtomicFunction::Min => "min",
            AtomicFunction::Max => "max",
            AtomicFunction::Exchange => "exchange",
            AtomicFunction::CompareExchange => "compare_exchange",
        })
    }
}

impl Display for SubgroupOperation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubgroupOperation::Ballot => "ballot",
            SubgroupOperation::All => "all",
            SubgroupOperation::Any => "any",
            SubgroupOperation::Reduce(operation) => {
                return write!(f, "reduce({})", operation.name());
            }
            SubgroupOperation::InclusiveScan(operation) => {
                return write!(f, "inclusive_scan({})", operation.name());
            }
            SubgroupOperation::ExclusiveScan(operation) => {
                return write!(f, "exclusive_scan({})", operation.name());
            }
            SubgroupOperation::BroadcastFirst => "broadcast_first",
            SubgroupOperation::Broadcast => "broadcast",
            SubgroupOperation::Shuffle => "shuffle",
            SubgroupOperation::ShuffleDown => "shuffle_down",
            SubgroupOperation::ShuffleUp => "shuffle_up",
            SubgroupOperation::ShuffleXor => "shuffle_xor",
            SubgroupOperation::QuadBroadcast => "quad_broadcast",
            SubgroupOperation::QuadSwap => "quad_swap",
        })
    }
}

impl Display for TextureOperation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextureOperation::Load => "load",
            TextureOperation::Store => "store",
            TextureOperation::Sample => "sample",
            TextureOperation::Gather => "gather",
            TextureOperation::Atomic(function) => return write!(f, "atomic.{function}"),
            TextureOperation::Query(TextureQuery::Size) => "size",
            TextureOperation::Query(TextureQuery::Levels) => "levels",
            TextureOperation::Query(TextureQuery::Layers) => "layers",
            TextureOperation::Query(TextureQuery::Samples) => "samples",
        })
    }
}
