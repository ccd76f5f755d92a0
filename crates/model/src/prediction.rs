//! Time prediction: launch overhead plus the slowest resource.
//!
//! ```text
//! time = launch overhead + max(
//!     shared by the device:  DRAM, L2, same-address atomics, host transfer   demand / roof
//!     of one compute unit:   compute, special, integer, issue, L1 wavefronts,
//!                            workgroup-memory wavefronts, latency
//!                            demand of the busiest unit, which runs ceil(groups / units) groups )
//! ```
//!
//! A term whose demand or roof is unknown is left out and written under
//! [`Prediction::assumptions`] with what would bring it; it is never taken as zero. A demand of zero
//! needs no roof. Without a number of units, arithmetic is demand over the device's roof and nothing
//! is counted by unit. Start at [`predict`].

use crate::machine::Machine;

mod terms;

/// What sets a time. The order is that in which a tie is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Resource {
    /// Device memory bandwidth.
    Dram,
    /// Bandwidth of the cache shared by all units.
    L2,
    /// Wavefronts of a unit's own cache.
    L1,
    /// Wavefronts of workgroup memory.
    Shared,
    /// Floating-point arithmetic.
    Compute,
    /// Reciprocals, roots and transcendentals.
    Special,
    /// 32-bit integer arithmetic.
    Integer,
    /// SIMD-group instructions issued.
    Issue,
    /// Loads in flight against memory latency.
    Latency,
    /// Read-modify-writes of one address.
    Atomic,
    /// Cost of a dispatch.
    Launch,
    /// Host link.
    Transfer,
}

impl Resource {
    /// Every resource, in order.
    pub const ALL: [Resource; 12] = [
        Resource::Dram,
        Resource::L2,
        Resource::L1,
        Resource::Shared,
        Resource::Compute,
        Resource::Special,
        Resource::Integer,
        Resource::Issue,
        Resource::Latency,
        Resource::Atomic,
        Resource::Launch,
        Resource::Transfer,
    ];

    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Resource::Dram => "dram",
            Resource::L2 => "l2",
            Resource::L1 => "l1",
            Resource::Shared => "shared",
            Resource::Compute => "compute",
            Resource::Special => "special",
            Resource::Integer => "integer",
            Resource::Issue => "issue",
            Resource::Latency => "latency",
            Resource::Atomic => "atomic",
            Resource::Launch => "launch",
            Resource::Transfer => "transfer",
        }
    }
}

/// What one launch asks, over the whole device. `None` is unknown; `Some(0.0)` is none at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    /// FLOP on f32 alone.
    pub f32_flops: Option<f64>,
    /// FLOP on f16 alone.
    pub f16_flops: Option<f64>,
    /// FLOP on f64 alone.
    pub f64_flops: Option<f64>,
    /// Special operations, per lane.
    pub special_ops: Option<f64>,
    /// Integer operations, per lane.
    pub integer_ops: Option<f64>,
    /// Instructions issued, one for a whole SIMD group.
    pub simd_instructions: Option<f64>,
    /// Bytes that the lanes ask for. Sets [`Prediction::seconds_at_requested_bytes`] and no bound.
    pub requested_bytes: Option<f64>,
    /// Sectors times their size. Stands in for DRAM and L2 bytes where no cache is modelled.
    pub transferred_bytes: Option<f64>,
    /// Bytes between L1 and L2, from a cache model.
    pub l2_bytes: Option<f64>,
    /// Bytes between L2 and DRAM, from a cache model.
    pub dram_bytes: Option<f64>,
    /// Cycles that L1 is busy, all units together.
    pub l1_wavefronts: Option<f64>,
    /// Lines asked of L1; used with the machine's lines per wavefront where wavefronts are absent.
    pub l1_lines: Option<f64>,
    /// Cycles that workgroup memory is busy, all units together, bank conflicts included.
    pub workgroup_memory_wavefronts: Option<f64>,
    /// Atomics on the most contended address.
    pub same_address_atomics: Option<f64>,
    /// The part of the DRAM demand that loads bring; stores wait for nothing. Where absent, latency
    /// takes all of it.
    pub loaded_bytes: Option<f64>,
    /// Bytes from host to device.
    pub uploaded_bytes: Option<f64>,
    /// Bytes from device to host.
    pub read_back_bytes: Option<f64>,
    /// Workgroups.
    pub groups: Option<f64>,
    /// SIMD groups of one workgroup.
    pub simd_groups_per_group: Option<f64>,
    /// SIMD groups that occupancy allows on one unit; the launch may bring fewer.
    pub resident_simd_groups_per_unit: Option<f64>,
    /// Independent loads that one SIMD group has in flight.
    pub loads_in_flight: Option<f64>,
    /// Bytes that one such load moves, counted like the DRAM demand (sectors times their size).
    pub bytes_per_load: Option<f64>,
    /// Resources of whose demand the fields above hold only a lower bound: a part of the launch is not
    /// known.
    pub at_least: Vec<Resource>,
}

impl Demand {
    /// DRAM bytes, or transferred bytes where no cache is modelled.
    pub fn dram_or_transferred_bytes(&self) -> Option<f64> {
        self.dram_bytes.or(self.transferred_bytes)
    }

    /// L2 bytes, or transferred bytes where no cache is modelled.
    pub fn l2_or_transferred_bytes(&self) -> Option<f64> {
        self.l2_bytes.or(self.transferred_bytes)
    }
}

/// The time one resource alone would take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResourceTime {
    /// Which.
    pub resource: Resource,
    /// How long.
    pub seconds: f64,
}

