//! Structures in memory and variables in workgroup memory.

use std::collections::HashSet;

use cresta_ir::{Kernel, Space, Type};
use cresta_wgsl::source::{Parsed, layout};

use crate::facts::{LayoutFacts, MemberFacts, WorkgroupVariable};
use crate::locate::Locator;

/// Structures that lie in buffers or workgroup memory of the kernel.
pub(crate) fn layouts(kernel: &Kernel, parsed: &Parsed, locator: &Locator<'_>) -> Vec<LayoutFacts> {
    let held: Vec<(&str, HashSet<&str>)> = kernel
        .variables
        .iter()
        .filter_map(|variable| {
            let mut names = HashSet::new();
            collect(variable.ty.as_ref()?, &mut names, &mut HashSet::new());
            Some((variable.name.as_str(), names))
        })
        .collect();
    layout(&parsed.module)
        .into_iter()
        .filter_map(|of| {
            let holding = held
                .iter()
                .filter(|(_, names)| names.contains(of.name.as_str()));
            let buffers: Vec<String> = holding.map(|(name, _)| (*name).to_owned()).collect();
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

/// Names of the structures that a type is or holds, but for those in types that were `seen`.
fn collect<'t>(ty: &'t Type, names: &mut HashSet<&'t str>, seen: &mut HashSet<*const Type>) {
    if !seen.insert(std::ptr::from_ref(ty)) {
        return;
    }
    match ty {
        Type::Array { element, .. } => collect(element, names, seen),
        Type::Struct { name, members, .. } => {
            names.insert(name);
            for member in members {
                collect(&member.ty, names, seen);
            }
        }
        Type::Scalar(_) | Type::Vector { .. } | Type::Matrix { .. } => {}
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
