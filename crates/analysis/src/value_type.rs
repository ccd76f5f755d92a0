//! Which values a name of a launch can take.

use cresta_ir::Scalar;
use cresta_symbolic::arena::{Symbol, SymbolKind};

/// The largest whole number up to which every whole number is an `f64`.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;
/// The largest finite `f16` (IEEE 754).
const F16_MAX: f64 = 65_504.0;

/// Type of a value that a launch gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueType {
    /// A scalar of the source.
    Scalar(Scalar),
    /// A property of a texture: a whole number above zero.
    Positive,
    /// A fraction of lanes.
    Fraction,
    /// Mean trips of a loop.
    Trips,
}

impl ValueType {
    /// The type of a symbol of formulas; `None` where it takes no value from a launch.
    pub(crate) fn of(symbol: &Symbol) -> Option<ValueType> {
        match symbol.kind {
            SymbolKind::Parameter => Some(match symbol.least {
                Some(0) => ValueType::Scalar(Scalar::U32),
                Some(least) if least > 0 => ValueType::Positive,
                _ => ValueType::Scalar(Scalar::I32),
            }),
            SymbolKind::Trips => Some(ValueType::Trips),
            SymbolKind::Taken => Some(ValueType::Fraction),
            _ => None,
        }
    }

    /// The type in words.
    pub fn name(self) -> &'static str {
        match self {
            ValueType::Scalar(scalar) => scalar.name(),
            ValueType::Positive => "a size",
            ValueType::Fraction => "a fraction of lanes",
            ValueType::Trips => "a mean number of trips",
        }
    }

    /// The values that it takes, in words.
    pub fn range(self) -> String {
        match (self, self.ends()) {
            (ValueType::Scalar(Scalar::Bool), _) => "true or false (1 or 0)".to_owned(),
            (_, (least, most)) if self.is_whole() => {
                format!("a whole number from {least} to {most}")
            }
            (_, (least, most)) if most >= 1e6 && least < 0.0 => {
                format!("a number from {least:e} to {most:e}")
            }
            (ValueType::Trips, (least, _)) => format!("a number of {least} or more"),
            (_, (least, most)) => format!("a number from {least} to {most}"),
        }
    }

    /// Whether the value is one of the type.
    pub fn accepts(self, value: f64) -> bool {
        let (least, most) = self.ends();
        (least..=most).contains(&value) && (!self.is_whole() || value.fract() == 0.0)
    }

    fn is_whole(self) -> bool {
        match self {
            ValueType::Scalar(scalar) => scalar.is_integer() || scalar == Scalar::Bool,
            ValueType::Positive => true,
            ValueType::Fraction | ValueType::Trips => false,
        }
    }

    fn ends(self) -> (f64, f64) {
        match self {
            ValueType::Scalar(Scalar::Bool) | ValueType::Fraction => (0.0, 1.0),
            ValueType::Scalar(Scalar::U32) => (0.0, u32::MAX.into()),
            ValueType::Scalar(Scalar::I32) => (i32::MIN.into(), i32::MAX.into()),
            ValueType::Scalar(Scalar::U64) | ValueType::Trips => (0.0, LARGEST_EXACT),
            ValueType::Scalar(Scalar::I64) => (-LARGEST_EXACT, LARGEST_EXACT),
            ValueType::Scalar(Scalar::F16) => (-F16_MAX, F16_MAX),
            ValueType::Scalar(Scalar::F32) => (f32::MIN.into(), f32::MAX.into()),
            ValueType::Scalar(Scalar::F64) => (f64::MIN, f64::MAX),
            ValueType::Positive => (1.0, u32::MAX.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// WGSL's ranges: a u32 is a whole number below 2³², an i32 one from −2³¹.
    #[test]
    fn values_keep_to_their_types() {
        let u32 = ValueType::Scalar(Scalar::U32);
        assert!(u32.accepts(0.0) && u32.accepts(4_294_967_295.0));
        for bad in [-1.0, 1.5, 4_294_967_296.0, 1e300] {
            assert!(!u32.accepts(bad), "{bad}");
        }
        let i32 = ValueType::Scalar(Scalar::I32);
        assert!(i32.accepts(-2_147_483_648.0) && !i32.accepts(2_147_483_648.0));
        assert!(ValueType::Scalar(Scalar::F32).accepts(0.5));
        assert!(!ValueType::Scalar(Scalar::F32).accepts(1e300));
        assert!(!ValueType::Scalar(Scalar::Bool).accepts(2.0));
        assert!(!ValueType::Fraction.accepts(1.5) && !ValueType::Trips.accepts(-1.0));
        assert_eq!(u32.range(), "a whole number from 0 to 4294967295");
    }
}
