//! Variables and overrides of the module, as they are first used.

use cresta_ir::{Operand, Override, OverrideId, Space, TextureInfo, Variable};
use naga::{
    AddressSpace, ArraySize, Expression, GlobalVariable, Handle, ImageClass, ImageDimension,
    StorageAccess, TypeInner,
};

use super::array::EXPANSION_LIMIT;
use super::format;
use super::frame::{Frame, Scope};
use super::overrides;
use super::state::Lowerer;
use super::types::Ty;
use super::value::{Place, Pointer, Value};

/// Variables with more leaves than this are memory even if nothing indexes them at run time.
pub(super) const REGISTER_LIMIT: u32 = 4 * EXPANSION_LIMIT;

impl Lowerer<'_> {
    /// What an expression that names a global variable stands for: a pointer to it, or the texture
    /// or sampler itself.
    pub(super) fn global(&mut self, handle: Handle<GlobalVariable>) -> Value {
        if let Value::Unset = self.globals[handle.index()] {
            self.globals[handle.index()] = self.new_global(handle);
        }
        self.globals[handle.index()]
    }

    fn new_global(&mut self, handle: Handle<GlobalVariable>) -> Value {
        let module = self.module;
        let global = &module.global_variables[handle];
        let ty = self.types.of(global.ty);
        let Some(space) = space(global.space) else {
            return Value::Opaque;
        };
        let in_registers = !self.types.holds_array(ty)
            || !self.indexed_private.contains(&handle) && self.types.leaves(ty) <= REGISTER_LIMIT;
        if space == Space::Private && in_registers {
            return self.register_variable(ty);
        }
        if self.types.facts[global.ty.index()].holds_narrow {
            self.unsupported("16-bit integers in memory, taken as 32-bit ones", &[], &[]);
        }
        let (element, binding_count) = match module.types[global.ty].inner {
            TypeInner::BindingArray { base, size } => {
                let count = match size {
                    ArraySize::Constant(count) => count.get(),
                    ArraySize::Pending(size) => {
                        self.resolved.array_length(module, size).unwrap_or(0)
                    }
                    ArraySize::Dynamic => 0,
                };
                (base, Some(count))
            }
            _ => (global.ty, None),
        };
        let texture = self.texture_info(&module.types[element].inner);
        if space == Space::Texture && texture.is_none() {
            return Value::Opaque;
        }
        let declared = module.global_variables.get_span(handle).to_range();
        let variable = self.add_variable(Variable {
            name: global_name(handle, global),
            space,
            binding: global.binding.map(|at| (at.group, at.binding)),
            ty: self.types.layout(self.types.of(element)),
            writable: is_writable(global.space, &module.types[element].inner),
            texture,
            binding_count,
            declared: declared.map(|range| (range.start as u32, range.end as u32)),
        });
        Value::Pointer(self.whole(variable, ty))
    }

    /// A variable that lives in registers.
    pub(super) fn register_variable(&mut self, ty: Ty) -> Value {
        let scalars = self.types.scalars(ty);
        let first = self.variable_registers(&scalars);
        Value::Pointer(Pointer {
            place: Place::Registers {
                first,
                selects: [None, None],
            },
            ty,
        })
    }

    fn texture_info(&mut self, inner: &TypeInner) -> Option<TextureInfo> {
        match *inner {
            TypeInner::Image {
                dim,
                arrayed,
                class,
            } => {
                let format = match class {
                    ImageClass::Storage { format, .. } => Some(format),
                    ImageClass::External => {
                        self.unsupported("an external texture", &[], &[]);
                        None
                    }
                    ImageClass::Sampled { .. } | ImageClass::Depth { .. } => None,
                };
                Some(TextureInfo {
                    dimensions: match dim {
                        ImageDimension::D1 => 1,
                        ImageDimension::D2 | ImageDimension::Cube => 2,
                        ImageDimension::D3 => 3,
                    },
                    layered: arrayed || dim == ImageDimension::Cube,
                    multisampled: class.is_multisampled(),
                    format: format.map(|format| format::name(format).to_owned()),
                    texel_bytes: format.map(format::texel_bytes),
                    sampler: false,
                })
            }
            TypeInner::Sampler { .. } => Some(TextureInfo {
                dimensions: 0,
                layered: false,
                multisampled: false,
                format: None,
                texel_bytes: None,
                sampler: true,
            }),
            _ => None,
        }
    }

    /// The operand that stands for an override.
    pub(super) fn override_operand(&mut self, handle: Handle<naga::Override>) -> Operand {
        if let Some(id) = self.override_ids[handle.index()] {
            return Operand::Override(id);
        }
        // Defaults refer to earlier overrides; those come first, so that chains do not recurse.
        let mut last = OverrideId(0);
        for needed in self.needed_overrides(handle) {
            last = self.add_override(needed);
        }
        Operand::Override(last)
    }

    /// The override and those that its default is computed from, unless they are known already.
    fn needed_overrides(&self, handle: Handle<naga::Override>) -> Vec<Handle<naga::Override>> {
        let mut needed = Vec::new();
        let mut pending = vec![handle];
        let mut seen = vec![false; self.module.overrides.len()];
        while let Some(handle) = pending.pop() {
            let known = self.override_ids[handle.index()].is_some();
            if known || std::mem::replace(&mut seen[handle.index()], true) {
                continue;
            }
            needed.push(handle);
            if let Some(init) = self.computed_init(handle) {
                pending.extend(overrides::overrides_of(self.module, init));
            }
        }
        needed.sort_unstable();
        needed
    }

    /// The default, when it has to be computed.
    fn computed_init(&self, handle: Handle<naga::Override>) -> Option<Handle<Expression>> {
        let is_fixed = self.resolved.fixed[handle.index()].is_some();
        self.module.overrides[handle].init.filter(|_| !is_fixed)
    }

    fn add_override(&mut self, handle: Handle<naga::Override>) -> OverrideId {
        let declared = &self.module.overrides[handle];
        let computed = self
            .computed_init(handle)
            .map(|init| self.compute_default(init));
        let id = OverrideId(self.overrides.len() as u32);
        self.overrides.push(Override {
            name: overrides::name(declared),
            id: declared.id,
            scalar: overrides::override_scalar(self.module, declared),
            value: self.resolved.fixed[handle.index()],
            computed,
        });
        self.override_ids[handle.index()] = Some(id);
        id
    }

    /// Computes a default from other overrides, in the prologue.
    fn compute_default(&mut self, init: Handle<Expression>) -> Operand {
        let module = self.module;
        let mut values = std::mem::take(&mut self.prologue_values);
        values.resize(module.global_expressions.len(), Value::Unset);
        let mut frame = Frame {
            values,
            ..Frame::empty(&module.global_expressions, Scope::Module)
        };
        let body = self.open_block();
        let operand = self.operand(&mut frame, init);
        let added = self.close_block(body);
        self.prologue.extend(added);
        self.prologue_values = frame.values;
        operand
    }
}