/// The time of one launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Every resource that both machine and demand tell, in the order of [`Resource::ALL`].
    pub resources: Vec<ResourceTime>,
    /// Resources of whose demand a part is left out, or all of it though the machine would serve it:
    /// their time is a lower bound, and absent where nothing of them is known.
    pub partial: Vec<Resource>,
    /// The most that a resource in `partial` can take, where that is known.
    pub at_most: Vec<ResourceTime>,
    /// The slowest of what is known; none where nothing is known or nothing takes time. Whether it
    /// sets the time whatever the rest turns out to be is [`Prediction::is_decided`].
    pub bound: Option<Resource>,
    /// Launch overhead, where known, plus the largest of the others; none where no other is known.
    pub seconds: Option<f64>,
    /// Requested bytes over DRAM bandwidth: the sum that one does with a pencil.
    pub seconds_at_requested_bytes: Option<f64>,
    /// Terms left out, with what would bring them, and other things taken for granted.
    pub assumptions: Vec<String>,
}

impl Prediction {
    /// The time of one resource, where it is counted.
    pub fn time(&self, resource: Resource) -> Option<f64> {
        self.resources
            .iter()
            .find(|time| time.resource == resource)
            .map(|time| time.seconds)
    }

    /// Whether a resource's time is a lower bound.
    pub fn is_at_least(&self, resource: Resource) -> bool {
        self.partial.contains(&resource)
    }

    /// The most that a resource can take: its time, or the upper bound where that is a lower one.
    pub fn greatest(&self, resource: Resource) -> Option<f64> {
        if !self.is_at_least(resource) {
            return self.time(resource);
        }
        let mut bounds = self.at_most.iter();
        let bound = bounds.find(|time| time.resource == resource)?;
        Some(bound.seconds)
    }

    /// Whether [`Prediction::bound`] sets the time: no other resource can turn out to be slower.
    pub fn is_decided(&self) -> bool {
        let Some(least) = self.bound.and_then(|bound| self.time(bound)) else {
            return false;
        };
        let mut others = self.partial.iter().filter(|&&of| Some(of) != self.bound);
        others.all(|&other| self.greatest(other).is_some_and(|most| most <= least))
    }

    /// The most that the launch can take; none where some resource has no upper bound.
    pub fn seconds_at_most(&self) -> Option<f64> {
        self.seconds?;
        let mut most: f64 = 0.0;
        for resource in Resource::ALL {
            if resource == Resource::Launch {
                continue;
            }
            if self.is_at_least(resource) {
                most = most.max(self.greatest(resource)?);
            } else if let Some(time) = self.time(resource) {
                most = most.max(time);
            }
        }
        Some(self.overhead() + most)
    }

    /// Takes the times of `upper`, a prediction at the most that the demand can be, as upper bounds.
    pub fn bounded_by(mut self, upper: &Prediction) -> Self {
        let bounded = upper.resources.iter().copied();
        self.at_most = bounded
            .filter(|time| self.is_at_least(time.resource) && !upper.is_at_least(time.resource))
            .collect();
        self
    }

    /// Launch overhead, zero where it is left out.
    fn overhead(&self) -> f64 {
        self.time(Resource::Launch).unwrap_or(0.0)
    }

    /// Resources other than the launch, slowest first; a tie keeps the order of [`Resource::ALL`].
    pub fn slowest_first(&self) -> Vec<ResourceTime> {
        let mut times: Vec<_> = self
            .resources
            .iter()
            .copied()
            .filter(|time| time.resource != Resource::Launch)
            .collect();
        times.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        times
    }

    /// What is left when the slowest resource is relieved entirely.
    pub fn slack(&self) -> Option<Slack> {
        let times = self.slowest_first();
        let (slowest, next) = (times.first()?, times.get(1)?);
        let seconds_without = self.overhead() + next.seconds;
        Some(Slack {
            slowest: *slowest,
            next: *next,
            largest_gain: self
                .seconds
                .filter(|_| seconds_without > 0.0)
                .map(|all| all / seconds_without),
        })
    }
}

/// How far relieving the slowest resource alone can go before another binds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// The slowest resource.
    pub slowest: ResourceTime,
    /// The one that binds next.
    pub next: ResourceTime,
    /// Old time over new time with the slowest resource gone; none where nothing else takes time.
    pub largest_gain: Option<f64>,
}

/// Predicts the time of one launch of `demand` on `machine`: none at all where no workgroup fits in a
/// unit.
pub fn predict(demand: &Demand, machine: &Machine) -> Prediction {
    if demand.resident_simd_groups_per_unit == Some(0.0) {
        return Prediction {
            resources: Vec::new(),
            partial: Vec::new(),
            at_most: Vec::new(),
            bound: None,
            seconds: None,
            seconds_at_requested_bytes: None,
            assumptions: vec![
                "no time is predicted: no workgroup fits in a compute unit, so the kernel cannot run"
                    .to_owned(),
            ],
        };
    }
    let terms = terms::all(demand, machine);
    let mut prediction = Prediction {
        resources: terms.resources,
        partial: terms.partial,
        at_most: Vec::new(),
        bound: None,
        seconds: None,
        seconds_at_requested_bytes: demand
            .requested_bytes
            .zip(machine.dram.bytes_per_second)
            .map(|(bytes, rate)| bytes / rate),
        assumptions: terms.assumptions,
    };
    if let Some(slowest) = prediction.slowest_first().first() {
        let overhead = prediction.overhead();
        prediction.seconds = Some(overhead + slowest.seconds);
        prediction.bound = if overhead > slowest.seconds {
            Some(Resource::Launch)
        } else {
            Some(slowest.resource).filter(|_| slowest.seconds > 0.0)
        };
    }
    prediction
}
