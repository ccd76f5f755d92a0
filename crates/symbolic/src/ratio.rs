//! Exact rational numbers on `i128`, with overflow as `None`.
//!
//! Formulas hold halves and sixths (sums of powers) and fractions that a person sets
//! (`taken@17:3=0.25`), and counts must come out to the unit.

use std::cmp::Ordering;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1)
}

impl Ratio {
    /// Zero.
    pub const ZERO: Ratio = Ratio {
        numerator: 0,
        denominator: 1,
    };
    /// One.
    pub const ONE: Ratio = Ratio {
        numerator: 1,
        denominator: 1,
    };

    /// `numerator / denominator`; `None` when the denominator is zero or does not fit once it is positive.
    pub fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator).checked_mul(denominator.signum())?;
        Some(Ratio {
            numerator: numerator.checked_div(divisor)?,
            denominator: denominator.checked_div(divisor)?,
        })
    }

    /// A whole number.
    pub const fn integer(value: i128) -> Ratio {
        Ratio {
            numerator: value,
            denominator: 1,
        }
    }

    /// The fraction nearest to a finite number: exact for whole numbers, else to 10⁻¹².
    pub fn from_f64(value: f64) -> Option<Ratio> {
        const SCALE: f64 = 1e12;
        if !value.is_finite() || value.abs() > 1e24 {
            return None;
        }
        if value.fract() == 0.0 {
            return Some(Ratio::integer(value as i128));
        }
        Ratio::new((value * SCALE).round() as i128, SCALE as i128)
    }

    /// The whole number, if it is one.
    pub fn to_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Numerator and positive denominator, in lowest terms.
    pub fn parts(self) -> (i128, i128) {
        (self.numerator, self.denominator)
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        if self.denominator == 1 {
            return self.numerator as f64;
        }
        self.numerator as f64 / self.denominator as f64
    }

    /// Sum.
    #[expect(
        clippy::should_implement_trait,
        reason = "overflow is `None`, which the trait cannot say"
    )]
    pub fn add(self, other: Ratio) -> Option<Ratio> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Ratio::integer(self.numerator.checked_add(other.numerator)?));
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Ratio::new(
            left.checked_add(right)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    /// Product.
    #[expect(
        clippy::should_implement_trait,
        reason = "overflow is `None`, which the trait cannot say"
    )]
    pub fn mul(self, other: Ratio) -> Option<Ratio> {
        if self.denominator == 1 && other.denominator == 1 {
            return Some(Ratio::integer(self.numerator.checked_mul(other.numerator)?));
        }
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Ratio::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    /// Greatest whole number that is not above `self / other`; `None` for division by zero.
    pub fn floor_div(self, other: Ratio) -> Option<Ratio> {
        let numerator = self.numerator.checked_mul(other.denominator)?;
        let denominator = self.denominator.checked_mul(other.numerator)?;
        let quotient = Ratio::new(numerator, denominator)?;
        Some(Ratio::integer(
            quotient.numerator.div_euclid(quotient.denominator),
        ))
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        let left = self.numerator.checked_mul(other.denominator);
        let right = other.numerator.checked_mul(self.denominator);
        match (left, right) {
            (Some(left), Some(right)) => left.cmp(&right),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}
