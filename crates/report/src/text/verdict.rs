//! What binds, in one sentence, and where the kernel stands on the roofline.
//!
//! With no predicted time the sentence goes by intensity against the ridge, and says so: that tells
//! which of two roofs is lower, not that either is reached.

use cresta_analysis::{Facts, Unknown};
use cresta_model::prediction::{Prediction, Resource, ResourceTime};
use cresta_model::quantity::Quantity;
use cresta_model::roofline::ridge;

use super::page::{HEADING, Page, resource_words};
use crate::number::{bytes, count, factor, intensity, seconds, si, significant};
use crate::schema::{attainable_flop_per_second, roofline_intensity};

/// Flags that the sentence names.
const MOST_FLAGS: usize = 3;

pub(super) fn render(page: &mut Page, facts: &Facts) {
    page.blank();
    if facts.occupancy.groups == Some(0) {
        let sentence = "No workgroup fits in a compute unit of this machine: there is no time.";
        page.styled_paragraph(HEADING, 0, sentence);
        return;
    }
    let sentence = by_time(facts).unwrap_or_else(|| by_intensity(facts));
    page.styled_paragraph(HEADING, 0, &sentence);
    if let Some(roofline) = roofline(facts) {
        page.paragraph(0, &roofline);
    }
    if let Some(floor) = floor(facts) {
        page.paragraph(0, &floor);
    }
}

fn by_time(facts: &Facts) -> Option<String> {
    let prediction = &facts.prediction;
    let (bound, all) = (prediction.bound?, prediction.seconds?);
    if !prediction.is_decided() {
        return Some(undecided(facts, bound, all));
    }
    let open = prediction.is_at_least(bound);
    let mut sentence = match prediction.seconds_at_most().filter(|_| open) {
        Some(most) => format!(
            "Limited by {}: {} to {} predicted",
            resource_words(bound),
            seconds(all),
            seconds(most)
        ),
        None => format!(
            "Limited by {}: {}{} predicted",
            resource_words(bound),
            if open { "at least " } else { "" },
            seconds(all)
        ),
    };
    if let Some(other) = runner_up(prediction, bound) {
        let at_least = prediction.is_at_least(other.resource);
        sentence.push_str(&format!(
            ", of which {} needs {}{}",
            resource_words(other.resource),
            if at_least { "at least " } else { "" },
            seconds(other.seconds),
        ));
        if !at_least && !open {
            let slack = short_factor(all / other.seconds);
            sentence.push_str(&format!(" ({slack} slack)"));
        }
    }
    Some(sentence + ".")
}

/// Where something of which only a part is known may turn out slower than the slowest known.
fn undecided(facts: &Facts, slowest: Resource, all: f64) -> String {
    let prediction = &facts.prediction;
    let known = prediction.time(slowest).unwrap_or(all);
    let open: Vec<Resource> = prediction
        .partial
        .iter()
        .copied()
        .filter(|&of| of != slowest)
        .filter(|&of| prediction.greatest(of).is_none_or(|most| most > known))
        .collect();
    let names: Vec<&str> = open.iter().map(|of| of.name()).collect();
    let time = match prediction.seconds_at_most() {
        Some(most) => format!("{} to {}", seconds(all), seconds(most)),
        None => format!("at least {}", seconds(all)),
    };
    format!(
        "What binds is not decided: {time}, with {} the slowest that is known; {}.",
        resource_words(slowest),
        still_open(facts, &open, &names.join(", "))
    )
}

/// What is not known of the open resources, and the flags that settle it.
fn still_open(facts: &Facts, open: &[Resource], names: &str) -> String {
    let mentioned = |unknown: &&Unknown| {
        let mut amounts = open.iter().filter_map(|&of| amount(facts, of));
        amounts.any(|amount| amount.unknown.contains(&unknown.name))
    };
    let unset = facts.unknowns.iter().filter(|unknown| !unknown.of_data);
    let unset: Vec<&Unknown> = unset.filter(mentioned).collect();
    if unset.is_empty() {
        let data = facts.unknowns.iter().filter(|unknown| unknown.of_data);
        return format!("data decide {names}{}", settled_by(data));
    }
    let verb = if open.len() == 1 { "is" } else { "are" };
    let flags = settled_by(unset.into_iter());
    format!("{names} {verb} not known yet{flags}")
}

/// The amount that a resource serves, where it has a formula of its own.
fn amount(facts: &Facts, resource: Resource) -> Option<&Quantity> {
    match resource {
        Resource::Compute => Some(&facts.work.flops.total),
        Resource::Special => Some(&facts.work.special_ops),
        Resource::Integer => Some(&facts.work.integer_ops),
        Resource::Dram | Resource::L2 | Resource::Latency => Some(&facts.transferred),
        _ => None,
    }
}

