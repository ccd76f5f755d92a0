//! Types and root variables: what memory looks like.

use std::sync::Arc;

use cresta_model::operation::Scalar;

/// Address space of a root variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Storage buffers.
    Storage,
    /// Uniform buffers and immediates.
    Uniform,
    /// Memory shared by a workgroup.
    Workgroup,
    /// Memory of one invocation: private and function variables that are not registers.
    Private,
    /// Textures and samplers.
    Texture,
}

impl Space {
    /// The name that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Space::Storage => "storage",
            Space::Uniform => "uniform",
            Space::Workgroup => "workgroup",
            Space::Private => "private",
            Space::Texture => "texture",
        }
    }
}

/// A host-shareable or private type, with its layout. Types within types are shared: a structure of two
/// structures of two structures … has as many parts as it has depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// A scalar (an atomic is its scalar).
    Scalar(Scalar),
    /// A vector, components next to one another.
    Vector {
        /// Component type.
        scalar: Scalar,
        /// 2 to 4.
        components: u8,
    },
    /// A matrix of column vectors.
    Matrix {
        /// Component type.
        scalar: Scalar,
        /// Number of columns.
        columns: u8,
        /// Components of a column.
        rows: u8,
        /// Distance between columns in bytes.
        stride: u32,
    },
    /// An array; `length` is `None` for a runtime-sized one.
    Array {
        /// Element type.
        element: Arc<Type>,
        /// Distance between elements in bytes.
        stride: u32,
        /// Number of elements.
        length: Option<u32>,
    },
    /// A structure.
    Struct {
        /// Name in the source.
        name: String,
        /// Members in order.
        members: Vec<Member>,
        /// Size in bytes, trailing padding included; of the fixed part when the last member is a
        /// runtime-sized array.
        bytes: u32,
    },
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Name in the source.
    pub name: String,
    /// Offset in bytes.
    pub offset: u32,
    /// Type.
    pub ty: Arc<Type>,
}

impl Type {
    /// Size in bytes; `None` for a runtime-sized array or a structure that ends in one.
    pub fn bytes(&self) -> Option<u64> {
        match self {
            Type::Scalar(scalar) => Some(scalar.bytes().into()),
            Type::Vector { scalar, components } => {
                Some(u64::from(scalar.bytes()) * u64::from(*components))
            }
            Type::Matrix {
                columns, stride, ..
            } => Some(u64::from(*columns) * u64::from(*stride)),
            Type::Array { stride, length, .. } => {
                length.map(|length| u64::from(length) * u64::from(*stride))
            }
            Type::Struct { members, bytes, .. } => match members.last() {
                Some(last) if last.ty.bytes().is_none() => None,
                _ => Some((*bytes).into()),
            },
        }
    }

    /// Offset and stride of the runtime-sized array that the type is or ends in.
    pub fn runtime_array(&self) -> Option<(u32, u32)> {
        match self {
            Type::Array {
                stride,
                length: None,
                ..
            } => Some((0, *stride)),
            Type::Struct { members, .. } => {
                let last = members.last()?;
                let (offset, stride) = last.ty.runtime_array()?;
                Some((last.offset + offset, stride))
            }
            _ => None,
        }
    }

    /// The source path, after the variable's name, of the scalar at `offset` bytes:
    /// `.K`, `.view[1].x`, or nothing for a scalar itself.
    pub fn path_at(&self, offset: u64) -> Option<String> {
        match self {
            Type::Scalar(_) => (offset == 0).then(String::new),
            Type::Vector { scalar, components } => {
                let index = offset / u64::from(scalar.bytes());
                let letter = ["x", "y", "z", "w"].get(usize::try_from(index).ok()?)?;
                (index < u64::from(*components)).then(|| format!(".{letter}"))
            }
            Type::Matrix {
                scalar,
                rows,
                stride,
                columns,
            } => {
                let column = offset / u64::from(*stride);
                let vector = Type::Vector {
                    scalar: *scalar,
                    components: *rows,
                };
                let rest = vector.path_at(offset % u64::from(*stride))?;
                (column < u64::from(*columns)).then(|| format!("[{column}]{rest}"))
            }
            Type::Array {
                element,
                stride,
                length,
            } => {
                let index = offset / u64::from(*stride);
                if length.is_some_and(|length| index >= length.into()) {
                    return None;
                }
                Some(format!(
                    "[{index}]{}",
                    element.path_at(offset % u64::from(*stride))?
                ))
            }
            Type::Struct { members, .. } => {
                let member = members
                    .iter()
                    .rev()
                    .find(|m| u64::from(m.offset) <= offset)?;
                let rest = member.ty.path_at(offset - u64::from(member.offset))?;
                Some(format!(".{}{rest}", member.name))
            }
        }
    }
}

/// What is known of a texture or sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureInfo {
    /// 1, 2 or 3; a cube counts as 2 with six layers.
    pub dimensions: u8,
    /// Whether it has array layers (cube faces included).
    pub layered: bool,
    /// Whether it is multisampled.
    pub multisampled: bool,
    /// Texel format, when the type states it (storage textures do).
    pub format: Option<String>,
    /// Bytes of one texel, when the format is known.
    pub texel_bytes: Option<u32>,
    /// Whether it is a sampler rather than a texture.
    pub sampler: bool,
}

/// A root variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name in the source.
    pub name: String,
    /// Address space.
    pub space: Space,
    /// `@group` and `@binding`.
    pub binding: Option<(u32, u32)>,
    /// Layout; `None` for textures and samplers.
    pub ty: Option<Type>,
    /// Texture facts; `None` for buffers.
    pub texture: Option<TextureInfo>,
    /// Whether the kernel may write it.
    pub writable: bool,
    /// Number of bindings when it is a binding array; zero elements means unbounded.
    pub binding_count: Option<u32>,
    /// Where it is declared, in bytes of the source.
    pub declared: Option<(u32, u32)>,
}

impl Variable {
    /// The name of the scalar at `offset` bytes: `d.K`.
    pub fn path_at(&self, offset: u64) -> Option<String> {
        let path = self.ty.as_ref()?.path_at(offset)?;
        Some(format!("{}{path}", self.name))
    }
}
