//! A count with its formula: the `Q` of reports.
//!
//! A value that is not known is `None`, never zero. Start at [`Quantity`].

/// A count or a size.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantity {
    /// Formula over parameters, overrides, `len(x)` and workgroup counts (`wg.x`).
    pub formula: String,
    /// The value at the launch, when everything in the formula is known.
    pub value: Option<f64>,
    /// Least possible value, when the value itself is unknown but bounded.
    pub lower: Option<f64>,
    /// Greatest possible value, likewise.
    pub upper: Option<f64>,
    /// Names in the formula that have no value yet.
    pub unknown: Vec<String>,
}

impl Quantity {
    /// A known constant.
    pub fn constant(value: f64) -> Self {
        Quantity {
            formula: format!("{value}"),
            value: Some(value),
            ..Quantity::default()
        }
    }

    /// Something of which only a formula or a name is known.
    pub fn unknown(formula: impl Into<String>) -> Self {
        Quantity {
            formula: formula.into(),
            ..Quantity::default()
        }
    }

    /// The value, or its least possible value.
    pub fn at_least(&self) -> Option<f64> {
        self.value.or(self.lower)
    }

    /// The value, or its greatest possible value.
    pub fn at_most(&self) -> Option<f64> {
        self.value.or(self.upper)
    }
}
