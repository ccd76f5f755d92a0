//! Changing source text by token span.
//!
//! [`mask`] blanks ranges without moving anything, so spans of the masked text are spans of the
//! original. [`apply`] replaces ranges; spans of its result are not spans of the original, so whoever
//! rewrites for an experiment measures the new text and reports on the old.

use std::ops::Range;

/// A replacement of a byte range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub range: Range<usize>,
    /// What comes in their place.
    pub replacement: String,
}

/// Why edits cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// A range is reversed, outside the text, or cuts a character.
    #[error("bytes {}..{} are not a range of the text", .0.start, .0.end)]
    NotARange(Range<usize>),
    /// Two edits change the same bytes.
    #[error("two edits overlap at byte {0}")]
    Overlap(usize),
}

/// Blanks the ranges with spaces, byte for byte; line breaks stay. Ranges outside the text, or that
/// cut a character, are left alone.
pub fn mask(text: &str, ranges: &[Range<usize>]) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut ranges: Vec<_> = ranges.to_vec();
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut position = 0;
    for range in ranges {
        let start = range.start.max(position);
        let (Some(kept), Some(blanked)) = (text.get(position..start), text.get(start..range.end))
        else {
            continue;
        };
        masked.push_str(kept);
        for character in blanked.chars() {
            match character {
                '\n' | '\r' => masked.push(character),
                _ => masked.extend(std::iter::repeat_n(' ', character.len_utf8())),
            }
        }
        position = range.end;
    }
    masked.push_str(text.get(position..).unwrap_or_default());
    masked
}

/// Applies edits, given in any order; insertions at one place keep the order they are given in.
///
/// # Errors
///
/// A range that is not one of the text, or two that overlap.
pub fn apply(text: &str, edits: &[Edit]) -> Result<String, RewriteError> {
    let mut ordered: Vec<&Edit> = edits.iter().collect();
    ordered.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut result = String::with_capacity(text.len());
    let mut position = 0;
    for edit in ordered {
        if text.get(edit.range.clone()).is_none() {
            return Err(RewriteError::NotARange(edit.range.clone()));
        }
        let kept = text
            .get(position..edit.range.start)
            .ok_or(RewriteError::Overlap(edit.range.start))?;
        result.push_str(kept);
        result.push_str(&edit.replacement);
        position = edit.range.end;
    }
    result.push_str(text.get(position..).unwrap_or_default());
    Ok(result)
}
