//! Directives and attributes that browsers accept and naga 30 refuses.
//!
//! Each is masked with spaces of the same length, so that spans stay true and what naga does know,
//! such as `enable f16`, stays in effect; each gives a portability note. Names that the WGSL
//! specification and its implementations do not know are left for naga to report.
//!
//! What naga 30.0.2 refuses was found by trying every name here; `tests/source_directives.rs` holds
//! the experiment, so that an upgrade of naga shows which masks became needless.

use std::ops::Range;

use super::lexer::{Token, TokenKind};
use super::portability::{PortabilityNote, PortabilitySeverity};

/// `enable` extensions that exist in browsers and that naga refuses although it has what they
/// enable.
const ENABLE_MASKED: [(&str, &str); 4] = [
    ("subgroups", "naga offers subgroup operations without it"),
    (
        "subgroups_f16",
        "an older name, now part of `subgroups` with `f16`",
    ),
    (
        "chromium_experimental_subgroups",
        "an older name of `subgroups`",
    ),
    (
        "subgroup_size_control",
        "naga reads the module without it; `@subgroup_size` stays unknown to it",
    ),
];

/// Language features of the WGSL specification and of Chromium's implementation
/// (<https://www.w3.org/TR/WGSL/#language-extensions-sec>) that naga refuses to see named.
const REQUIRES_MASKED: [&str; 13] = [
    "buffer_view",
    "filtering_parameters",
    "fragment_depth",
    "immediate_address_space",
    "linear_indexing",
    "sized_binding_array",
    "subgroup_id",
    "subgroup_uniformity",
    "swizzle_assignment",
    "texel_buffers",
    "texture_and_sampler_let",
    "uniform_buffer_standard_layout",
    "unrestricted_pointer_parameters",
];

/// Tokens of the longest `diagnostic` attribute, `diagnostic ( off , a . b , )`.
const MAXIMUM_ATTRIBUTE_TOKENS: usize = 9;

/// What has to be masked before naga reads the text.
#[derive(Debug, Default)]
pub(super) struct Masks {
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) notes: Vec<PortabilityNote>,
}

/// Finds everything to mask; `tokens` are the tokens of `text` without comments.
pub(super) fn find_masks(text: &str, tokens: &[Token]) -> Masks {
    let mut masks = Masks::default();
    let mut rest = tokens;
    while let Some((first, _)) = rest.split_first() {
        let keyword = first.text(text);
        if !matches!(keyword, "enable" | "requires" | "diagnostic") {
            break;
        }
        let Some(length) = rest.iter().position(|token| token.is(';')) else {
            break;
        };
        let (directive, after) = rest.split_at(length + 1);
        match keyword {
            "enable" => masks.directive(text, directive, enable_note),
            "requires" => masks.directive(text, directive, requires_note),
            _ => {}
        }
        rest = after;
    }
    masks.attributes_inside_functions(text, rest);
    masks
}

impl Masks {
    /// Masks the names in `directive` that `note_for` knows: all of the directive, or each name with
    /// one comma beside it.
    fn directive(
        &mut self,
        text: &str,
        directive: &[Token],
        note_for: fn(&str, Range<usize>) -> Option<PortabilityNote>,
    ) {
        let mut kept = 0_usize;
        let mut masked = Vec::new();
        for (index, token) in directive.iter().enumerate().skip(1) {
            if token.kind != TokenKind::Word {
                continue;
            }
            let Some(note) = note_for(token.text(text), token.range.clone()) else {
                kept += 1;
                continue;
            };
            let comma_after = directive.get(index + 1).filter(|next| next.is(','));
            let comma = comma_after.or_else(|| directive.get(index - 1).filter(|_| kept > 0));
            masked.push(token.range.clone());
            masked.extend(comma.map(|comma| comma.range.clone()));
            self.notes.push(note);
        }
        match (directive.first(), directive.last()) {
            (Some(first), Some(last)) if kept == 0 && !masked.is_empty() => {
                self.ranges.push(first.range.start..last.range.end);
            }
            _ => self.ranges.extend(masked),
        }
    }

    /// `@diagnostic(…)` on function bodies and on statements, where naga does not read it; it changes
    /// no result.
    fn attributes_inside_functions(&mut self, text: &str, tokens: &[Token]) {
        let mut in_function = false;
        let mut depth = 0_usize;
        for (index, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Word if token.text(text) == "fn" => in_function = true,
                TokenKind::Punctuation('{') => depth += 1,
                TokenKind::Punctuation('}') => {
                    depth = depth.saturating_sub(1);
                    in_function &= depth > 0;
                }
                TokenKind::Punctuation('@') if in_function => {
                    let attribute = tokens.get(index + 1..).unwrap_or_default();
                    if let Some(end) = diagnostic_attribute_end(text, attribute) {
                        self.ranges.push(token.range.start..end);
                        self.notes.push(attribute_note(token.range.start..end));
                    }
                }
                _ => {}
            }
        }
    }
}

/// End of the text of `diagnostic(…)` at the start of `tokens`.
fn diagnostic_attribute_end(text: &str, tokens: &[Token]) -> Option<usize> {
    let (name, _) = tokens.split_first()?;
    let mut attribute = tokens.iter().take(MAXIMUM_ATTRIBUTE_TOKENS);
    let close = attribute.find(|token| token.is(')'))?;
    (name.text(text) == "diagnostic").then_some(close.range.end)
}

fn attribute_note(span: Range<usize>) -> PortabilityNote {
    PortabilityNote {
        code: "portability-attribute",
        severity: PortabilitySeverity::Note,
        message: "naga and wgpu do not read `@diagnostic` inside a function; browsers do"
            .to_owned(),
        help: Some("write the attribute before `fn`".to_owned()),
        span,
    }
}

fn enable_note(name: &str, span: Range<usize>) -> Option<PortabilityNote> {
    let (_, detail) = ENABLE_MASKED.iter().find(|(known, _)| *known == name)?;
    Some(PortabilityNote {
        code: "portability-enable",
        severity: PortabilitySeverity::Note,
        message: format!("naga and wgpu refuse `enable {name};`, which browsers need; {detail}"),
        help: Some("leave the directive out of the text that wgpu gets".to_owned()),
        span,
    })
}

fn requires_note(name: &str, span: Range<usize>) -> Option<PortabilityNote> {
    REQUIRES_MASKED.contains(&name).then(|| PortabilityNote {
        code: "portability-requires",
        severity: PortabilitySeverity::Note,
        message: format!(
            "naga and wgpu refuse `requires {name};`; browsers that have the feature accept it"
        ),
        help: Some(
            "leave the directive out for wgpu: it documents a need and enables nothing".to_owned(),
        ),
        span,
    })
}
