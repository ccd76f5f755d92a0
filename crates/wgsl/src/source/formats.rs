//! Other ways in: SPIR-V binaries and GLSL compute shaders, through naga's front ends, and the choice
//! between languages by magic number and file extension.

use naga::front::{glsl, spv};

use super::error::{Label, Problem, SourceError};
use super::file::SourceFile;
use super::guard::guarded;
use super::parse::{Language, Parsed, finish, parse};

/// First word of a SPIR-V module (SPIR-V specification, section 2.3).
const SPIRV_MAGIC: u32 = 0x0723_0203;

/// A file whose language is known and that can be parsed.
#[derive(Clone, Debug)]
pub enum Source {
    /// WGSL text.
    Wgsl(SourceFile),
    /// GLSL text of a compute shader.
    Glsl(SourceFile),
    /// A SPIR-V module.
    SpirV {
        /// Name for reports.
        name: String,
        /// The binary, of either endianness.
        bytes: Vec<u8>,
    },
}

impl Source {
    /// Recognises the language of a file: SPIR-V by its magic number, GLSL by the extensions `comp` and
    /// `glsl`, everything else as WGSL unless its extension says that it is not.
    ///
    /// # Errors
    ///
    /// An extension of a language that is not read; text that is not UTF-8 or that is empty.
    pub fn recognise(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let name = name.into();
        if spirv_is_big_endian(&bytes).is_some() {
            return Ok(Self::SpirV { name, bytes });
        }
        let extension = name
            .rsplit(['/', '\\'])
            .next()
            .and_then(|file| file.rsplit_once('.'))
            .map(|(_, extension)| extension.to_ascii_lowercase())
            .unwrap_or_default();
        match extension.as_str() {
            "comp" | "glsl" => SourceFile::from_bytes(name, bytes).map(Self::Glsl),
            "spv" => Err(SourceError::Parse(Box::new(Problem {
                message: "the file does not start with SPIR-V's magic number".to_owned(),
                ..Problem::default()
            }))),
            "cl" | "cu" | "frag" | "geom" | "hlsl" | "metal" | "slang" | "spvasm" | "vert" => {
                Err(SourceError::Language { extension })
            }
            _ => SourceFile::from_bytes(name, bytes).map(Self::Wgsl),
        }
    }

    /// The text, for drawing errors under it; `None` for SPIR-V.
    pub fn text_file(&self) -> Option<&SourceFile> {
        match self {
            Self::Wgsl(file) | Self::Glsl(file) => Some(file),
            Self::SpirV { .. } => None,
        }
    }

    /// Parses and validates the file.
    ///
    /// # Errors
    ///
    /// See [`parse`], [`parse_glsl`] and [`parse_spirv`].
    pub fn parse(&self) -> Result<Parsed, SourceError> {
        match self {
            Self::Wgsl(file) => parse(file),
            Self::Glsl(file) => parse_glsl(file),
            Self::SpirV { bytes, .. } => parse_spirv(bytes),
        }
    }
}

/// Parses a file in whichever language it is; see [`Source::recognise`].
///
/// # Errors
///
/// Everything that [`Source::recognise`] and [`Source::parse`] report.
pub fn parse_any(name: impl Into<String>, bytes: Vec<u8>) -> Result<Parsed, SourceError> {
    Source::recognise(name, bytes)?.parse()
}

/// Parses and validates a SPIR-V module of either endianness. There are no source spans.
///
/// # Errors
///
/// What naga's SPIR-V front end or validator refuses, and a module without compute entry points.
pub fn parse_spirv(bytes: &[u8]) -> Result<Parsed, SourceError> {
    let swapped;
    let words = match spirv_is_big_endian(bytes) {
        Some(true) => {
            swapped = swap_words(bytes);
            &swapped
        }
        _ => bytes,
    };
    let options = spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: false,
        block_ctx_dump_prefix: None,
    };
    guarded(|| {
        let module = spv::parse_u8_slice(words, &options)
            .map_err(|error| SourceError::Parse(Box::new(Problem::from_chain(&error))))?;
        finish(module, Language::SpirV, Vec::new(), None)
    })
}

/// Parses and validates a GLSL compute shader.
///
/// # Errors
///
/// What naga's GLSL front end or validator refuses.
pub fn parse_glsl(file: &SourceFile) -> Result<Parsed, SourceError> {
    file.require_program()?;
    guarded(|| {
        let options = glsl::Options::from(naga::ShaderStage::Compute);
        let module = glsl::Frontend::default()
            .parse(&options, &file.text)
            .map_err(|errors| glsl_error(&errors))?;
        finish(module, Language::Glsl, Vec::new(), None)
    })
}

fn glsl_error(errors: &glsl::ParseErrors) -> SourceError {
    let labels = errors.errors.iter().filter_map(|error| {
        Some(Label {
            span: error.meta.to_range()?,
            text: error.kind.to_string(),
        })
    });
    let message = match errors.errors.as_slice() {
        [only] => only.kind.to_string(),
        several => format!("{} errors in the GLSL source", several.len()),
    };
    SourceError::Parse(Box::new(Problem {
        message,
        labels: labels.collect(),
        ..Problem::default()
    }))
}

/// Whether the bytes are SPIR-V, and if so, whether its words are big-endian.
fn spirv_is_big_endian(bytes: &[u8]) -> Option<bool> {
    let first = *bytes.first_chunk::<4>()?;
    match SPIRV_MAGIC {
        magic if magic == u32::from_le_bytes(first) => Some(false),
        magic if magic == u32::from_be_bytes(first) => Some(true),
        _ => None,
    }
}

fn swap_words(bytes: &[u8]) -> Vec<u8> {
    bytes
        .chunks(4)
        .flat_map(|word| word.iter().rev())
        .copied()
        .collect()
}
