//! Programs that nest too deeply are refused with a place instead of overflowing the stack; programs at
//! the browsers' limits parse on a test thread's two mebibytes of stack.

use cresta_wgsl::source::{SourceError, SourceFile, parse};

fn kernel(body: &str) -> SourceFile {
    let text = format!(
        "@group(0) @binding(0) var<storage, read_write> a: array<f32>;\n\
         @compute @workgroup_size(1) fn main() {{\n{body}\n}}\n"
    );
    SourceFile::new("f", text)
}

fn sum(terms: usize) -> String {
    format!("a[0] = {};", vec!["a[1]"; terms].join(" + "))
}

fn conjunction(terms: usize) -> String {
    format!(
        "if {} {{ a[0] = 1.0; }}",
        vec!["a[1] > 1.0"; terms].join(" && ")
    )
}

fn negations(count: usize) -> String {
    format!("a[0] = {}a[1];", "- ".repeat(count))
}

fn swizzles(count: usize) -> String {
    format!("a[0] = vec4f(a[1]){}.x;", ".xyzw".repeat(count))
}

fn calls(count: usize) -> String {
    format!("a[0] = {}a[1]{};", "abs(".repeat(count), ")".repeat(count))
}

fn chain(links: usize) -> String {
    let mut text = "if a[1] < 0.0 {}".to_owned();
    for link in 0..links {
        text += &format!(" else if a[1] < {link}.5 {{ a[0] = 1.0; }}");
    }
    text
}

#[test]
fn the_browsers_limits_pass() {
    for body in [
        sum(511),
        conjunction(511),
        negations(511),
        swizzles(511),
        chain(127),
    ] {
        if let Err(error) = parse(&kernel(&body)) {
            panic!("{:.60}: {error}", body);
        }
    }
}

/// At Cresta's own limits, with the stack of a test thread: just below 1024 operators, 256 links.
#[test]
fn the_own_limits_pass() {
    for body in [sum(1020), negations(1020), swizzles(1020), chain(256)] {
        if let Err(error) = parse(&kernel(&body)) {
            panic!("{body:.60}: {error}");
        }
    }
}

#[test]
fn beyond_the_limits_there_is_an_error_with_a_place() {
    let n = 20_000;
    for body in [sum(n), conjunction(n), negations(n), swizzles(n), chain(n)] {
        let error = parse(&kernel(&body)).unwrap_err();
        assert!(matches!(error, SourceError::Nesting(_)), "{error}");
        assert!(error.primary_span().is_some());
    }
    // naga limits brackets by itself, and below ours.
    for body in [
        calls(900),
        format!("{}{}", "{".repeat(200), "}".repeat(200)),
    ] {
        let error = parse(&kernel(&body)).unwrap_err();
        assert_eq!(error.code(), "source-parse", "{error}");
    }
}

/// Long is not deep: a table of many elements, and many statements.
#[test]
fn wide_programs_are_not_deep() {
    let table: Vec<String> = (0..4_000)
        .map(|index| format!("{index}.0 * 2.0 + 1.0"))
        .collect();
    let body = format!(
        "let table = array({});\n{}",
        table.join(", "),
        "a[0] += a[1] * 2.0;\n".repeat(5_000)
    );
    parse(&kernel(&body)).unwrap();
}

/// naga's time grows with the square of a function's length: minutes here.
#[test]
fn a_function_of_hundreds_of_thousands_of_tokens_is_refused_at_once() {
    // ten tokens each
    let error = parse(&kernel(&"a[0] = a[1];\n".repeat(60_000))).unwrap_err();
    assert!(matches!(error, SourceError::Nesting(_)), "{error}");
    assert!(error.to_string().contains("too long"), "{error}");
}

/// Many functions of a few tokens are none of many.
#[test]
fn a_long_file_of_short_functions_parses() {
    let functions: String = (0..6_000)
        .map(|index| format!("fn f{index}_() {{ {} }}\n", "a[0] = a[1];".repeat(6)))
        .collect();
    let kernel = kernel("f0_();");
    let text = format!("{}{functions}", kernel.text);
    parse(&SourceFile::new("f", text)).unwrap();
}
