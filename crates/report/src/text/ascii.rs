//! The page for terminals that show ASCII alone.
//!
//! Only the signs that renderers write are replaced; what comes from the person's source stays.

/// `text` with the renderers' own signs spelt in ASCII.
pub(super) fn transliterated(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '█' | '▉' | '▊' | '▋' | '▌' => plain.push('#'),
            '▍' | '▎' | '▏' => plain.push('|'),
            '×' => plain.push('x'),
            '·' => plain.push('*'),
            'µ' => plain.push('u'),
            '›' => plain.push('>'),
            '–' => plain.push('-'),
            '…' => plain.push_str("..."),
            '≤' => plain.push_str("<="),
            '≥' => plain.push_str(">="),
            '²' => plain.push_str("^2"),
            '³' => plain.push_str("^3"),
            other => plain.push(other),
        }
    }
    plain
}
