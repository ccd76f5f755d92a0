//! Notes on where a program is accepted: naga and wgpu on one side, browsers on the other.

use std::ops::Range;

/// How much a portability note weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortabilitySeverity {
    /// The data layout or the file itself is refused by wgpu and by browsers without a recent
    /// feature, or by all: the program has to change.
    Error,
    /// Current browsers accept it, wgpu does not; the computation is the same without it.
    Note,
}

/// Something in the program that not every WebGPU implementation takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortabilityNote {
    /// A stable code: `portability-enable`, `portability-requires`, `portability-attribute`,
    /// `portability-pointer-parameter`, `portability-uniform-layout` or `portability-byte-order-mark`.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: PortabilitySeverity,
    /// What it is and who refuses it.
    pub message: String,
    /// What to write instead, where that is known.
    pub help: Option<String>,
    /// Byte range of the source text.
    pub span: Range<usize>,
}
