//! Structures in memory and variables in workgroup memory.

use std::collections::HashSet;

use cresta_ir::{Kernel, Space, Type};
use cresta_wgsl::source::{Parsed, layout};

use crate::facts::{LayoutFacts, MemberFacts, WorkgroupVariable};
use crate::locate::Locator;

/// Structures that lie in buffers or workgroup memory of the kernel.
pub(crate) fn layouts(kernel: &Kernel, parsed: &Parsed, locator: &Locator<'_>) -> Vec<LayoutFacts> {
    layout(&parsed.module)
        .into_iter()
        .filter_map(|of| {
            let buffers: Vec<String> = kernel
                .variables
                .iter()
                .filter(|variable| {
                    variable
                        .ty
                        .as_ref()
                        .is_some_and(|ty| holds(ty, &of.name, &mut HashSet::new()))
                })
                .map(|variable| variable.name.clone())
                .collect();
            if buffers.is_empty() {
                return None;
            }
            let size = |bytes: u64| u32::try_from(bytes).unwrap_or(u32::MAX);
            Some(LayoutFacts {
                size_bytes: size(of.size_bytes),
                padding_bytes: size(of.padding_bytes),
                padding_fraction: of.padding_fraction,
                members: of
                    .members
                    .iter()
                    .map(|member| MemberFacts {
                        name: member.name.clone(),
                        offset: size(member.offset),
                        size: size(member.size),
                    })
                    .collect(),
                location: of.declared.map(|range| locator.range(range)),
                name: of.name,
                buffers,
            })
        })
        .collect()
}

/// Whether a type is or holds the structure; types that were `seen`, shared by others, do not.
fn holds(ty: &Type, name: &str, seen: &mut HashSet<*const Type>) -> bool {
    if !seen.insert(std::ptr::from_ref(ty)) {
        return false;
    }
    match ty {
        Type::Array { element, .. } => holds(element, name, seen),
        Type::Struct {
            name: own, members, ..
        } => own == name || members.iter().any(|member| holds(&member.ty, name, seen)),
        Type::Scalar(_) | Type::Vector { .. } | Type::Matrix { .. } => false,
    }
}

pub(crate) fn workgroup_variables(
    kernel: &Kernel,
    locator: &Locator<'_>,
) -> Vec<WorkgroupVariable> {
    kernel
        .variables
        .iter()
        .filter(|variable| variable.space == Space::Workgroup)
        .map(|variable| WorkgroupVariable {
            name: variable.name.clone(),
            bytes: variable.ty.as_ref().and_then(Type::bytes).unwrap_or(0),
            location: variable.declared.map(|range| locator.declared(range)),
        })
        .collect()
}
