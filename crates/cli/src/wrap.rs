//! Text in lines of at most 80 columns.

use cresta_report::text::wrap;

/// Columns of a line.
pub(crate) const WIDTH: usize = 80;

/// The words of `text` after `first`, in lines of which all but the first begin with `hanging` spaces.
/// A word that is longer than a line keeps one of its own.
pub(crate) fn wrapped(first: &str, hanging: usize, text: &str) -> String {
    let width = WIDTH.saturating_sub(first.chars().count());
    let lines = wrap(text, width, WIDTH.saturating_sub(hanging));
    format!(
        "{first}{}",
        lines.join(&format!("\n{}", " ".repeat(hanging)))
    )
}

/// Markdown with its paragraphs and list items wrapped again; code stays as it is.
pub(crate) fn markdown(text: &str) -> String {
    let mut lines = Vec::new();
    let mut paragraph = String::new();
    let mut in_code = false;
    for line in text.lines() {
        let fence = line.starts_with("```");
        let item = line.starts_with("- ");
        let verbatim = in_code || fence || line.is_empty() || line.starts_with('#');
        if verbatim || item {
            finish(&mut paragraph, &mut lines);
        }
        if verbatim {
            lines.push(line.to_owned());
        } else {
            paragraph.push(' ');
            paragraph.push_str(line);
        }
        in_code ^= fence;
    }
    finish(&mut paragraph, &mut lines);
    lines.join("\n")
}

fn finish(paragraph: &mut String, lines: &mut Vec<String>) {
    let text = std::mem::take(paragraph);
    match text.trim().strip_prefix("- ") {
        Some(item) => lines.push(wrapped("- ", 2, item)),
        None if text.is_empty() => {}
        None => lines.push(wrapped("", 0, &text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_wrap_and_code_does_not() {
        let long = "word ".repeat(30);
        let text = format!("# T\n\n{long}\n- {long}\n```wgsl\n{long}\n```");
        let wrapped = markdown(&text);
        let over: Vec<&str> = wrapped.lines().filter(|line| line.len() > WIDTH).collect();
        assert_eq!(over, [long.as_str()]);
        assert!(wrapped.contains("\n- word") && wrapped.contains("\n  word"));
        assert_eq!(
            wrapped.split_whitespace().count(),
            text.split_whitespace().count()
        );
    }
}
