//! From a change of the work to a lever with its gain.
//!
//! A gain is the predicted time before the change over the one after it, and nothing else. It is
//! `None`, with the reason, where the change cannot be counted, where a time is unknown, or where
//! the prediction leaves out the resource that the change relieves. Start at [`Change`].

use cresta_analysis::{Facts, Location};
use cresta_model::prediction::{Demand, Resource};
use cresta_model::what_if::{self, Gain};

use crate::finding::Lever;
use crate::text;

/// The gain from which a lever pays: what is below drowns in the 3 % by which runs of one kernel
/// on one device differ.
pub(crate) const PAYS: f64 = 1.01;

/// Unknowns that a reason names at most.
const NAMED_UNKNOWNS: usize = 3;

/// A change to the work of a launch.
pub(crate) struct Change {
    /// Code of the rule that proposes it.
    pub(crate) code: &'static str,
    /// Place in the order of levers, 1–7.
    pub(crate) step: u8,
    /// What to do.
    pub(crate) title: String,
    /// The resource it relieves.
    pub(crate) resource: Resource,
    /// Where.
    pub(crate) location: Option<Location>,
    /// The work without the change, where it is not [`Facts::demand`] as it stands.
    pub(crate) before: Option<Demand>,
    /// The work after the change, or why it cannot be counted.
    pub(crate) after: Result<Demand, String>,
}

impl Change {
    /// The lever, with its gain where the prediction can tell it.
    pub(crate) fn lever(self, facts: &Facts) -> Lever {
        let before = self.before.as_ref().unwrap_or(&facts.demand);
        let priced = self
            .after
            .as_ref()
            .map_err(Clone::clone)
            .and_then(|after| price(facts, before, after, self.resource));
        let (most, why) = match priced {
            Ok(gain) => (Some(gain.factor), reason(&gain, self.resource)),
            Err(reason) => (None, format!("the gain is unknown: {reason}")),
        };
        // what is not counted stays in both times, and brings their ratio nearer to one
        let open = is_open(facts);
        let gain = most.filter(|&most| !open || most < PAYS);
        Lever {
            code: self.code,
            step: self.step,
            title: self.title,
            gain,
            gain_low: None,
            gain_high: most.filter(|_| gain.is_none()),
            resource: Some(self.resource),
            pays: most.is_none_or(|most| most >= PAYS),
            why,
            location: self.location,
        }
    }
}

/// Whether the time is a lower bound, since a part of what the binding resource has to do is not known.
fn is_open(facts: &Facts) -> bool {
    let prediction = &facts.prediction;
    (prediction.bound).is_some_and(|bound| prediction.is_at_least(bound))
}

/// The gain of a change that relieves `resource`, or why it is unknown.
fn price(
    facts: &Facts,
    before: &Demand,
    after: &Demand,
    resource: Resource,
) -> Result<Gain, String> {
    if facts.prediction.time(resource).is_none() {
        return Err(uncounted(facts, resource));
    }
    if facts.prediction.bound.is_some() && !facts.prediction.is_decided() {
        return Err(format!(
            "what binds is not decided, since a part of the work is unknown{}",
            settling(facts)
        ));
    }
    what_if::gain(before, after, &facts.machine).ok_or_else(|| {
        format!(
            "the time after the change cannot be compared with the one before{}",
            settling(facts)
        )
    })
}

/// Why the prediction leaves out a resource, and what would bring it.
pub(crate) fn uncounted(facts: &Facts, resource: Resource) -> String {
    let name = resource.name();
    let prefix = format!("{name} leaves out ");
    let reasons: Vec<&str> = facts
        .prediction
        .assumptions
        .iter()
        .filter(|assumption| assumption.starts_with(&prefix))
        .map(String::as_str)
        .collect();
    if reasons.is_empty() {
        format!("the prediction does not count {name}{}", settling(facts))
    } else {
        format!("{}{}", reasons.join("; "), settling(facts))
    }
}

/// What would settle the unknowns of the launch, as the end of a sentence; empty when there are none.
fn settling(facts: &Facts) -> String {
    let flags: Vec<&str> = facts
        .unknowns
        .iter()
        .map(|unknown| unknown.settle.as_str())
        .filter(|settle| !settle.is_empty())
        .take(NAMED_UNKNOWNS)
        .collect();
    if flags.is_empty() {
        String::new()
    } else {
        format!("; settle it with {}", flags.join(", "))
    }
}

fn reason(gain: &Gain, resource: Resource) -> String {
    let name = resource.name();
    let relieved = gain.before.time(resource);
    match gain.bound_before {
        Some(bound) if gain.factor < PAYS && bound != resource => {
            not_binding(gain, bound, resource)
        }
        Some(bound) if gain.factor < PAYS => {
            format!("the change takes less than 1 % off {}", bound.name())
        }
        bound_before => {
            let from = bound_before.unwrap_or(resource);
            let fall = gain
                .before
                .time(from)
                .zip(gain.after.time(from))
                .map(|(before, after)| {
                    format!(
                        "{} falls from {} to {}",
                        from.name(),
                        text::seconds(before),
                        text::seconds(after)
                    )
                })
                .or_else(|| relieved.map(|time| format!("{name} takes {}", text::seconds(time))))
                .unwrap_or_else(|| format!("{name} is relieved"));
            match gain.bound_after {
                Some(next) if Some(next) != bound_before => {
                    format!("{fall}, then {} binds", next.name())
                }
                _ => fall,
            }
        }
    }
}

fn not_binding(gain: &Gain, bound: Resource, resource: Resource) -> String {
    let binding = gain.before.time(bound).unwrap_or(f64::NAN);
    let head = format!("{} binds with {}", bound.name(), text::seconds(binding));
    match gain.before.time(resource).filter(|&time| time > 0.0) {
        Some(relieved) => format!(
            "{head}, against {} of {}, which has room for {} as much",
            text::seconds(relieved),
            resource.name(),
            text::times(binding / relieved)
        ),
        None => format!("{head}, and {} takes no time", resource.name()),
    }
}

/// The slowest of `resources` that the prediction counts.
pub(crate) fn slowest(facts: &Facts, resources: &[Resource]) -> Option<Resource> {
    let counted = facts.prediction.slowest_first();
    let slowest = counted
        .iter()
        .find(|time| resources.contains(&time.resource));
    slowest.map(|time| time.resource)
}
