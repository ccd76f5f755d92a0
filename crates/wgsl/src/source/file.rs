//! A source file: its name, its text, and the way from a byte offset to a line and a column.
//!
//! Invariants: the text is UTF-8 without a byte-order mark; the line index is built once, from the
//! text as it was then, so the text of a [`SourceFile`] is not to be changed in place.

use std::ops::Range;

use super::error::SourceError;
use super::lexer::{TokenKind, tokens};

const UTF8_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Source text with a name that a person recognises, usually its path.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Name for reports.
    pub name: String,
    /// The text, without a byte-order mark. Spans are byte ranges of it.
    pub text: String,
    lines: LineIndex,
    byte_order_mark: bool,
}

impl SourceFile {
    /// Wraps text that is already known to be UTF-8.
    ///
    /// A leading byte-order mark is taken off; [`SourceFile::had_byte_order_mark`] remembers it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        let byte_order_mark = text.starts_with('\u{feff}');
        if byte_order_mark {
            text.drain(..UTF8_MARK.len());
        }
        let lines = LineIndex::new(&text);
        Self {
            name: name.into(),
            text,
            lines,
            byte_order_mark,
        }
    }

    /// Reads the bytes of a file as text that holds a program.
    ///
    /// # Errors
    ///
    /// [`SourceError::Encoding`] for bytes that are not UTF-8, [`SourceError::Empty`] for text with
    /// nothing but white space and comments.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, SourceError> {
        let text = String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            not_utf8(error.as_bytes(), offset)
        })?;
        let file = Self::new(name, text);
        file.require_program()?;
        Ok(file)
    }

    /// Fails when the text is empty or holds only comments.
    pub(super) fn require_program(&self) -> Result<(), SourceError> {
        let mut comments_only = false;
        for token in tokens(&self.text) {
            match token.kind {
                TokenKind::LineComment | TokenKind::BlockComment { closed: true } => {
                    comments_only = true;
                }
                _ => return Ok(()),
            }
        }
        Err(SourceError::Empty { comments_only })
    }

    /// Whether the file began with a UTF-8 byte-order mark, which WGSL does not allow.
    pub fn had_byte_order_mark(&self) -> bool {
        self.byte_order_mark
    }

    /// Number of lines; a file that ends in a line break ends with an empty line.
    pub fn line_count(&self) -> u32 {
        as_u32(self.lines.starts.len())
    }

    /// The 1-based line and column of a byte offset; columns count characters.
    ///
    /// Lines end with a line feed, a carriage return, or both together. An offset inside a character
    /// gives that character's column, and one past the end gives the place after the last character.
    pub fn line_column(&self, byte_offset: usize) -> (u32, u32) {
        self.lines.line_column(byte_offset.min(self.text.len()))
    }

    /// The byte range of a 1-based line, without its line break; `None` if there is no such line.
    pub fn line_range(&self, line: u32) -> Option<Range<usize>> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *self.lines.starts.get(index)?;
        let end = self
            .lines
            .starts
            .get(index + 1)
            .copied()
            .unwrap_or(self.text.len());
        let line = self.text.get(start..end)?;
        Some(start..start + line.trim_end_matches(['\n', '\r']).len())
    }
}

fn not_utf8(bytes: &[u8], offset: usize) -> SourceError {
    let before = String::from_utf8_lossy(bytes.get(..offset).unwrap_or_default());
    let line = LineIndex::new(&before).line_column(before.len()).0;
    let way_out = if UTF16_MARKS.iter().any(|mark| bytes.starts_with(mark)) {
        "the file looks like UTF-16: save it as UTF-8"
    } else if bytes.contains(&0) {
        "the file looks binary: pass the shader's text, or SPIR-V that starts with its magic number"
    } else {
        "save the file as UTF-8, for example with `iconv -f LATIN1 -t UTF-8`"
    };
    SourceError::Encoding {
        offset,
        line,
        way_out,
    }
}

/// Where lines start, and where characters take more than one byte.
#[derive(Clone, Debug)]
struct LineIndex {
    starts: Vec<usize>,
    /// For each character of several bytes: the offset of its first byte, and the bytes beyond one
    /// a character up to and including it, counted from the start of the text.
    wide: Vec<(usize, usize)>,
}

impl LineIndex {
    fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        let mut wide = Vec::new();
        let mut surplus = 0;
        for (offset, &byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' => starts.push(offset + 1),
                b'\r' if bytes.get(offset + 1) != Some(&b'\n') => starts.push(offset + 1),
                0xc0.. => {
                    surplus += byte.leading_ones() as usize - 1;
                    wide.push((offset, surplus));
                }
                _ => {}
            }
        }
        Self { starts, wide }
    }

    fn line_column(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = line
            .checked_sub(1)
            .and_then(|index| self.starts.get(index))
            .copied()
            .unwrap_or(0);
        let column = self.characters_before(offset) - self.characters_before(start) + 1;
        (as_u32(line), as_u32(column))
    }

    /// Whole characters that end at or before `offset`.
    fn characters_before(&self, offset: usize) -> usize {
        let count = self.wide.partition_point(|&(start, _)| start < offset);
        let surplus_at = |index: usize| self.wide.get(index).map_or(0, |&(_, surplus)| surplus);
        let Some(last) = count.checked_sub(1) else {
            return offset;
        };
        let before_last = last.checked_sub(1).map_or(0, surplus_at);
        let first_byte = self.wide.get(last).map_or(0, |&(start, _)| start);
        let length = surplus_at(last) - before_last + 1;
        if offset < first_byte + length {
            first_byte - before_last
        } else {
            offset - surplus_at(last)
        }
    }
}

fn as_u32(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}