/// The name of a global variable, made up when the module has none.
fn global_name(handle: Handle<GlobalVariable>, global: &GlobalVariable) -> String {
    match (&global.name, global.binding) {
        (Some(name), _) if !name.is_empty() => name.clone(),
        (_, Some(at)) => format!("group{}_binding{}", at.group, at.binding),
        (_, None) => format!("global{}", handle.index()),
    }
}

/// The IR's address space; `None` for those that belong to no compute kernel.
fn space(space: AddressSpace) -> Option<Space> {
    match space {
        AddressSpace::Function | AddressSpace::Private => Some(Space::Private),
        AddressSpace::WorkGroup => Some(Space::Workgroup),
        AddressSpace::Uniform | AddressSpace::Immediate => Some(Space::Uniform),
        AddressSpace::Storage { .. } => Some(Space::Storage),
        AddressSpace::Handle => Some(Space::Texture),
        AddressSpace::TaskPayload | AddressSpace::RayPayload | AddressSpace::IncomingRayPayload => {
            None
        }
    }
}

fn is_writable(space: AddressSpace, inner: &TypeInner) -> bool {
    let written = StorageAccess::STORE | StorageAccess::ATOMIC;
    match space {
        AddressSpace::Storage { access } => access.intersects(written),
        AddressSpace::Handle => match *inner {
            TypeInner::Image {
                class: ImageClass::Storage { access, .. },
                ..
            } => access.intersects(written),
            _ => false,
        },
        AddressSpace::Uniform | AddressSpace::Immediate => false,
        AddressSpace::Function
        | AddressSpace::Private
        | AddressSpace::WorkGroup
        | AddressSpace::TaskPayload
        | AddressSpace::RayPayload
        | AddressSpace::IncomingRayPayload => true,
    }
}
