//! Recognising templated sources before naga trips over them.
//!
//! Many projects keep shaders that become WGSL only after a preprocessor ran. Their markers are
//! characters that WGSL does not use outside comments (`#`, `$`, `{%`), braces that enclose no
//! statement (`{{ name }}`, `({name})`), or WESL's imports and conditional attributes. Comments never count.

use super::error::SourceError;
use super::file::SourceFile;
use super::lexer::{self, Token, TokenKind};

const PREPROCESSOR: &str =
    "expand the preprocessor directives first and pass the WGSL that your engine compiles";
const PLACEHOLDER: &str = "expand it first: pass the WGSL text that your program generates";
const IMPORT: &str = "link the modules first and pass the WGSL that comes out";

/// Fails at the first template marker in `file`; `tokens` are its tokens without comments.
pub(super) fn refuse_templates(file: &SourceFile, tokens: &[Token]) -> Result<(), SourceError> {
    for index in 0..tokens.len() {
        let Some((length, way_out)) = marker(&file.text, tokens, index) else {
            continue;
        };
        let Some(first) = tokens.get(index) else {
            continue;
        };
        let span = first.range.start..first.range.start + length;
        let (line, column) = file.line_column(span.start);
        return Err(SourceError::Template {
            marker: file.text.get(span.clone()).unwrap_or_default().to_owned(),
            span,
            line,
            column,
            way_out,
        });
    }
    Ok(())
}

/// Length in bytes of the marker that starts at token `index`, with the way out.
fn marker(text: &str, tokens: &[Token], index: usize) -> Option<(usize, &'static str)> {
    let token = tokens.get(index)?;
    let rest = text.get(token.range.start..)?;
    match token.kind {
        TokenKind::Unknown('#') => Some(hash_marker(rest)),
        TokenKind::Unknown('$') => Some((if rest.starts_with("${") { 2 } else { 1 }, PLACEHOLDER)),
        TokenKind::Punctuation('{' | '<') if rest.get(1..2) == Some("%") => Some((2, PLACEHOLDER)),
        TokenKind::Punctuation('{') if encloses_placeholder(rest) => Some((2, PLACEHOLDER)),
        TokenKind::Punctuation('{') => {
            let length = value_in_braces(tokens, index)?;
            Some((length, PLACEHOLDER))
        }
        TokenKind::Word => import_marker(text, tokens, index),
        TokenKind::Punctuation('@') => {
            let next = tokens.get(index + 1)?;
            let word = next.text(text);
            matches!(word, "if" | "elif" | "else")
                .then(|| (next.range.end - token.range.start, PREPROCESSOR))
        }
        _ => None,
    }
}

/// `#{NAME}`, `#ifdef`, or a bare `#`.
fn hash_marker(rest: &str) -> (usize, &'static str) {
    if rest.starts_with("#{") {
        let end = rest.find(|character: char| character == '}' || character.is_whitespace());
        let closed = end.filter(|&end| rest[end..].starts_with('}'));
        return (closed.map_or(2, |end| end + 1), PLACEHOLDER);
    }
    let word = rest
        .bytes()
        .skip(1)
        .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        .count();
    (word + 1, PREPROCESSOR)
}

/// Whether `{{ … }}` at the start of `rest` cannot be nested blocks: its inside is not empty and holds
/// neither a statement's `;` nor another brace, or it starts like a block helper.
fn encloses_placeholder(rest: &str) -> bool {
    let inside = rest.trim_start_matches('{');
    if rest.len() - inside.len() < 2 {
        return false;
    }
    if inside.starts_with('#') {
        return true;
    }
    let Some(end) = inside.find(['{', '}', ';']) else {
        return false;
    };
    let (content, after) = inside.split_at(end);
    after.starts_with("}}") && lexer::tokens(content).any(|token| !token.is_comment())
}

/// Length of `{name}` where a value should stand: after an opening parenthesis, a comma, or an operator.
fn value_in_braces(tokens: &[Token], index: usize) -> Option<usize> {
    let before = tokens.get(index.checked_sub(1)?)?;
    let wants_value = ['(', '[', ',', '=', '<', '+', '-', '*', '/', '%']
        .into_iter()
        .any(|punctuation| before.is(punctuation));
    let (open, name, close) = (
        tokens.get(index)?,
        tokens.get(index + 1)?,
        tokens.get(index + 2)?,
    );
    (wants_value && name.kind == TokenKind::Word && close.is('}'))
        .then(|| close.range.end - open.range.start)
}

/// WESL's `import package::module::item;` at module scope.
fn import_marker(text: &str, tokens: &[Token], index: usize) -> Option<(usize, &'static str)> {
    let token = tokens.get(index)?;
    let starts_item = match index.checked_sub(1).and_then(|before| tokens.get(before)) {
        None => true,
        Some(before) => before.is(';') || before.is('}'),
    };
    let next = tokens.get(index + 1)?;
    (starts_item && token.text(text) == "import" && next.kind == TokenKind::Word)
        .then(|| (token.range.len(), IMPORT))
}
