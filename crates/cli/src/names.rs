//! Names that nothing analysed knows, with the names that were probably meant, and values that their
//! types do not have.

use std::collections::BTreeMap;

use cresta_analysis::ValueType;

/// Similarity, 0–1, from which a name is suggested: two or three wrong letters.
const SIMILAR: f64 = 0.6;
/// How many names are suggested, or listed where none is similar.
const MOST: usize = 3;

/// What to say of `name`, given by `flag`, when none of `known` is it; none when one is.
pub(crate) fn unknown<'a>(
    flag: &str,
    name: &str,
    known: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    if known.contains(&name) {
        return None;
    }
    Some(format!(
        "{flag} {name}: no kernel has this name; {}",
        way_out(name, &known)
    ))
}

/// What to say of the names and values that `flag` gives.
pub(crate) fn complaints(
    flag: &str,
    given: &BTreeMap<String, f64>,
    known: &BTreeMap<String, ValueType>,
) -> Vec<String> {
    let complaint = |(name, &value): (&String, &f64)| match known.get(name) {
        None => unknown(flag, name, known.keys().map(String::as_str)),
        Some(ty) if ty.accepts(value) => None,
        Some(ty) => Some(format!(
            "{flag} {name}={}: `{name}` is {}, {}",
            as_given(value),
            ty.name(),
            ty.range()
        )),
    };
    given.iter().filter_map(complaint).collect()
}

/// The value without the `.0` of whole numbers, and with an exponent where it is long.
fn as_given(value: f64) -> String {
    let text = format!("{value:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn way_out(name: &str, known: &[&str]) -> String {
    let near = near(name, known);
    if !near.is_empty() {
        return format!("did you mean {}?", quoted(&near, " or "));
    }
    if known.is_empty() {
        return "there is none that can be given".to_owned();
    }
    let shown = known.get(..MOST.min(known.len())).unwrap_or_default();
    let rest = known.len() - shown.len();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("known: {}{more}", quoted(shown, ", "))
}

/// The most similar names, best first. A name that agrees after its last dot is near: `K` for `d.K`.
fn near<'a>(name: &str, known: &[&'a str]) -> Vec<&'a str> {
    let lower = name.to_lowercase();
    let last = |text: &str| text.rsplit('.').next().unwrap_or(text).to_owned();
    let mut ranked: Vec<(f64, &str)> = known
        .iter()
        .map(|&candidate| {
            let other = candidate.to_lowercase();
            let whole = strsim::normalized_damerau_levenshtein(&lower, &other);
            let same_end = last(&lower) == last(&other);
            (if same_end { whole.max(0.9) } else { whole }, candidate)
        })
        .filter(|&(similarity, _)| similarity >= SIMILAR)
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    ranked
        .into_iter()
        .take(MOST)
        .map(|(_, candidate)| candidate)
        .collect()
}

fn quoted(names: &[&str], separator: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["d.M", "d.N", "d.K", "params.width"];

    fn said(name: &str) -> Option<String> {
        unknown("--set", name, KNOWN.into_iter())
    }

    #[test]
    fn a_known_name_is_fine() {
        assert_eq!(said("d.K"), None);
    }

    /// One letter is missing from `params.width`.
    #[test]
    fn a_misspelt_name_is_suggested() {
        let text = said("params.widh").unwrap_or_default();
        assert!(text.contains("did you mean `params.width`?"), "{text}");
    }

    #[test]
    fn a_member_without_its_variable_is_suggested() {
        let text = said("K").unwrap_or_default();
        assert!(text.contains("`d.K`"), "{text}");
    }

    #[test]
    fn known_names_are_listed_where_none_is_near() {
        let text = said("zzzzzzzz").unwrap_or_default();
        assert!(
            text.contains("known: `d.K`, `d.M`, `d.N` and 1 more"),
            "{text}"
        );
    }

    /// A value out of range is refused with the type and what it takes.
    #[test]
    fn a_value_that_the_type_does_not_have_is_refused() {
        let known = BTreeMap::from([("taken@3:5".to_owned(), ValueType::Fraction)]);
        let said = |value| {
            let given = BTreeMap::from([("taken@3:5".to_owned(), value)]);
            complaints("--set", &given, &known)
        };
        assert!(said(0.5).is_empty());
        assert_eq!(
            said(1.5),
            ["--set taken@3:5=1.5: `taken@3:5` is a fraction of lanes, a number from 0 to 1"]
        );
    }

    #[test]
    fn nothing_can_be_given_where_nothing_is_known() {
        let text = unknown("--len", "A", std::iter::empty()).unwrap_or_default();
        assert!(text.contains("there is none"), "{text}");
    }
}
