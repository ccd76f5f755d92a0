//! Which member of a structure an access is to.

use cresta_ir::{Access, Type};

/// The member path that an access is to when it is to part of a structure: within an element, where
/// the structure lies in an array. An array within a structure that lies in none has elements of its
/// own, and the path to the array is no part of them.
pub(crate) fn member(ty: Option<&Type>, access: &Access) -> Option<String> {
    let mut ty = ty?;
    let mut offset = access.address.constant;
    let mut path = String::new();
    let mut within_array = false;
    loop {
        match ty {
            Type::Array {
                element, stride, ..
            } => {
                offset %= u64::from(*stride);
                ty = element;
                if !within_array {
                    path.clear();
                    within_array = true;
                }
            }
            Type::Struct { members, .. } => {
                let member = members
                    .iter()
                    .rev()
                    .find(|member| u64::from(member.offset) <= offset)?;
                offset -= u64::from(member.offset);
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(&member.name);
                ty = &member.ty;
            }
            _ => return (!path.is_empty()).then_some(path),
        }
    }
}
