//! Uniform buffers whose layout naga and wgpu refuse.
//!
//! In uniform space, naga asks for arrays with a stride and nested structs with an alignment of 16
//! bytes. Browsers with the language feature `uniform_buffer_standard_layout` take the layout that
//! storage buffers have. Such a module is analysed with that layout, and each variable gives a
//! portability error with a way out.

use naga::valid::{
    Disalignment, GlobalVariableError, ModuleInfo, ValidationError, ValidationFlags,
};
use naga::{AddressSpace, GlobalVariable, Handle, Module, TypeInner, WithSpan};

use super::parse::validator;
use super::portability::{PortabilityNote, PortabilitySeverity};

/// Alignment that naga asks of array elements and nested structs in uniform space, in bytes.
const UNIFORM_ALIGNMENT: u32 = 16;

/// Validates `module` with all of naga's checks, except that uniform layouts which only
/// `uniform_buffer_standard_layout` allows become notes.
pub(super) fn validate_with_layout_notes(
    module: &Module,
    notes: &mut Vec<PortabilityNote>,
) -> Result<ModuleInfo, Box<WithSpan<ValidationError>>> {
    let mut relaxed: Option<Module> = None;
    loop {
        let checked = relaxed.as_ref().unwrap_or(module);
        let error = match validator(ValidationFlags::all()).validate(checked) {
            Ok(info) if relaxed.is_none() => return Ok(info),
            Ok(_) => break,
            Err(error) => error,
        };
        let Some((variable, disalignment)) = uniform_disalignment(error.as_inner()) else {
            return Err(Box::new(error));
        };
        notes.push(layout_note(module, variable, disalignment));
        // Storage space has the standard layout, so the next round finds the next variable.
        relaxed
            .get_or_insert_with(|| module.clone())
            .global_variables
            .get_mut(variable)
            .space = AddressSpace::Storage {
            access: naga::StorageAccess::LOAD,
        };
    }
    validator(ValidationFlags::all().difference(ValidationFlags::STRUCT_LAYOUTS))
        .validate(module)
        .map_err(Box::new)
}

fn uniform_disalignment(error: &ValidationError) -> Option<(Handle<GlobalVariable>, Disalignment)> {
    match error {
        ValidationError::GlobalVariable {
            handle,
            source: GlobalVariableError::Alignment(AddressSpace::Uniform, _, disalignment),
            ..
        } => match disalignment {
            Disalignment::UnsizedMember { .. } | Disalignment::NonHostShareable => None,
            _ => Some((*handle, *disalignment)),
        },
        _ => None,
    }
}

fn layout_note(
    module: &Module,
    handle: Handle<GlobalVariable>,
    disalignment: Disalignment,
) -> PortabilityNote {
    let variable = &module.global_variables[handle];
    let name = variable.name.as_deref().unwrap_or("this variable");
    let reason = match disalignment {
        Disalignment::ArrayStride { stride, .. } => format!(
            "an array in it has a stride of {stride} bytes, which is not a multiple of \
             {UNIFORM_ALIGNMENT}"
        ),
        Disalignment::StructSpan { span, .. } => format!(
            "a struct in it takes {span} bytes, which is not a multiple of {UNIFORM_ALIGNMENT}"
        ),
        Disalignment::MemberOffset {
            offset, alignment, ..
        } => format!("a member at offset {offset} has to be aligned to {alignment} bytes"),
        Disalignment::MemberOffsetAfterStruct {
            offset, expected, ..
        } => format!(
            "the member at offset {offset} follows a struct and has to start at {expected} or later"
        ),
        Disalignment::UnsizedMember { .. } | Disalignment::NonHostShareable => {
            "its type cannot be shared with the host".to_owned()
        }
    };
    let size = module.types[variable.ty].inner.size(module.to_ctx());
    PortabilityNote {
        code: "portability-uniform-layout",
        severity: PortabilitySeverity::Error,
        message: format!(
            "naga and wgpu refuse `{name}` in uniform space: {reason}; browsers with \
             `uniform_buffer_standard_layout` take it at {size} bytes"
        ),
        help: Some(way_out(module, variable, disalignment)),
        span: module
            .global_variables
            .get_span(handle)
            .to_range()
            .unwrap_or_default(),
    }
}

fn way_out(module: &Module, variable: &GlobalVariable, disalignment: Disalignment) -> String {
    const STORAGE: &str = "move it to `var<storage, read>`";
    match packed_array(module, &module.types[variable.ty].inner) {
        Some(packed) => format!("declare it as `{packed}`, or {STORAGE}"),
        None => match disalignment {
            Disalignment::ArrayStride { .. } => {
                format!("pack the array into elements of {UNIFORM_ALIGNMENT} bytes, or {STORAGE}")
            }
            _ => format!(
                "put `@align({UNIFORM_ALIGNMENT})` on the member and on the one after the nested \
                 struct, or {STORAGE}"
            ),
        },
    }
}

/// The type that holds a sized array of 32-bit scalars, or of pairs of them, in vectors of four.
fn packed_array(module: &Module, inner: &TypeInner) -> Option<String> {
    let TypeInner::Array {
        base,
        size: naga::ArraySize::Constant(count),
        ..
    } = *inner
    else {
        return None;
    };
    let (components, scalar) = match module.types[base].inner {
        TypeInner::Scalar(scalar) => (1, scalar),
        TypeInner::Vector {
            size: naga::VectorSize::Bi,
            scalar,
        } => (2, scalar),
        _ => return None,
    };
    let suffix = match scalar {
        naga::Scalar::F32 => 'f',
        naga::Scalar::I32 => 'i',
        naga::Scalar::U32 => 'u',
        _ => return None,
    };
    let vectors = (u64::from(count.get()) * components).div_ceil(4);
    Some(format!("array<vec4{suffix}, {vectors}>"))
}
