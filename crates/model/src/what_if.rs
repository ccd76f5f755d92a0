//! What a change to the work would gain: the time before over the time after.
//!
//! A lever on a resource that does not bind gains exactly 1 by construction. Where the change brings
//! demand whose roof the machine lacks (f16 arithmetic, say), the resource is counted on one side
//! only and [`Gain::unevenly_counted`] names it. Start at [`gain`].

use crate::machine::Machine;
use crate::prediction::{Demand, Prediction, Resource, Slack, predict};

/// Effect of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Time before over time after: above 1 is faster.
    pub factor: f64,
    /// What bound before.
    pub bound_before: Option<Resource>,
    /// What binds after.
    pub bound_after: Option<Resource>,
    /// How far relieving the slowest resource alone could have gone, before the change.
    pub slack: Option<Slack>,
    /// Resources that one of the predictions counts, or counts wholly, and the other does not; what
    /// is missing may bind, so the factor is then what the known terms say.
    pub unevenly_counted: Vec<Resource>,
    /// The prediction before.
    pub before: Prediction,
    /// The prediction after.
    pub after: Prediction,
}

/// Gain of turning `before` into `after` on `machine`; none where either time is unknown or the new
/// one is zero.
pub fn gain(before: &Demand, after: &Demand, machine: &Machine) -> Option<Gain> {
    let before = predict(before, machine);
    let after = predict(after, machine);
    let seconds_after = after.seconds.filter(|&seconds| seconds > 0.0)?;
    Some(Gain {
        factor: before.seconds? / seconds_after,
        bound_before: before.bound,
        bound_after: after.bound,
        slack: before.slack(),
        unevenly_counted: Resource::ALL
            .into_iter()
            .filter(|&resource| counted(&before, resource) != counted(&after, resource))
            .collect(),
        before,
        after,
    })
}

/// Whether a resource is counted, and whether only in part.
fn counted(prediction: &Prediction, resource: Resource) -> (bool, bool) {
    (
        prediction.time(resource).is_some(),
        prediction.partial.contains(&resource),
    )
}