/// The flags that settle unknowns, as the end of a sentence.
fn settled_by<'a>(unknowns: impl Iterator<Item = &'a Unknown>) -> String {
    let flags = unknowns.map(|unknown| unknown.settle.as_str());
    let flags: Vec<&str> = flags.take(MOST_FLAGS).collect();
    match flags.as_slice() {
        [] => String::new(),
        [one] => format!("; {one} settles it"),
        several => format!("; {} settle it", several.join(", ")),
    }
}

/// The resource that a person compares the binding one with: arithmetic where memory binds, else
/// the slowest of the others.
fn runner_up(prediction: &Prediction, bound: Resource) -> Option<ResourceTime> {
    let others = || {
        prediction
            .slowest_first()
            .into_iter()
            .filter(move |time| time.resource != bound && time.seconds > 0.0)
    };
    let arithmetic =
        others().find(|time| bound == Resource::Dram && time.resource == Resource::Compute);
    arithmetic.or_else(|| others().next())
}

/// `12×` for what is far from even, `1.3×` for what is near.
fn short_factor(value: f64) -> String {
    if value >= 9.5 {
        format!("{}×", count(value.round()))
    } else {
        factor(value)
    }
}

fn by_intensity(facts: &Facts) -> String {
    if does_nothing(facts) {
        return "There is nothing to limit: the kernel has no memory access and no operation."
            .to_owned();
    }
    let Some(flop_per_byte) = roofline_intensity(facts) else {
        return "What binds is unknown: neither a time nor an intensity can be computed yet."
            .to_owned();
    };
    let roofs = facts
        .machine
        .compute
        .f32_flop_per_second
        .zip(facts.machine.dram.bytes_per_second);
    let Some((peak, bandwidth)) = roofs else {
        return format!(
            "What binds is unknown: the kernel has {}, and the machine lacks a roof to compare with.",
            intensity(flop_per_byte)
        );
    };
    if flop_per_byte == 0.0 {
        return "Time unknown. There is no floating-point arithmetic: memory is what can bind."
            .to_owned();
    }
    let ridge = ridge(peak, bandwidth);
    if flop_per_byte < ridge {
        format!(
            "Time unknown. By intensity, below the ridge by {}: DRAM bandwidth is the lower roof.",
            short_factor(ridge / flop_per_byte)
        )
    } else {
        format!(
            "Time unknown. By intensity, above the ridge by {}: arithmetic is the lower roof.",
            short_factor(flop_per_byte / ridge)
        )
    }
}

/// Whether the kernel is known to be empty.
fn does_nothing(facts: &Facts) -> bool {
    let work = &facts.work;
    let operations = [
        &work.flops.total,
        &work.special_ops,
        &work.integer_ops,
        &work.other_ops,
        &work.subgroup_ops,
        &work.barriers,
    ];
    let none = |quantity: &&Quantity| quantity.value == Some(0.0);
    facts.accesses.is_empty() && facts.unsupported.is_empty() && operations.iter().all(none)
}

fn roofline(facts: &Facts) -> Option<String> {
    let prediction = &facts.prediction;
    let open = prediction.is_at_least(Resource::Dram) || prediction.is_at_least(Resource::Compute);
    // an intensity at large values says nothing of a launch of which a part is known
    if open && prediction.bound.is_some() {
        return None;
    }
    let compute = &facts.machine.compute;
    let flop_per_byte = roofline_intensity(facts).filter(|&intensity| intensity > 0.0)?;
    let (peak, bandwidth) = compute
        .f32_flop_per_second
        .zip(facts.machine.dram.bytes_per_second)?;
    let counted = if facts.demand.dram_bytes.is_some() {
        "DRAM"
    } else {
        "transferred"
    };
    Some(format!(
        "Roofline: {} of {} at {} FLOP/B {counted}, ridge {} FLOP/B.",
        si(attainable_flop_per_second(facts)?, "FLOP/s"),
        si(peak, "FLOP/s"),
        significant(flop_per_byte),
        significant(ridge(peak, bandwidth)),
    ))
}

/// What perfect caches would leave of a DRAM bound that was predicted without a cache model.
fn floor(facts: &Facts) -> Option<String> {
    let modelled = facts.demand.dram_bytes.is_some();
    if modelled || facts.prediction.bound != Some(Resource::Dram) {
        return None;
    }
    let compulsory = facts.compulsory.value?;
    let time = compulsory / facts.machine.dram.bytes_per_second?;
    (facts.transferred.value? > compulsory).then(|| {
        format!(
            "No cache is modelled: one that caught all reuse would leave {} and {}.",
            bytes(compulsory),
            seconds(time)
        )
    })
}
