//! A light lexer of WGSL: enough to find and rewrite parts of the text by token.
//!
//! It knows words, numbers, single punctuation characters, and comments (block comments nest); WGSL
//! has no strings. It does not tell operators of several characters or template brackets apart:
//! whoever needs `->` looks at two neighbouring tokens. Invariants: tokens come in order, do not
//! overlap, and together with white space cover every byte; no input makes the lexer fail.
//! Start at [`tokens`].

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier, a keyword or a reserved word.
    Word,
    /// A numeric literal with its suffix.
    Number,
    /// One character of ASCII punctuation that WGSL uses.
    Punctuation(char),
    /// `// …` up to its line break.
    LineComment,
    /// `/* … */`, nested comments included.
    BlockComment {
        /// False when the text ends inside the comment.
        closed: bool,
    },
    /// A character with no meaning in WGSL outside comments, such as `#` or `$`.
    Unknown(char),
}

/// A token and the bytes that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Byte range in the text.
    pub range: Range<usize>,
}

impl Token {
    /// Whether this is a comment.
    pub fn is_comment(&self) -> bool {
        matches!(
            self.kind,
            TokenKind::LineComment | TokenKind::BlockComment { .. }
        )
    }

    /// Whether this is the punctuation character `character`.
    pub fn is(&self, character: char) -> bool {
        self.kind == TokenKind::Punctuation(character)
    }

    /// The token's text, where `text` is what was lexed.
    pub fn text<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.range.clone()).unwrap_or_default()
    }
}

/// Iterates over the tokens of `text`, comments included.
pub fn tokens(text: &str) -> Tokens<'_> {
    Tokens { text, position: 0 }
}

/// The tokens of `text` without comments.
pub fn significant_tokens(text: &str) -> Vec<Token> {
    tokens(text).filter(|token| !token.is_comment()).collect()
}

/// Iterator that [`tokens`] returns.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    text: &'a str,
    position: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text.get(self.position..)?;
        let start = self.position + (rest.len() - rest.trim_start_matches(is_blank).len());
        let rest = self.text.get(start..)?;
        let first = rest.chars().next()?;
        let (kind, length) = scan(rest, first);
        self.position = start + length;
        Some(Token {
            kind,
            range: start..self.position,
        })
    }
}

fn scan(rest: &str, first: char) -> (TokenKind, usize) {
    let after_dot = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    match first {
        '/' if rest.starts_with("//") => (
            TokenKind::LineComment,
            rest.find(is_line_break).unwrap_or(rest.len()),
        ),
        '/' if rest.starts_with("/*") => scan_block_comment(rest),
        '0'..='9' => (TokenKind::Number, number_length(rest)),
        '.' if after_dot => (TokenKind::Number, number_length(rest)),
        _ if is_word_start(first) => (
            TokenKind::Word,
            rest.find(|character| !is_word_part(character))
                .unwrap_or(rest.len()),
        ),
        '!' | '%' | '&' | '(' | ')' | '*' | '+' | ',' | '-' | '.' | '/' | ':' | ';' | '<' | '='
        | '>' | '@' | '[' | ']' | '^' | '{' | '|' | '}' | '~' => {
            (TokenKind::Punctuation(first), first.len_utf8())
        }
        _ => (TokenKind::Unknown(first), first.len_utf8()),
    }
}

fn scan_block_comment(rest: &str) -> (TokenKind, usize) {
    let bytes = rest.as_bytes();
    let mut depth = 0_usize;
    let mut position = 0;
    while position + 1 < bytes.len() {
        match bytes.get(position..position + 2) {
            Some(b"/*") => {
                depth += 1;
                position += 2;
            }
            Some(b"*/") => {
                depth -= 1;
                position += 2;
                if depth == 0 {
                    return (TokenKind::BlockComment { closed: true }, position);
                }
            }
            _ => position += 1,
        }
    }
    (TokenKind::BlockComment { closed: false }, rest.len())
}

/// Length of a numeric literal: digits, letters and dots, and a sign after an exponent letter.
fn number_length(rest: &str) -> usize {
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let exponents: &[u8] = if hexadecimal { b"pP" } else { b"eE" };
    let mut previous = 0;
    let mut dots = 0;
    for (index, &byte) in rest.as_bytes().iter().enumerate() {
        let part = match byte {
            b'.' => {
                dots += 1;
                dots == 1
            }
            b'+' | b'-' => exponents.contains(&previous),
            _ => byte.is_ascii_alphanumeric(),
        };
        if !part {
            return index;
        }
        previous = byte;
    }
    rest.len()
}

/// WGSL's white space: Unicode's `Pattern_White_Space`.
fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{200e}' | '\u{200f}') || is_line_break(character)
}

/// The characters that end a line comment in WGSL.
fn is_line_break(character: char) -> bool {
    matches!(character, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

fn is_word_start(character: char) -> bool {
    character == '_' || unicode_ident::is_xid_start(character)
}

fn is_word_part(character: char) -> bool {
    unicode_ident::is_xid_continue(character)
}
