//! `Q`: a count with its formula.

use cresta_model::quantity::Quantity;
use schemars::JsonSchema;
use serde::Serialize;

/// A count of the whole launch with its formula.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Q {
    /// The count; null while something in the formula is unset.
    pub value: Option<f64>,
    /// The count over all invocations, those that a guard turns away included.
    pub per_invocation: Option<f64>,
    /// Over parameters, overrides, `len(x)` and workgroup counts (`wg.x`).
    pub formula: String,
    /// Least possible value, where the value is unknown but bounded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<f64>,
    /// Greatest possible value, likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<f64>,
    /// The engine that counted: `symbolic`, `exact` or `sampled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Spread of a sampled count: standard deviation over mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<f64>,
}

impl Q {
    /// The quantity, and its share of one of `invocations`.
    pub fn new(quantity: &Quantity, invocations: Option<f64>) -> Self {
        Q {
            value: quantity.value,
            per_invocation: ratio(quantity.value, invocations),
            formula: quantity.formula.clone(),
            lower: quantity.lower,
            upper: quantity.upper,
            source: Some("symbolic".to_owned()),
            spread: None,
        }
    }
}

/// `value / over`, where both are known and there is something to divide by.
pub(super) fn ratio(value: Option<f64>, over: Option<f64>) -> Option<f64> {
    let over = over.filter(|&over| over > 0.0)?;
    Some(value? / over)
}
