//! The work after accesses are rearranged so that they move no more than they use.
//!
//! Start at [`coalesced`].

use cresta_analysis::{AccessFacts, Facts, Operation};
use cresta_model::prediction::Demand;
use cresta_model::transactions::wavefronts;
use cresta_model::what_if;

use crate::finding::Lever;

/// What a rearrangement saves over the launch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Saved {
    /// Sectors times their size.
    pub(crate) bytes: f64,
    /// The part of them that loads bring.
    pub(crate) loaded_bytes: f64,
    /// Lines asked of L1.
    pub(crate) lines: f64,
    /// Cycles of L1; `None` where the machine does not tell how many lines one serves.
    pub(crate) l1_wavefronts: Option<f64>,
}

impl Saved {
    /// What two rearrangements save together.
    pub(crate) fn and(self, other: Saved) -> Saved {
        let cycles = self.l1_wavefronts.zip(other.l1_wavefronts);
        Saved {
            bytes: self.bytes + other.bytes,
            loaded_bytes: self.loaded_bytes + other.loaded_bytes,
            lines: self.lines + other.lines,
            l1_wavefronts: cycles.map(|(own, other)| own + other),
        }
    }
}

/// What `accesses` move in vain, with a copy of the demand from which it is taken; or why that is
/// not known.
pub(crate) fn coalesced(facts: &Facts, accesses: &[&AccessFacts]) -> Result<Demand, String> {
    Ok(without(&facts.demand, wasted(facts, accesses)?))
}

/// A `share` of what `accesses` move, which none of them uses. Lines are asked for as before.
pub(crate) fn unused(accesses: &[&AccessFacts], share: f64) -> Result<Saved, String> {
    let mut saved = Saved {
        l1_wavefronts: Some(0.0),
        ..Saved::default()
    };
    for access in accesses {
        let Some(total) = &access.total else {
            return Err(format!(
                "the traffic of `{}` at the launch is unknown",
                access.variable
            ));
        };
        saved.bytes += total.bytes * share;
        if access.operation == Operation::Load {
            saved.loaded_bytes += total.bytes * share;
        }
    }
    Ok(saved)
}

/// What `accesses` move beyond the fewest sectors and lines that hold what they use.
pub(crate) fn wasted(facts: &Facts, accesses: &[&AccessFacts]) -> Result<Saved, String> {
    if facts.demand.dram_bytes.is_some() || facts.demand.l2_bytes.is_some() {
        return Err(
            "how much of the waste the caches already absorb is not known; measure the changed kernel"
                .to_owned(),
        );
    }
    let mut saved = Saved {
        l1_wavefronts: Some(0.0),
        ..Saved::default()
    };
    for access in accesses {
        let (Some(traffic), Some(total)) = (&access.traffic, &access.total) else {
            return Err(format!(
                "the traffic of `{}` at the launch is unknown",
                access.variable
            ));
        };
        let bytes = total.bytes * (1.0 - traffic.efficiency);
        saved.bytes += bytes;
        if access.operation == Operation::Load {
            saved.loaded_bytes += bytes;
        }
        if traffic.transactions > 0.0 {
            let groups = total.transactions / traffic.transactions;
            saved.lines += groups * (traffic.transactions - traffic.ideal_transactions);
            let cycles = facts.machine.l1.lines_per_wavefront.map(|lines| {
                let turns = |transactions: f64| wavefronts(transactions.round() as u64, lines);
                groups * (turns(traffic.transactions) - turns(traffic.ideal_transactions))
            });
            saved.l1_wavefronts = saved
                .l1_wavefronts
                .zip(cycles)
                .map(|(sum, more)| sum + more);
        }
    }
    Ok(saved)
}

/// `demand` less what is saved. The number of loads stays, so that bytes in flight shrink with the
/// bytes, and latency takes as long as before.
pub(crate) fn without(demand: &Demand, saved: Saved) -> Demand {
    let moved = |demand: &Demand| demand.loaded_bytes.or(demand.transferred_bytes);
    let mut after = Demand {
        transferred_bytes: demand.transferred_bytes.map(|bytes| bytes - saved.bytes),
        loaded_bytes: demand.loaded_bytes.map(|bytes| bytes - saved.loaded_bytes),
        l1_lines: demand.l1_lines.map(|lines| lines - saved.lines),
        l1_wavefronts: (demand.l1_wavefronts.zip(saved.l1_wavefronts))
            .map(|(cycles, saved)| cycles - saved),
        ..demand.clone()
    };
    after.bytes_per_load = match (moved(demand), moved(&after)) {
        (Some(all), Some(rest)) if all > 0.0 => {
            demand.bytes_per_load.map(|bytes| bytes * rest / all)
        }
        _ => demand.bytes_per_load,
    };
    after
}

/// Gives `lever` the range between the prediction, for which every transfer is new traffic, and a
/// cache that holds each line until all of it is used, so that DRAM moves the compulsory bytes with
/// and without the change.
pub(crate) fn set_cache_range(lever: &mut Lever, facts: &Facts, after: &Result<Demand, String>) {
    let (Some(gain), Some(compulsory), Ok(after)) = (lever.gain, facts.compulsory.value, after)
    else {
        return;
    };
    let cached = |demand: &Demand| Demand {
        dram_bytes: Some(compulsory),
        ..demand.clone()
    };
    if let Some(with_cache) = what_if::gain(&cached(&facts.demand), &cached(after), &facts.machine)
    {
        lever.gain_low = Some(gain.min(with_cache.factor));
        lever.gain_high = Some(gain.max(with_cache.factor));
    }
}
