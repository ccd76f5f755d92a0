//! Texel formats of storage textures: WGSL's names and sizes.

use cresta_ir::Scalar;
use naga::StorageFormat as Format;

/// The name that WGSL (or naga's extension of it) gives a format.
pub(super) fn name(format: Format) -> &'static str {
    match format {
        Format::R8Unorm => "r8unorm",
        Format::R8Snorm => "r8snorm",
        Format::R8Uint => "r8uint",
        Format::R8Sint => "r8sint",
        Format::R16Uint => "r16uint",
        Format::R16Sint => "r16sint",
        Format::R16Float => "r16float",
        Format::Rg8Unorm => "rg8unorm",
        Format::Rg8Snorm => "rg8snorm",
        Format::Rg8Uint => "rg8uint",
        Format::Rg8Sint => "rg8sint",
        Format::R32Uint => "r32uint",
        Format::R32Sint => "r32sint",
        Format::R32Float => "r32float",
        Format::Rg16Uint => "rg16uint",
        Format::Rg16Sint => "rg16sint",
        Format::Rg16Float => "rg16float",
        Format::Rgba8Unorm => "rgba8unorm",
        Format::Rgba8Snorm => "rgba8snorm",
        Format::Rgba8Uint => "rgba8uint",
        Format::Rgba8Sint => "rgba8sint",
        Format::Bgra8Unorm => "bgra8unorm",
        Format::Rgb10a2Uint => "rgb10a2uint",
        Format::Rgb10a2Unorm => "rgb10a2unorm",
        Format::Rg11b10Ufloat => "rg11b10ufloat",
        Format::R64Uint => "r64uint",
        Format::Rg32Uint => "rg32uint",
        Format::Rg32Sint => "rg32sint",
        Format::Rg32Float => "rg32float",
        Format::Rgba16Uint => "rgba16uint",
        Format::Rgba16Sint => "rgba16sint",
        Format::Rgba16Float => "rgba16float",
        Format::Rgba32Uint => "rgba32uint",
        Format::Rgba32Sint => "rgba32sint",
        Format::Rgba32Float => "rgba32float",
        Format::R16Unorm => "r16unorm",
        Format::R16Snorm => "r16snorm",
        Format::Rg16Unorm => "rg16unorm",
        Format::Rg16Snorm => "rg16snorm",
        Format::Rgba16Unorm => "rgba16unorm",
        Format::Rgba16Snorm => "rgba16snorm",
    }
}

/// Bytes of a texel.
pub(super) fn texel_bytes(format: Format) -> u32 {
    match format {
        Format::R8Unorm | Format::R8Snorm | Format::R8Uint | Format::R8Sint => 1,
        Format::R16Uint
        | Format::R16Sint
        | Format::R16Float
        | Format::R16Unorm
        | Format::R16Snorm
        | Format::Rg8Unorm
        | Format::Rg8Snorm
        | Format::Rg8Uint
        | Format::Rg8Sint => 2,
        Format::R32Uint
        | Format::R32Sint
        | Format::R32Float
        | Format::Rg16Uint
        | Format::Rg16Sint
        | Format::Rg16Float
        | Format::Rg16Unorm
        | Format::Rg16Snorm
        | Format::Rgba8Unorm
        | Format::Rgba8Snorm
        | Format::Rgba8Uint
        | Format::Rgba8Sint
        | Format::Bgra8Unorm
        | Format::Rgb10a2Uint
        | Format::Rgb10a2Unorm
        | Format::Rg11b10Ufloat => 4,
        Format::R64Uint
        | Format::Rg32Uint
        | Format::Rg32Sint
        | Format::Rg32Float
        | Format::Rgba16Uint
        | Format::Rgba16Sint
        | Format::Rgba16Float
        | Format::Rgba16Unorm
        | Format::Rgba16Snorm => 8,
        Format::Rgba32Uint | Format::Rgba32Sint | Format::Rgba32Float => 16,
    }
}

/// The component type of a format's texels in the shader.
pub(super) fn scalar(format: Format) -> Scalar {
    super::types::scalar(format.into())
}
