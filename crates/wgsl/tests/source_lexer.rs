//! The light lexer, masking and rewriting.

use cresta_wgsl::source::lexer::{TokenKind, significant_tokens, tokens};
use cresta_wgsl::source::rewrite::{Edit, RewriteError, apply, mask};
use proptest::prelude::*;

fn texts(source: &str) -> Vec<&str> {
    significant_tokens(source)
        .iter()
        .map(|token| token.text(source))
        .collect()
}

#[test]
fn words_numbers_and_punctuation() {
    assert_eq!(
        texts("let größe_1 = a.x + 1.5e-3f-0x1.8p+4;"),
        [
            "let",
            "größe_1",
            "=",
            "a",
            ".",
            "x",
            "+",
            "1.5e-3f",
            "-",
            "0x1.8p+4",
            ";"
        ]
    );
    // An `e` is a digit in hexadecimal, so the sign is an operator.
    assert_eq!(texts("0x1e+2"), ["0x1e", "+", "2"]);
    assert_eq!(texts(".5h 1. 7u-1i"), [".5h", "1.", "7u", "-", "1i"]);
    assert_eq!(texts("a[0].x"), ["a", "[", "0", "]", ".", "x"]);
    assert_eq!(
        texts("array<vec2<f32>>"),
        ["array", "<", "vec2", "<", "f32", ">", ">"]
    );
}

#[test]
fn comments_nest_and_end_at_every_line_break_of_wgsl() {
    let kinds = |text: &str| tokens(text).map(|token| token.kind).collect::<Vec<_>>();
    assert_eq!(
        kinds("/* a /* b */ // */ x"),
        [TokenKind::BlockComment { closed: true }, TokenKind::Word]
    );
    assert_eq!(
        kinds("/* a /* b */"),
        [TokenKind::BlockComment { closed: false }]
    );
    for line_break in [
        "\n", "\r", "\r\n", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}",
    ] {
        let text = format!("// a{line_break}x");
        assert_eq!(
            kinds(&text),
            [TokenKind::LineComment, TokenKind::Word],
            "{line_break:?}"
        );
    }
    assert_eq!(texts("a/b /c"), ["a", "/", "b", "/", "c"]);
}

#[test]
fn masking_keeps_bytes_and_line_breaks() {
    let text = "ab é\r\ncd";
    let masked = mask(text, &[3..7, 0..1, 100..200, 4..5]);
    assert_eq!(masked, " b   \r\ncd");
    assert_eq!(masked.len(), text.len());
}

#[test]
fn edits_apply_in_text_order_and_refuse_overlaps() {
    let edit = |range: std::ops::Range<usize>, replacement: &str| Edit {
        range,
        replacement: replacement.to_owned(),
    };
    let text = "let T = 16;";
    assert_eq!(
        apply(
            text,
            &[edit(8..10, "32"), edit(0..3, "const"), edit(11..11, "\n")]
        )
        .unwrap(),
        "const T = 32;\n"
    );
    assert_eq!(
        apply(text, &[edit(0..5, ""), edit(4..6, "")]),
        Err(RewriteError::Overlap(4))
    );
    assert_eq!(
        apply(text, &[edit(9..99, "")]),
        Err(RewriteError::NotARange(9..99))
    );
    assert_eq!(
        apply("é", &[edit(1..2, "")]),
        Err(RewriteError::NotARange(1..2))
    );
}

proptest! {
    #[test]
    fn tokens_and_blanks_cover_any_text(text in any::<String>()) {
        let mut position = 0;
        for token in tokens(&text) {
            prop_assert!(token.range.start >= position && token.range.end > token.range.start);
            let gap = text.get(position..token.range.start).unwrap();
            let blank = |c: char| c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}');
            prop_assert!(gap.chars().all(blank), "{gap:?}");
            position = token.range.end;
        }
        let tail = text.get(position..).unwrap();
        prop_assert!(tokens(tail).next().is_none());
    }

    #[test]
    fn masking_never_changes_the_length(text in any::<String>(), start in 0_usize..40, length in 0_usize..40) {
        let range = start..start + length;
        prop_assert_eq!(mask(&text, std::slice::from_ref(&range)).len(), text.len());
    }
}
