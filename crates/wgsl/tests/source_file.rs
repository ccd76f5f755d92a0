//! Files: encodings, empty files, lines and columns.

use cresta_wgsl::source::{SourceError, SourceFile, parse};

#[test]
fn lines_and_columns_count_characters_from_one() {
    // Bytes: a0 é1-2 b3 \n4 🦀5-8 c9 \r10 \n11 d12 \r13 e14
    let file = SourceFile::new("f", "aéb\n🦀c\r\nd\re");
    let expected = [
        (0, (1, 1)),
        (1, (1, 2)),
        (2, (1, 2)), // inside é
        (3, (1, 3)),
        (4, (1, 4)),
        (5, (2, 1)),
        (7, (2, 1)), // inside the crab
        (9, (2, 2)),
        (12, (3, 1)),
        (14, (4, 1)),
        (15, (4, 2)),
        (99, (4, 2)), // past the end: after the last character
    ];
    for (offset, place) in expected {
        assert_eq!(file.line_column(offset), place, "offset {offset}");
    }
    assert_eq!(file.line_count(), 4);
    assert_eq!(file.line_range(2), Some(5..10));
    assert_eq!(file.line_range(4), Some(14..15));
    assert_eq!(file.line_range(0), None);
    assert_eq!(file.line_range(5), None);
}

#[test]
fn line_lookup_agrees_with_a_walk_over_the_text() {
    let text = "ñandú\r\n\r\n\u{2028}x\r\r\nαβγ 𝔘\n";
    let file = SourceFile::new("f", text);
    let (mut line, mut column) = (1, 1);
    let mut previous = ' ';
    for (offset, character) in text.char_indices() {
        let ends_line = previous == '\n' || (previous == '\r' && character != '\n');
        if ends_line {
            line += 1;
            column = 1;
        }
        assert_eq!(file.line_column(offset), (line, column), "offset {offset}");
        column += 1;
        previous = character;
    }
}

#[test]
fn bytes_that_are_not_utf8_name_the_place_and_a_way_out() {
    let error = SourceFile::from_bytes("f.wgsl", b"// one\n// caf\xe9\n".to_vec()).unwrap_err();
    let SourceError::Encoding {
        offset,
        line,
        way_out,
    } = &error
    else {
        panic!("{error:?}");
    };
    assert_eq!((*offset, *line), (13, 2));
    assert!(way_out.contains("UTF-8"), "{way_out}");
    assert!(error.to_string().contains("byte 13 (line 2)"), "{error}");
}

#[test]
fn utf16_and_binaries_are_recognised() {
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("fn f() {}".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let error = SourceFile::from_bytes("f", utf16).unwrap_err();
    assert!(error.to_string().contains("UTF-16"), "{error}");
    let error = SourceFile::from_bytes("f", vec![0x7f, b'E', b'L', b'F', 0, 0xff]).unwrap_err();
    assert!(error.to_string().contains("binary"), "{error}");
}

#[test]
fn files_without_a_program_say_so() {
    let comments = "  // nothing\n/* here /* nested */ */\n";
    for (text, comments_only) in [("", false), (" \r\n\t", false), (comments, true)] {
        let expected = SourceError::Empty { comments_only };
        let error = SourceFile::from_bytes("f", text.as_bytes().to_vec()).unwrap_err();
        assert_eq!(error, expected);
        assert_eq!(parse(&SourceFile::new("f", text)).unwrap_err(), expected);
    }
    // An unclosed comment is naga's to report, with a span.
    let open = parse(&SourceFile::new("f", "/* open")).unwrap_err();
    assert_eq!(open.code(), "source-parse");
    assert_eq!(open.primary_span().map(|span| span.start), Some(0));
}

#[test]
fn a_byte_order_mark_is_noted_and_moves_nothing() {
    let file = SourceFile::new(
        "f",
        "\u{feff}@compute @workgroup_size(1) fn main() { let x = 1; }",
    );
    assert!(file.text.starts_with("@compute"));
    let parsed = parse(&file).unwrap();
    let codes: Vec<_> = parsed.portability.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["portability-byte-order-mark"]);
}

#[test]
fn weird_bytes_give_errors_with_a_place() {
    for text in [
        "@compute @workgroup_size(1) fn main() {\0}",
        "@compute @workgroup_size(1) fn main() {\u{1b}[31m}",
        "\u{200b}@compute @workgroup_size(1) fn main() {}",
        "fn \u{202e}f() {}",
        "@",
        "}",
        "fn f(",
        "/* /* */",
        "0x",
        "\u{fffd}",
    ] {
        let error = parse(&SourceFile::new("f", text)).unwrap_err();
        assert_eq!(error.code(), "source-parse", "{text:?}");
        let span = error
            .primary_span()
            .unwrap_or_else(|| panic!("{text:?}: {error:?}"));
        assert!(span.end <= text.len(), "{text:?}: {span:?}");
    }
}

#[test]
fn carriage_returns_and_unicode_names_parse() {
    let text = "const \u{3b1}_größe = 4;\r\n\r\n@compute @workgroup_size(\u{3b1}_größe)\r\nfn main() {\r\n}\r\n";
    let parsed = parse(&SourceFile::new("f", text)).unwrap();
    assert_eq!(parsed.module.entry_points[0].workgroup_size, [4, 1, 1]);
    assert!(parsed.rewritten.is_none());
}

/// A hundred thousand lines take time in proportion to ten thousand. Functions of a hundred lines:
/// naga itself takes quadratic time in the length of one function and in the number of functions.
#[test]
fn a_hundred_thousand_lines_parse() {
    fn program(functions: usize) -> String {
        let mut text = String::from(
            "enable f16, subgroups;\n@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n",
        );
        for index in 0..functions {
            text +=
                &format!("fn work{index}(i: u32, p: ptr<storage, array<f32>, read_write>) {{\n");
            for line in 0..49 {
                text += &format!("  // é {{{{ x }}}}\n  (*p)[i + {line}u] += a[i] * {index}.0;\n");
            }
            text += "}\n";
        }
        text += "@compute @workgroup_size(1) fn main() {\n";
        for index in 0..functions {
            text += &format!("  work{index}({index}u, &a);\n");
        }
        text + "}\n"
    }
    let check = |functions: usize| {
        let text = program(functions);
        let file = SourceFile::from_bytes("f", text.into_bytes()).unwrap();
        assert!(file.line_count() as usize > functions * 100);
        let parsed = parse(&file).unwrap();
        assert_eq!(parsed.portability.len(), functions + 1);
        for (index, note) in parsed.portability.iter().enumerate().skip(1) {
            let (line, column) = file.line_column(note.span.start);
            assert_eq!(line as usize, 3 + (index - 1) * 100);
            assert_eq!(
                column as usize,
                format!("fn work{}(i: u32, p", index - 1).len()
            );
        }
    };
    check(1_000);
}
