//! WGSL text to a validated naga module.
//!
//! Order of the steps: template markers, nesting guard, masking of directives, naga's parser,
//! specialisation of pointer parameters, naga's validator with everything enabled, uniform layout
//! notes, a compute entry point. Each step works on spans of the original text.

use std::ops::Range;

use naga::front::wgsl;
use naga::valid::{
    Capabilities, ModuleInfo, ShaderStages, SubgroupOperationSet, ValidationFlags, Validator,
};

use super::directive::find_masks;
use super::error::{Label, OtherEntry, Problem, SourceError};
use super::file::SourceFile;
use super::guard::guarded;
use super::lexer::significant_tokens;
use super::nesting::refuse_deep_nesting;
use super::pointer::specialise_pointer_parameters;
use super::portability::{PortabilityNote, PortabilitySeverity};
use super::rewrite::mask;
use super::template::refuse_templates;
use super::uniform::validate_with_layout_notes;

/// Language that a module came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// WGSL text.
    Wgsl,
    /// A GLSL compute shader.
    Glsl,
    /// A SPIR-V binary.
    SpirV,
}

/// A validated module with at least one compute entry point.
#[derive(Debug)]
pub struct Parsed {
    /// naga's module. Functions that took pointers to storage, uniform or workgroup memory appear once
    /// for each set of variables that they were called with.
    pub module: naga::Module,
    /// naga's analysis of the module.
    pub info: ModuleInfo,
    /// What not every WebGPU implementation takes, in source order.
    pub portability: Vec<PortabilityNote>,
    /// The text that naga read, where it differs from the file's: same length, same line breaks.
    pub rewritten: Option<String>,
    /// What was read.
    pub language: Language,
}

impl Parsed {
    /// The byte range in the source text of a naga span; `None` for undefined spans and for SPIR-V,
    /// whose spans count words of a binary.
    pub fn text_span(&self, span: naga::Span) -> Option<Range<usize>> {
        match self.language {
            Language::Wgsl | Language::Glsl => span.to_range(),
            Language::SpirV => None,
        }
    }
}

/// Parses and validates WGSL.
///
/// # Errors
///
/// Templates, nesting beyond the limits, whatever naga refuses that browsers refuse as well, and a
/// module without compute entry points.
pub fn parse(file: &SourceFile) -> Result<Parsed, SourceError> {
    file.require_program()?;
    let tokens = significant_tokens(&file.text);
    refuse_templates(file, &tokens)?;
    refuse_deep_nesting(&file.text, &tokens)?;
    let masks = find_masks(&file.text, &tokens);
    let rewritten = (!masks.ranges.is_empty()).then(|| mask(&file.text, &masks.ranges));
    let mut notes = masks.notes;
    if file.had_byte_order_mark() {
        notes.push(byte_order_mark_note());
    }
    guarded(|| {
        let text = rewritten.as_deref().unwrap_or(&file.text);
        let module = wgsl::parse_str(text).map_err(parse_error)?;
        finish(module, Language::Wgsl, notes, rewritten)
    })
}

/// The steps that all languages share: specialisation, validation, and the search for entry points.
pub(super) fn finish(
    module: naga::Module,
    language: Language,
    mut portability: Vec<PortabilityNote>,
    rewritten: Option<String>,
) -> Result<Parsed, SourceError> {
    let module = specialise_pointer_parameters(module, &mut portability)?;
    let info = validate_with_layout_notes(&module, &mut portability)
        .map_err(|error| validation_error(&error, language))?;
    require_compute_entry(&module)?;
    portability.sort_by_key(|note| (note.span.start, note.span.end));
    Ok(Parsed {
        module,
        info,
        portability,
        rewritten,
        language,
    })
}

/// A validator that allows everything that naga knows.
pub(super) fn validator(flags: ValidationFlags) -> Validator {
    let mut validator = Validator::new(flags, Capabilities::all());
    validator
        .subgroup_stages(ShaderStages::all())
        .subgroup_operations(SubgroupOperationSet::all());
    validator
}

fn byte_order_mark_note() -> PortabilityNote {
    PortabilityNote {
        code: "portability-byte-order-mark",
        severity: PortabilitySeverity::Error,
        message: "the file begins with a byte-order mark, which WGSL does not allow; browsers and \
                  naga refuse it"
            .to_owned(),
        help: Some("save the file as UTF-8 without a byte-order mark".to_owned()),
        span: 0..0,
    }
}

fn parse_error(error: wgsl::ParseError) -> SourceError {
    SourceError::Parse(Box::new(Problem {
        message: error.message().to_owned(),
        causes: Vec::new(),
        labels: error
            .labels()
            .filter_map(|(span, text)| {
                Some(Label {
                    span: span.to_range()?,
                    text: text.to_owned(),
                })
            })
            .collect(),
        notes: error.notes().map(str::to_owned).collect(),
    }))
}

fn validation_error(
    error: &naga::WithSpan<naga::valid::ValidationError>,
    language: Language,
) -> SourceError {
    let mut problem = Problem::from_chain(error.as_inner());
    if language != Language::SpirV {
        problem.labels = error
            .spans()
            .filter_map(|(span, text)| {
                Some(Label {
                    span: span.to_range()?,
                    text: readable_label(text),
                })
            })
            .collect();
    }
    SourceError::Validate(Box::new(problem))
}

/// naga labels a place with the Rust type and the index of what stands there, such as
/// `naga::ir::GlobalVariable [0]`; a person needs only what it is.
fn readable_label(text: &str) -> String {
    let Some((path, _)) = text.split_once(" [") else {
        return text.to_owned();
    };
    match path.rsplit("::").next() {
        Some("Type") => "this type".to_owned(),
        Some("Constant") => "this constant".to_owned(),
        Some("Override") => "this override".to_owned(),
        Some("GlobalVariable" | "LocalVariable") => "this variable".to_owned(),
        Some("Function") => "this function".to_owned(),
        Some("Expression") => "this expression".to_owned(),
        _ => text.to_owned(),
    }
}

fn require_compute_entry(module: &naga::Module) -> Result<(), SourceError> {
    let entries = &module.entry_points;
    if entries
        .iter()
        .any(|entry| entry.stage == naga::ShaderStage::Compute)
    {
        return Ok(());
    }
    Err(SourceError::NoComputeEntry {
        found: entries
            .iter()
            .map(|entry| OtherEntry {
                name: entry.name.clone(),
                stage: stage_name(entry.stage),
            })
            .collect(),
    })
}

fn stage_name(stage: naga::ShaderStage) -> &'static str {
    match stage {
        naga::ShaderStage::Vertex => "vertex",
        naga::ShaderStage::Fragment => "fragment",
        naga::ShaderStage::Compute => "compute",
        naga::ShaderStage::Task => "task",
        naga::ShaderStage::Mesh => "mesh",
        naga::ShaderStage::RayGeneration => "ray generation",
        naga::ShaderStage::AnyHit => "any hit",
        naga::ShaderStage::ClosestHit => "closest hit",
        naga::ShaderStage::Miss => "miss",
    }
}
