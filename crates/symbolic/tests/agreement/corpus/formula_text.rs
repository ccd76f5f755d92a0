//! Formulas as text, up to the order of terms and factors.

/// A formula with terms, factors and the operands of `min` and `max` in alphabetical order: which come
/// first is of no importance.
pub(super) fn ordered(formula: &str) -> String {
    let mut terms = Vec::new();
    for (index, term) in outermost(formula, " + ").into_iter().enumerate() {
        for (part, negated) in outermost(term, " - ").into_iter().zip(0..) {
            let mut factors: Vec<String> = outermost(part.trim_start_matches('-'), "*")
                .into_iter()
                .map(ordered_factor)
                .collect();
            factors.sort_unstable();
            let minus = negated > 0 || (index == 0 && part.starts_with('-'));
            let sign = if minus { '-' } else { '+' };
            terms.push(format!("{sign} {}", factors.join("*")));
        }
    }
    terms.sort_unstable();
    terms.join(" ")
}

fn ordered_factor(factor: &str) -> String {
    let Some(open) = factor.find(['(', '[']) else {
        return factor.to_owned();
    };
    let Some(close) = factor.rfind([')', ']']) else {
        return factor.to_owned();
    };
    let mut operands: Vec<String> = outermost(&factor[open + 1..close], ", ")
        .into_iter()
        .map(ordered)
        .collect();
    if matches!(&factor[..open], "min" | "max") {
        operands.sort_unstable();
    }
    let (before, after) = (&factor[..=open], &factor[close..]);
    format!("{before}{}{after}", operands.join(", "))
}

/// The parts of a text between separators that are in no brackets.
fn outermost<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && at >= start && text[at..].starts_with(separator) {
            parts.push(&text[start..at]);
            start = at + separator.len();
        }
    }
    parts.push(&text[start..]);
    parts
}
