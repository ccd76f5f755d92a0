//! Where the parts of types lie, and the layouts that the IR states.

use std::sync::Arc;

use cresta_ir::{Member, Scalar, Type};
use naga::{ArraySize, Handle, TypeInner};

use super::types::{
    Facts, Indexing, Part, Shape, Ty, Types, UNSIZED, is_narrow_integer, plain, vector_alignment,
};

impl Types<'_> {
    /// Lays out a type after all those that it refers to.
    pub(super) fn lay_out(
        &self,
        handle: Handle<naga::Type>,
        inner: &TypeInner,
        length: impl Fn(Handle<naga::Override>) -> Option<u32>,
    ) -> Facts {
        match inner {
            TypeInner::Array { base, size, stride } => {
                let length = match *size {
                    ArraySize::Constant(length) => Some(length.get()),
                    ArraySize::Pending(handle) => length(handle),
                    ArraySize::Dynamic => None,
                };
                self.lay_out_array(handle, *base, length, *stride)
            }
            TypeInner::Struct { members, span } => self.lay_out_struct(handle, members, *span),
            TypeInner::BindingArray { base, .. } => Facts {
                ty: Ty::Bindings(*base),
                holds_narrow: self.facts[base.index()].holds_narrow,
                ..Facts::plain(Ty::Opaque)
            },
            TypeInner::Scalar(scalar)
            | TypeInner::Atomic(scalar)
            | TypeInner::Vector { scalar, .. } => Facts {
                holds_narrow: is_narrow_integer(*scalar),
                ..Facts::plain(plain(inner))
            },
            inner => Facts::plain(plain(inner)),
        }
    }

    fn lay_out_array(
        &self,
        handle: Handle<naga::Type>,
        base: Handle<naga::Type>,
        length: Option<u32>,
        stride: u32,
    ) -> Facts {
        let element = &self.facts[base.index()];
        let stride = if element.holds_bool {
            element.bytes.next_multiple_of(element.alignment)
        } else {
            stride
        };
        let indexing = Indexing {
            element: element.ty,
            stride,
            leaves: element.leaves,
            length,
        };
        Facts {
            ty: Ty::Array(handle),
            leaves: length.map_or(UNSIZED, |length| element.leaves.saturating_mul(length)),
            bytes: length.unwrap_or(0).saturating_mul(stride),
            alignment: element.alignment,
            holds_bool: element.holds_bool,
            holds_array: true,
            holds_narrow: element.holds_narrow,
            shape: Shape::Array(indexing),
        }
    }

    fn lay_out_struct(
        &self,
        handle: Handle<naga::Type>,
        members: &[naga::StructMember],
        span: u32,
    ) -> Facts {
        let facts = |member: &naga::StructMember| &self.facts[member.ty.index()];
        let holds_bool = members.iter().any(|member| facts(member).holds_bool);
        let alignment = members
            .iter()
            .map(|m| facts(m).alignment)
            .max()
            .unwrap_or(1);
        let mut parts = Vec::with_capacity(members.len());
        let (mut leaf, mut end) = (0u32, 0u32);
        for member in members {
            let member_facts = facts(member);
            let offset = if holds_bool {
                end.next_multiple_of(member_facts.alignment)
            } else {
                member.offset
            };
            parts.push(Part {
                ty: member_facts.ty,
                offset: offset.into(),
                leaf,
            });
            leaf = leaf.saturating_add(member_facts.leaves);
            end = offset.saturating_add(member_facts.bytes);
        }
        let bytes = if holds_bool {
            end.next_multiple_of(alignment)
        } else {
            span
        };
        Facts {
            ty: Ty::Struct(handle),
            leaves: leaf,
            bytes,
            alignment,
            holds_bool,
            holds_array: members.iter().any(|member| facts(member).holds_array),
            holds_narrow: members.iter().any(|member| facts(member).holds_narrow),
            shape: Shape::Struct { parts, bytes },
        }
    }

    /// The layout that the IR states for a root variable; `None` for opaque types.
    pub(super) fn layout(&self, ty: Ty) -> Option<Type> {
        self.shared_layout(ty).map(Arc::unwrap_or_clone)
    }

    fn shared_layout(&self, ty: Ty) -> Option<Arc<Type>> {
        match ty {
            Ty::Array(handle) | Ty::Struct(handle) => self.layouts[handle.index()].clone(),
            ty => self.new_layout(ty).map(Arc::new),
        }
    }

    /// The layout of a type, given those of its parts.
    pub(super) fn new_layout(&self, ty: Ty) -> Option<Type> {
        Some(match ty {
            Ty::Scalar(scalar) => Type::Scalar(scalar),
            Ty::Vector { scalar, components } => Type::Vector { scalar, components },
            Ty::Matrix {
                scalar,
                columns,
                rows,
            } => Type::Matrix {
                scalar,
                columns,
                rows,
                stride: vector_alignment(scalar, rows),
            },
            Ty::Array(_) => {
                let indexing = self.indexing(ty)?;
                Type::Array {
                    element: self.shared_layout(indexing.element)?,
                    stride: indexing.stride,
                    length: indexing.length,
                }
            }
            Ty::Struct(handle) => self.struct_layout(handle)?,
            Ty::Bindings(_) | Ty::Opaque => return None,
        })
    }

    fn struct_layout(&self, handle: Handle<naga::Type>) -> Option<Type> {
        let ty = &self.module.types[handle];
        let (TypeInner::Struct { members, .. }, Shape::Struct { parts, bytes }) =
            (&ty.inner, &self.facts[handle.index()].shape)
        else {
            return None;
        };
        let members = members.iter().zip(parts).enumerate();
        Some(Type::Struct {
            name: ty.name.clone().unwrap_or_default(),
            members: members
                .map(|(index, (member, part))| {
                    Some(Member {
                        name: member
                            .name
                            .clone()
                            .unwrap_or_else(|| format!("member{index}")),
                        offset: u32::try_from(part.offset).ok()?,
                        ty: self.shared_layout(part.ty)?,
                    })
                })
                .collect::<Option<_>>()?,
            bytes: *bytes,
        })
    }
}

impl Facts {
    fn plain(ty: Ty) -> Self {
        let (leaves, bytes, alignment, scalar) = match ty {
            Ty::Scalar(scalar) => (1, scalar.bytes(), scalar.bytes(), Some(scalar)),
            Ty::Vector { scalar, components } => (
                components.into(),
                scalar.bytes() * u32::from(components),
                vector_alignment(scalar, components),
                Some(scalar),
            ),
            Ty::Matrix {
                scalar,
                columns,
                rows,
            } => {
                let stride = vector_alignment(scalar, rows);
                (
                    u32::from(columns) * u32::from(rows),
                    stride * u32::from(columns),
                    stride,
                    Some(scalar),
                )
            }
            Ty::Array(_) | Ty::Struct(_) | Ty::Bindings(_) | Ty::Opaque => (0, 0, 1, None),
        };
        Facts {
            ty,
            leaves,
            bytes,
            alignment,
            holds_bool: scalar == Some(Scalar::Bool),
            holds_array: false,
            holds_narrow: false,
            shape: Shape::Plain,
        }
    }
}
