//! Padding of structs in host-shareable memory.
//!
//! Each member starts at the next multiple of its alignment, and the struct's size is rounded up to its
//! largest one: WGSL, section “Structure member layout”. Start at [`layout`].

/// Size and alignment of one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Size in bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
}

impl Member {
    /// `f32`, `i32`, `u32`.
    pub const SCALAR: Member = Member { size: 4, align: 4 };
    /// `vec2<f32>` and the like.
    pub const VEC2: Member = Member { size: 8, align: 8 };
    /// `vec3<f32>` and the like: the size of three, the alignment of four.
    pub const VEC3: Member = Member {
        size: 12,
        align: 16,
    };
    /// `vec4<f32>` and the like.
    pub const VEC4: Member = Member {
        size: 16,
        align: 16,
    };
}

/// A struct laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StructLayout {
    /// Size, padding included.
    pub size_bytes: u64,
    /// Bytes that belong to no member.
    pub padding_bytes: u64,
}

impl StructLayout {
    /// Padding over size, 0–1; none for an empty struct.
    pub fn padding_fraction(&self) -> Option<f64> {
        (self.size_bytes > 0).then(|| self.padding_bytes as f64 / self.size_bytes as f64)
    }
}

/// Lays out `members` in the order of the source.
///
/// # Panics
///
/// Where an alignment is zero.
pub fn layout(members: &[Member]) -> StructLayout {
    let end = members.iter().fold(0_u64, |offset, member| {
        offset.next_multiple_of(member.align) + member.size
    });
    let align = members.iter().map(|member| member.align).max().unwrap_or(1);
    let size_bytes = end.next_multiple_of(align);
    let used: u64 = members.iter().map(|member| member.size).sum();
    StructLayout {
        size_bytes,
        padding_bytes: size_bytes - used,
    }
}
