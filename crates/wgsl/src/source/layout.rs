//! Memory layout of the structures that a module declares, and the bytes that their layout wastes.
//!
//! Padding is what no scalar of the structure occupies: gaps before aligned members, the tail up to
//! the structure's alignment, the unused part of each array stride (an `array<vec3f, N>` wastes 4 of
//! 16 bytes an element) and of each matrix column. Rules: WGSL specification, “Alignment and size”;
//! the offsets and strides are naga's. Start at [`layout`].

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use naga::{AddressSpace, ArraySize, Handle, Module, StructMember, Type, TypeInner};

/// Layout of one structure.
#[derive(Clone, Debug, PartialEq)]
pub struct StructLayout {
    /// Name in the source; empty when the module does not say.
    pub name: String,
    /// Size in bytes, the tail included; a runtime-sized array at the end counts as one element.
    pub size_bytes: u64,
    /// Bytes of the size that hold no data, nested structures and array strides included.
    pub padding_bytes: u64,
    /// `padding_bytes` over `size_bytes`.
    pub padding_fraction: f64,
    /// Whether the last member is a runtime-sized array.
    pub runtime_sized: bool,
    /// The members in order.
    pub members: Vec<MemberLayout>,
    /// Address spaces that hold a value of this type, alone or inside another, as WGSL spells them
    /// (`storage`, `uniform`, `workgroup`, `private`, `function`, …), in alphabetical order. Empty for
    /// structures that only pass through entry points, parameters and results.
    pub used_in: Vec<&'static str>,
    /// Where it is declared, for sources that are text.
    pub declared: Option<Range<usize>>,
}

/// Place of one member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberLayout {
    /// Name in the source; empty when the module does not say.
    pub name: String,
    /// Offset from the start of the structure, in bytes.
    pub offset: u64,
    /// Size in bytes, its own padding included and the gap after it not.
    pub size: u64,
}

/// Layouts of all structures that the source declares, in the module's order. Structures that naga
/// adds for built-in functions are left out.
pub fn layout(module: &Module) -> Vec<StructLayout> {
    let generated = generated_types(module);
    let data = data_bytes(module);
    let spaces = spaces_of_types(module);
    let structures = module.types.iter().filter_map(|(handle, ty)| {
        let TypeInner::Struct { members, span } = &ty.inner else {
            return None;
        };
        (!generated.contains(&handle)).then(|| {
            let size_bytes = u64::from(*span);
            let padding_bytes = size_bytes.saturating_sub(data.get(&handle).copied().unwrap_or(0));
            StructLayout {
                name: ty.name.clone().unwrap_or_default(),
                size_bytes,
                padding_bytes,
                padding_fraction: fraction(padding_bytes, size_bytes),
                runtime_sized: members.last().is_some_and(|member| {
                    module.types[member.ty]
                        .inner
                        .is_dynamically_sized(&module.types)
                }),
                members: members
                    .iter()
                    .map(|member| member_layout(module, member))
                    .collect(),
                used_in: spaces
                    .get(&handle)
                    .map(|names| names.iter().copied().collect())
                    .unwrap_or_default(),
                declared: module.types.get_span(handle).to_range(),
            }
        })
    });
    structures.collect()
}

fn member_layout(module: &Module, member: &StructMember) -> MemberLayout {
    MemberLayout {
        name: member.name.clone().unwrap_or_default(),
        offset: u64::from(member.offset),
        size: size_bytes(module, &module.types[member.ty].inner),
    }
}

/// Size of a type of a validated module, in bytes.
fn size_bytes(module: &Module, inner: &TypeInner) -> u64 {
    inner.try_size(module.to_ctx()).map_or(0, u64::from)
}

fn fraction(part: u64, whole: u64) -> f64 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "type sizes are below 2^31, which f64 holds exactly"
    )]
    let fraction = part as f64 / whole as f64;
    fraction
}

/// Bytes of each type that hold data. One pass, since a type's parts precede it in the arena.
fn data_bytes(module: &Module) -> HashMap<Handle<Type>, u64> {
    let mut data = HashMap::new();
    for (handle, ty) in module.types.iter() {
        let of = |part: &Handle<Type>| data.get(part).copied().unwrap_or(0);
        let bytes = match &ty.inner {
            TypeInner::Matrix {
                columns,
                rows,
                scalar,
            } => *columns as u64 * *rows as u64 * u64::from(scalar.width),
            TypeInner::Array { base, size, .. } => match size {
                ArraySize::Constant(count) => u64::from(count.get()) * of(base),
                ArraySize::Dynamic => of(base),
                ArraySize::Pending(_) => 0,
            },
            TypeInner::Struct { members, .. } => members.iter().map(|member| of(&member.ty)).sum(),
            other => size_bytes(module, other),
        };
        data.insert(handle, bytes);
    }
    data
}

fn generated_types(module: &Module) -> BTreeSet<Handle<Type>> {
    let special = &module.special_types;
    special
        .predeclared_types
        .values()
        .copied()
        .chain(special.ray_desc)
        .chain(special.ray_intersection)
        .chain(special.ray_vertex_return)
        .chain(special.external_texture_params)
        .chain(special.external_texture_transfer_function)
        .collect()
}

/// The address spaces that variables of each type, or of a type that contains it, live in.
fn spaces_of_types(module: &Module) -> HashMap<Handle<Type>, BTreeSet<&'static str>> {
    let mut spaces: HashMap<Handle<Type>, BTreeSet<&'static str>> = HashMap::new();
    for (_, variable) in module.global_variables.iter() {
        if let Some(name) = space_name(variable.space) {
            spaces.entry(variable.ty).or_default().insert(name);
        }
    }
    let entry_functions = module.entry_points.iter().map(|entry| &entry.function);
    let functions = module.functions.iter().map(|(_, function)| function);
    for function in functions.chain(entry_functions) {
        for (_, variable) in function.local_variables.iter() {
            spaces.entry(variable.ty).or_default().insert("function");
        }
    }
    // A type's parts precede it in the arena, so going backwards hands names down in one pass.
    for (handle, ty) in module.types.iter().rev() {
        let Some(names) = spaces.get(&handle).cloned() else {
            continue;
        };
        let parts: Vec<Handle<Type>> = match &ty.inner {
            TypeInner::Struct { members, .. } => members.iter().map(|member| member.ty).collect(),
            TypeInner::Array { base, .. } | TypeInner::BindingArray { base, .. } => vec![*base],
            _ => Vec::new(),
        };
        for part in parts {
            spaces.entry(part).or_default().extend(&names);
        }
    }
    spaces
}

fn space_name(space: AddressSpace) -> Option<&'static str> {
    match space {
        AddressSpace::Function => Some("function"),
        AddressSpace::Private => Some("private"),
        AddressSpace::WorkGroup => Some("workgroup"),
        AddressSpace::Uniform => Some("uniform"),
        AddressSpace::Storage { .. } => Some("storage"),
        AddressSpace::Immediate => Some("immediate"),
        AddressSpace::TaskPayload => Some("task_payload"),
        AddressSpace::RayPayload => Some("ray_payload"),
        AddressSpace::IncomingRayPayload => Some("incoming_ray_payload"),
        AddressSpace::Handle => None,
    }
}
