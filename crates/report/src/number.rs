//! Numbers for people: SI prefixes, three significant digits, and the word “unknown”.
//!
//! Nothing is clamped. Bytes take decimal prefixes (1 kB = 1000 B), as bandwidths do. Start at [`si`].

/// What stands for a value that nobody knows.
pub const UNKNOWN: &str = "unknown";

const PREFIXES: [(f64, &str); 11] = [
    (1e18, "E"),
    (1e15, "P"),
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
    (1e-12, "p"),
];

/// `value` with three significant digits and an SI prefix on `unit`: `2.71 ms`, `12.9 GB`.
///
/// A value with no prefix small or large enough is written with an exponent.
pub fn si(value: f64, unit: &str) -> String {
    if value == 0.0 {
        return format!("0 {unit}");
    }
    // The rounding can carry into the next prefix (999.6 ns is 1 µs), so it comes first.
    let rounded = rounded(value);
    let magnitude = rounded.abs();
    let prefix = PREFIXES
        .iter()
        .find(|(factor, _)| magnitude >= factor * 0.999_999)
        .filter(|(factor, _)| magnitude < factor * 1e3);
    match prefix {
        Some((factor, prefix)) => format!("{} {prefix}{unit}", plain(rounded / factor)),
        None => format!("{rounded:e} {unit}"),
    }
}

/// A time.
pub fn seconds(value: f64) -> String {
    si(value, "s")
}

/// A size or an amount of traffic. Below a kilobyte, whole bytes.
pub fn bytes(value: f64) -> String {
    si(value, "B")
}

/// A fraction as a percentage, `3.1 %`; above one it stays above one hundred.
pub fn percent(fraction: f64) -> String {
    let percent = fraction * 100.0;
    if percent.abs() >= 9.95 {
        format!("{} %", significant(percent))
    } else {
        format!("{} %", plain(two_digits(percent)))
    }
}

/// A ratio, `12×`, `2.70×`; three significant digits where they matter.
pub fn factor(value: f64) -> String {
    if value.abs() < 9.995 {
        format!("{value:.2}×")
    } else if value.abs() < 99.95 {
        format!("{value:.1}×")
    } else {
        format!("{}×", count(value))
    }
}

/// A count: whole below ten million with commas between thousands, else with a prefix; means keep
/// their fraction.
pub fn count(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 1e7 || (magnitude < 1e3 && value.fract() != 0.0) {
        return si(value, "").trim_end().to_owned();
    }
    whole(value)
}

/// A whole number with commas between thousands.
pub fn whole(value: f64) -> String {
    let digits = format!("{:.0}", value.abs());
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0.0 {
        format!("-{text}")
    } else {
        text
    }
}

/// An intensity, FLOP per byte.
pub fn intensity(flop_per_byte: f64) -> String {
    format!("{} FLOP/B", significant(flop_per_byte))
}

/// Three significant digits and no prefix.
pub fn significant(value: f64) -> String {
    plain(rounded(value))
}

/// `render` of the value, or “unknown”.
pub fn or_unknown(value: Option<f64>, render: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), render)
}

/// `16×16×1`.
pub fn extent(of: [u32; 3]) -> String {
    let [x, y, z] = of;
    format!("{x}×{y}×{z}")
}

/// Three significant digits.
fn rounded(value: f64) -> f64 {
    to_digits(value, 2)
}

fn two_digits(value: f64) -> f64 {
    to_digits(value, 1)
}

fn to_digits(value: f64, digits_after_first: usize) -> f64 {
    format!("{value:.digits_after_first$e}")
        .parse()
        .unwrap_or(value)
}

/// A rounded value without trailing zeros, free of the noise of binary fractions.
fn plain(rounded: f64) -> String {
    let magnitude = rounded.abs();
    let decimals = if magnitude == 0.0 {
        0
    } else {
        // Three significant digits need this many decimals; the exponent of an f64 fits an i32.
        (2.0 - magnitude.log10().floor()).clamp(0.0, 12.0) as usize
    };
    let text = format!("{rounded:.decimals$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three significant digits, the prefix that leaves one to three digits before the point.
    #[test]
    fn prefixes_follow_the_magnitude() {
        assert_eq!(seconds(2.7053e-3), "2.71 ms");
        assert_eq!(seconds(160e-6), "160 µs");
        assert_eq!(seconds(1.5), "1.5 s");
        assert_eq!(bytes(12_884_901_888.0), "12.9 GB");
        assert_eq!(bytes(2048.0), "2.05 kB");
        assert_eq!(si(10e12, "FLOP/s"), "10 TFLOP/s");
    }

    /// 999.6 rounds to 1000, which is one of the next prefix.
    #[test]
    fn rounding_carries_into_the_next_prefix() {
        assert_eq!(seconds(999.6e-9), "1 µs");
        assert_eq!(bytes(999_999.0), "1 MB");
    }

    /// Two digits below ten per cent, three above; 118 % of a roof is not cut to 100.
    #[test]
    fn percentages_are_not_clamped() {
        assert_eq!(percent(0.03125), "3.1 %");
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(0.375), "37.5 %");
        assert_eq!(percent(1.18), "118 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(0.000_25), "0.025 %");
    }

    /// Counts are exact while a person can read them.
    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(1_048_576.0), "1,048,576");
        assert_eq!(count(64.0), "64");
        assert_eq!(count(1.5), "1.5");
        assert_eq!(count(2.0_f64.powi(31)), "2.15 G");
    }

    /// Values beyond every prefix keep an exponent rather than losing their size.
    #[test]
    fn extremes_keep_their_size() {
        assert_eq!(si(1.5e24, "B"), "1.5e24 B");
        assert_eq!(si(2e-15, "s"), "2e-15 s");
        assert_eq!(seconds(256e-12), "256 ps");
        assert_eq!(seconds(0.0), "0 s");
    }

    /// A third of a FLOP per byte needs three digits, 683 none after the point.
    #[test]
    fn intensities() {
        assert_eq!(intensity(1.0 / 12.0), "0.0833 FLOP/B");
        assert_eq!(intensity(682.666), "683 FLOP/B");
    }

    /// An absent value is a word, never a number.
    #[test]
    fn absent_is_a_word() {
        assert_eq!(or_unknown(None, seconds), "unknown");
    }
}
