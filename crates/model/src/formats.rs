//! Smaller formats: how many times fewer bytes an element takes, what each needs and what to do
//! where that is missing.
//!
//! Start at [`Format`].

/// A format that holds the same elements in fewer bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `f16` in place of `f32`.
    F16,
    /// Two halves in a `u32` by `pack2x16float`, in place of two `f32`.
    Pack2x16Float,
    /// Four bytes in a `u32` by `pack4x8unorm`, in place of four `f32`.
    Pack4x8Unorm,
    /// BC7 blocks in place of an RGBA8 texture.
    Bc7,
    /// BC1 blocks in place of an RGBA8 texture.
    Bc1,
}

impl Format {
    /// Every format, in the order above.
    pub const ALL: [Format; 5] = [
        Format::F16,
        Format::Pack2x16Float,
        Format::Pack4x8Unorm,
        Format::Bc7,
        Format::Bc1,
    ];

    /// The name that WGSL or WebGPU gives it.
    pub fn name(self) -> &'static str {
        match self {
            Format::F16 => "f16",
            Format::Pack2x16Float => "pack2x16float",
            Format::Pack4x8Unorm => "pack4x8unorm",
            Format::Bc7 => "bc7-rgba-unorm",
            Format::Bc1 => "bc1-rgba-unorm",
        }
    }

    /// Bits of an element: a number, or a texel for the block formats (4 × 4 texels in 16 bytes for
    /// BC7 and 8 for BC1).
    pub fn bits_per_element(self) -> u32 {
        match self {
            Format::F16 | Format::Pack2x16Float => 16,
            Format::Pack4x8Unorm | Format::Bc7 => 8,
            Format::Bc1 => 4,
        }
    }

    /// Bits of an element of what it replaces: an `f32`, or an RGBA8 texel.
    pub fn bits_per_element_replaced(self) -> u32 {
        32
    }

    /// Times fewer bytes.
    pub fn byte_factor(self) -> f64 {
        f64::from(self.bits_per_element_replaced()) / f64::from(self.bits_per_element())
    }

    /// The WebGPU feature that a device must be asked for; none where the core language has it.
    pub fn feature(self) -> Option<&'static str> {
        match self {
            Format::F16 => Some("shader-f16"),
            Format::Pack2x16Float | Format::Pack4x8Unorm => None,
            Format::Bc7 | Format::Bc1 => Some("texture-compression-bc"),
        }
    }

    /// What to use where the feature, or the precision, is missing.
    pub fn fallback(self) -> &'static str {
        match self {
            Format::F16 => {
                "pack2x16float and unpack2x16float in u32 words, which need no feature and compute in f32"
            }
            Format::Pack2x16Float => {
                "f32 where 11 bits of mantissa or a range of 65504 do not suffice"
            }
            Format::Pack4x8Unorm => "pack2x16float, or f32, where 8 bits in 0 to 1 do not suffice",
            Format::Bc7 | Format::Bc1 => {
                "texture-compression-astc or texture-compression-etc2 where the device has them, else rgba8unorm"
            }
        }
    }
}
