//! Intervals of whole numbers, each side of which may be unbounded.
//!
//! Every operation gives bounds that hold for all whole values within the operands' bounds, but need
//! not be the tightest. A bound that leaves `i128` is no bound.

use crate::arena::Bitwise;
use crate::build::bit_length;

/// Bounds of a value; `None` is unbounded or unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interval {
    /// Lower bound.
    pub(crate) low: Option<i128>,
    /// Upper bound.
    pub(crate) high: Option<i128>,
}

/// A bound, or a product of bounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Below,
    At(i128),
    Above,
}

impl End {
    fn sign(self) -> i128 {
        match self {
            End::Below => -1,
            End::At(value) => value.signum(),
            End::Above => 1,
        }
    }

    fn multiply(self, other: End) -> End {
        if let (End::At(a), End::At(b)) = (self, other)
            && let Some(product) = a.checked_mul(b)
        {
            return End::At(product);
        }
        match self.sign() * other.sign() {
            0 => End::At(0),
            1 => End::Above,
            _ => End::Below,
        }
    }

    fn value(self) -> Option<i128> {
        match self {
            End::At(value) => Some(value),
            End::Below | End::Above => None,
        }
    }
}

impl Interval {
    pub(crate) fn exact(value: i128) -> Interval {
        Interval {
            low: Some(value),
            high: Some(value),
        }
    }

    fn ends(self) -> (End, End) {
        let low = self.low.map_or(End::Below, End::At);
        (low, self.high.map_or(End::Above, End::At))
    }

    fn scale(self, factor: i128) -> Interval {
        let by = |bound: Option<i128>| bound.and_then(|bound| bound.checked_mul(factor));
        match factor {
            0 => Interval::exact(0),
            1.. => Interval {
                low: by(self.low),
                high: by(self.high),
            },
            _ => Interval {
                low: by(self.high),
                high: by(self.low),
            },
        }
    }

    pub(crate) fn multiply(self, other: Interval) -> Interval {
        match self.low {
            Some(factor) if self.high == Some(factor) => return other.scale(factor),
            _ => {}
        }
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        let products = [a.multiply(c), a.multiply(d), b.multiply(c), b.multiply(d)];
        Interval {
            low: products.iter().min().and_then(|end| end.value()),
            high: products.iter().max().and_then(|end| end.value()),
        }
    }

    pub(crate) fn power(self, power: u8) -> Interval {
        let product = (1..power).fold(self, |product, _| product.multiply(self));
        if power.is_multiple_of(2) && product.low.is_none_or(|low| low < 0) {
            return Interval {
                low: Some(0),
                high: product.high,
            };
        }
        product
    }

    pub(crate) fn add(self, other: Interval) -> Interval {
        let sum = |a: Option<i128>, b: Option<i128>| a.zip(b).and_then(|(a, b)| a.checked_add(b));
        Interval {
            low: sum(self.low, other.low),
            high: sum(self.high, other.high),
        }
    }

    /// Whole numbers between the exact quotients, for a positive divisor.
    pub(crate) fn divide_by(self, divisor: i128) -> Interval {
        if divisor == 1 {
            return self;
        }
        Interval {
            low: self.low.map(|low| low.div_euclid(divisor)),
            high: self.high.map(|high| high.div_euclid(divisor)),
        }
    }

    /// `floor(self / other)`; divisors are positive wherever they divide.
    pub(crate) fn floor_div(self, other: Interval) -> Interval {
        let least = other.low.unwrap_or(1).max(1);
        let toward = |value: i128, divisor: Option<i128>| match divisor {
            Some(divisor) => value.div_euclid(divisor.max(1)),
            None => value.signum().min(0),
        };
        Interval {
            low: self.low.map(|low| {
                if low >= 0 {
                    toward(low, other.high)
                } else {
                    low.div_euclid(least)
                }
            }),
            high: self.high.map(|high| {
                if high >= 0 {
                    high.div_euclid(least)
                } else {
                    toward(high, other.high)
                }
            }),
        }
    }

    /// `self - other × floor(self / other)`; divisors are positive wherever they divide.
    pub(crate) fn modulo(self, other: Interval) -> Interval {
        let within = other.high.and_then(|high| high.checked_sub(1));
        let high = match (self.low, self.high) {
            (Some(0..), Some(high)) => Some(within.map_or(high, |within| within.min(high))),
            _ => within,
        };
        Interval { low: Some(0), high }
    }

    pub(crate) fn min(self, other: Interval) -> Interval {
        let high = match (self.high, other.high) {
            (Some(x), Some(y)) => Some(x.min(y)),
            (x, y) => x.or(y),
        };
        Interval {
            low: self.low.zip(other.low).map(|(x, y)| x.min(y)),
            high,
        }
    }

    pub(crate) fn max(self, other: Interval) -> Interval {
        let low = match (self.low, other.low) {
            (Some(x), Some(y)) => Some(x.max(y)),
            (x, y) => x.or(y),
        };
        Interval {
            low,
            high: self.high.zip(other.high).map(|(x, y)| x.max(y)),
        }
    }

    pub(crate) fn power_of_two(self) -> Interval {
        let power = |exponent: i128| {
            let exponent = u32::try_from(exponent).ok().filter(|&e| e < 127);
            exponent.map(|exponent| 1i128 << exponent)
        };
        Interval {
            low: self.low.and_then(|low| power(low.max(0))).or(Some(1)),
            high: self.high.and_then(|high| power(high.max(0))),
        }
    }

    pub(crate) fn bit_length(self) -> Interval {
        Interval {
            low: Some(self.low.map_or(0, bit_length)),
            high: self.high.map(bit_length),
        }
    }

    pub(crate) fn bitwise(self, operation: Bitwise, other: Interval) -> Interval {
        let (Some(a @ 0..), Some(b @ 0..)) = (self.low, other.low) else {
            return Interval::default();
        };
        let highs = self.high.zip(other.high);
        // no bit above the highest of either
        let all = highs.and_then(|(x, y)| {
            let bits = u32::try_from(bit_length(x.max(y))).ok()?;
            (bits < 127).then(|| (1i128 << bits) - 1)
        });
        let high = match operation {
            Bitwise::And => match (self.high, other.high) {
                (Some(x), Some(y)) => Some(x.min(y)),
                (x, y) => x.or(y),
            },
            Bitwise::Or | Bitwise::Xor => all,
        };
        let low = match operation {
            Bitwise::Or => a.max(b),
            Bitwise::And | Bitwise::Xor => 0,
        };
        Interval {
            low: Some(low),
            high,
        }
    }
}
