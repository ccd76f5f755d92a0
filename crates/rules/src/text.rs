//! Numbers as messages show them: units, three digits, no clamping.
//!
//! Start at [`bytes`].

/// A number of bytes: exact with separators below 100,000, else in decimal units.
pub(crate) fn bytes(amount: f64) -> String {
    const UNITS: [(&str, f64); 4] = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    if amount < 1e5 {
        return format!("{} B", number(amount));
    }
    let (unit, size) = UNITS
        .into_iter()
        .find(|&(_, size)| amount >= size)
        .unwrap_or(("kB", 1e3));
    format!("{} {unit}", digits(amount / size))
}

/// A time in the unit that leaves it between 1 and 1000.
pub(crate) fn seconds(amount: f64) -> String {
    const UNITS: [(&str, f64); 3] = [("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)];
    let (unit, size) = UNITS
        .into_iter()
        .find(|&(_, size)| amount >= size)
        .unwrap_or(("ns", 1e-9));
    format!("{} {unit}", digits(amount / size))
}

/// A ratio, as `1.00×`, `2.6×` or `32×`.
pub(crate) fn times(ratio: f64) -> String {
    if ratio < 2.0 {
        format!("{ratio:.2}×")
    } else {
        format!("{}×", digits(ratio))
    }
}

/// A fraction as a percentage with one decimal at most.
pub(crate) fn percent(fraction: f64) -> String {
    format!("{} %", one_decimal(fraction * 100.0))
}

/// A mean: with one decimal where it has one.
pub(crate) fn number(amount: f64) -> String {
    let text = one_decimal(amount);
    match text.split_once('.') {
        Some((whole, decimals)) => format!("{}.{decimals}", grouped(whole)),
        None => grouped(&text),
    }
}

/// A count with separators.
pub(crate) fn count(amount: u64) -> String {
    grouped(&amount.to_string())
}

/// `1 transaction`, `2 transactions`.
pub(crate) fn plural(amount: f64, noun: &str) -> String {
    let text = number(amount);
    let ending = match noun.ends_with('s') {
        _ if text == "1" => "",
        true => "es",
        false => "s",
    };
    format!("{text} {noun}{ending}")
}

/// Three significant digits, of small numbers too: `0.0833`, `25`.
pub(crate) fn significant(amount: f64) -> String {
    if amount >= 1.0 || amount <= 0.0 {
        return digits(amount);
    }
    // two digits after the first that is not zero
    let decimals = (2.0 - amount.log10().floor()).min(12.0) as usize;
    let text = format!("{amount:.decimals$}");
    text.trim_end_matches('0').to_owned()
}

/// Three significant digits, without trailing zeros.
fn digits(amount: f64) -> String {
    let text = match amount {
        amount if amount >= 100.0 => return number(amount.round()),
        amount if amount >= 10.0 => format!("{amount:.1}"),
        _ => format!("{amount:.2}"),
    };
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn one_decimal(amount: f64) -> String {
    let text = format!("{amount:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn grouped(digits: &str) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    };
    let mut text = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_carry_their_units() {
        assert_eq!(bytes(16_384.0), "16,384 B");
        assert_eq!(bytes(2_147_483_648.0), "2.15 GB");
        assert_eq!(seconds(0.005_37), "5.37 ms");
        assert_eq!(seconds(2e-8), "20 ns");
        assert_eq!(percent(1.0 / 32.0), "3.1 %");
        assert_eq!(percent(1.18), "118 %");
        assert_eq!(times(1.0), "1.00×");
        assert_eq!(times(32.0), "32×");
        assert_eq!(times(3.4), "3.4×");
        assert_eq!(number(1.97), "2");
        assert_eq!(number(-1234.5), "-1,234.5");
        assert_eq!(count(65_535), "65,535");
        assert_eq!(plural(1.0, "transaction"), "1 transaction");
        assert_eq!(plural(1.5, "transaction"), "1.5 transactions");
    }
}
