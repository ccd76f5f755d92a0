//! One term of the prediction a resource: demand over rate, or why it is left out.
//!
//! Invariant: a resource is either among the times, or its absence is explained, or its demand is
//! zero.

use super::{Demand, Resource, ResourceTime};
use crate::machine::Machine;

/// Times of every resource that is known, and what was left out or taken for granted.
pub(super) fn all(demand: &Demand, machine: &Machine) -> Terms {
    let mut terms = Terms::default();
    let units = machine.compute.units.map(f64::from);
    let imbalance = terms.imbalance(demand.groups, units);
    terms.memory(demand, machine);
    terms.wavefronts(demand, machine, imbalance);
    terms.arithmetic(demand, machine, imbalance);
    terms.latency(demand, machine, imbalance);
    terms.atomic(demand, machine);
    terms.launch(machine);
    terms.transfer(demand, machine);
    terms.lower_bounds(&demand.at_least);
    terms
}

/// A part of a resource's demand, and the rate at which the whole device serves it.
struct Part {
    what: &'static str,
    amount: Option<f64>,
    rate: Rate,
}

/// A product of factors, or what it lacks.
struct Rate {
    product: f64,
    machine_lacks: Vec<&'static str>,
    demand_lacks: Vec<&'static str>,
}

impl Rate {
    /// The product of machine fields, given by dotted key.
    fn of_machine(fields: &[(&'static str, Option<f64>)]) -> Self {
        let mut rate = Rate {
            product: 1.0,
            machine_lacks: Vec::new(),
            demand_lacks: Vec::new(),
        };
        for &(key, value) in fields {
            match value {
                Some(value) => rate.product *= value,
                None => rate.machine_lacks.push(key),
            }
        }
        rate
    }

    fn times_demand(mut self, what: &'static str, value: Option<f64>) -> Self {
        match value {
            Some(value) => self.product *= value,
            None => self.demand_lacks.push(what),
        }
        self
    }

    /// The rate; none where a factor is unknown, or where nothing would ever be served.
    fn per_second(&self) -> Option<f64> {
        let known = self.machine_lacks.is_empty() && self.demand_lacks.is_empty();
        known.then_some(self.product).filter(|&rate| rate > 0.0)
    }
}

/// Times of the resources, and what is missing from them.
#[derive(Default)]
pub(super) struct Terms {
    /// In the order of [`Resource::ALL`].
    pub(super) resources: Vec<ResourceTime>,
    /// Resources of whose demand a part is left out.
    pub(super) partial: Vec<Resource>,
    /// What was left out or taken for granted.
    pub(super) assumptions: Vec<String>,
}

impl Terms {
    /// Marks resources whose demand is a lower bound. That of nothing at all is no time; a resource
    /// that the machine does not tell stays left out.
    fn lower_bounds(&mut self, at_least: &[Resource]) {
        for time in std::mem::take(&mut self.resources) {
            let resource = time.resource;
            let open = at_least.contains(&resource);
            if open && !self.partial.contains(&resource) {
                self.partial.push(resource);
            }
            if open && time.seconds == 0.0 {
                self.assumptions.push(format!(
                    "{} is left out: nothing is known of what the launch asks of it",
                    resource.name()
                ));
            } else {
                self.resources.push(time);
            }
        }
    }

    fn push(&mut self, resource: Resource, seconds: f64) {
        self.resources.push(ResourceTime { resource, seconds });
    }

    /// Adds `Σ amount / rate × scale`. Parts that are not known are left out and explained; the
    /// resource is absent where nothing but they would take time. It is partial where some of it is
    /// counted, and where the machine would serve an amount that is unknown.
    fn add(&mut self, resource: Resource, scale: f64, parts: &[Part]) {
        let mut seconds = None;
        let mut complete = true;
        let mut open = false;
        for part in parts {
            match (part.amount, part.rate.per_second()) {
                (Some(amount), Some(rate)) => {
                    seconds = Some(seconds.unwrap_or(0.0) + amount / rate * scale);
                }
                (Some(0.0), _) => {}
                _ => {
                    complete = false;
                    open |= part.amount.is_none() && part.rate.machine_lacks.is_empty();
                    self.assumptions.push(left_out(resource, part));
                }
            }
        }
        let counted = seconds.filter(|&seconds| complete || seconds > 0.0);
        if let Some(seconds) = counted {
            self.push(resource, seconds);
        }
        if open || (counted.is_some() && !complete) {
            self.partial.push(resource);
        }
    }

    /// Demand of the busiest unit over the mean of all: `ceil(groups / units) × units / groups`.
    fn imbalance(&mut self, groups: Option<f64>, units: Option<f64>) -> f64 {
        match (groups, units) {
            (Some(groups), Some(units)) if groups > 0.0 => (groups / units).ceil() * units / groups,
            (Some(_), Some(_)) => 1.0,
            (None, Some(_)) => {
                self.assumptions.push(
                    "work is taken as spread evenly over the units: the number of workgroups is unknown".to_owned(),
                );
                1.0
            }
            (_, None) => {
                self.assumptions.push(
                    "arithmetic is taken over the whole device and nothing is counted by unit: the machine lacks compute.units".to_owned(),
                );
                1.0
            }
        }
    }

    fn memory(&mut self, demand: &Demand, machine: &Machine) {
        let roof = machine.dram.bytes_per_second;
        if demand.dram_bytes.is_none() && demand.transferred_bytes.is_some() && roof.is_some() {
            self.assumptions.push(
                "no cache is modelled: DRAM traffic is taken as the transferred bytes".to_owned(),
            );
        }
        self.add(
            Resource::Dram,
            1.0,
            &[Part {
                what: "DRAM bytes",
                amount: demand.dram_or_transferred_bytes(),
                rate: Rate::of_machine(&[("dram.bytes_per_second", roof)]),
            }],
        );
        self.add(
            Resource::L2,
            1.0,
            &[Part {
                what: "L2 bytes",
                amount: demand.l2_or_transferred_bytes(),
                rate: Rate::of_machine(&[("l2.bytes_per_second", machine.l2.bytes_per_second)]),
            }],
        );
    }

    fn wavefronts(&mut self, demand: &Demand, machine: &Machine, imbalance: f64) {
        let units = ("compute.units", machine.compute.units.map(f64::from));
        let clock = ("compute.clock_hz", machine.compute.clock_hz);
        let l1 = match demand.l1_wavefronts {
            None => Part {
                what: "L1 lines",
                amount: demand.l1_lines,
                rate: Rate::of_machine(&[
                    units,
                    clock,
                    ("l1.lines_per_wavefront", machine.l1.lines_per_wavefront),
                ]),
            },
            wavefronts => Part {
                what: "L1 wavefronts",
                amount: wavefronts,
                rate: Rate::of_machine(&[units, clock]),
            },
        };
        self.add(Resource::L1, imbalance, &[l1]);
        self.add(
            Resource::Shared,
            imbalance,
            &[Part {
                what: "workgroup-memory wavefronts",
                amount: demand.workgroup_memory_wavefronts,
                rate: Rate::of_machine(&[units, clock]),
            }],
        );
    }

    fn arithmetic(&mut self, demand: &Demand, machine: &Machine, imbalance: f64) {
        let compute = &machine.compute;
        let part = |what, amount, key, roof| Part {
            what,
            amount,
            rate: Rate::of_machine(&[(key, roof)]),
        };
        self.add(
            Resource::Compute,
            imbalance,
            &[
                part(
                    "f32 FLOP",
                    demand.f32_flops,
                    "compute.f32_flop_per_second",
                    compute.f32_flop_per_second,
                ),
                part(
                    "f16 FLOP",
                    demand.f16_flops,
                    "compute.f16_flop_per_second",
                    compute.f16_flop_per_second,
                ),
                part(
                    "f64 FLOP",
                    demand.f64_flops,
                    "compute.f64_flop_per_second",
                    compute.f64_flop_per_second,
                ),
            ],
        );
        self.add(
            Resource::Special,
            imbalance,
            &[part(
                "special operations",
                demand.special_ops,
                "compute.special_ops_per_second",
                compute.special_ops_per_second,
            )],
        );
        self.add(
            Resource::Integer,
            imbalance,
            &[part(
                "integer operations",
                demand.integer_ops,
                "compute.integer_ops_per_second",
                compute.integer_ops_per_second,
            )],
        );
        self.add(
            Resource::Issue,
            imbalance,
            &[Part {
                what: "SIMD-group instructions",
                amount: demand.simd_instructions,
                rate: Rate::of_machine(&[
                    ("compute.units", compute.units.map(f64::from)),
                    ("compute.clock_hz", compute.clock_hz),
                    (
                        "compute.issue_per_unit_per_cycle",
                        compute.issue_per_unit_per_cycle,
                    ),
                ]),
            }],
        );
    }

    /// Little's law on the busiest unit: bytes in flight over the latency of DRAM.
    fn latency(&mut self, demand: &Demand, machine: &Machine, imbalance: f64) {
        let units = machine.compute.units.map(f64::from);
        let rate = Rate::of_machine(&[
            ("compute.units", units),
            (
                "dram.latency_seconds",
                machine.dram.latency_seconds.map(f64::recip),
            ),
        ])
        .times_demand("resident SIMD groups", resident_simd_groups(demand, units))
        .times_demand("independent loads in flight", demand.loads_in_flight)
        .times_demand("bytes of a load", demand.bytes_per_load);
        if demand.loaded_bytes.is_none()
            && demand.dram_or_transferred_bytes().is_some()
            && rate.per_second().is_some()
        {
            self.assumptions.push(
                "stores are taken to wait for DRAM as loads do: loaded bytes are not told apart"
                    .to_owned(),
            );
        }
        self.add(
            Resource::Latency,
            imbalance,
            &[Part {
                what: "waiting for DRAM",
                amount: demand.loaded_bytes.or(demand.dram_or_transferred_bytes()),
                rate,
            }],
        );
    }

    fn atomic(&mut self, demand: &Demand, machine: &Machine) {
        self.add(
            Resource::Atomic,
            1.0,
            &[Part {
                what: "same-address atomics",
                amount: demand.same_address_atomics,
                rate: Rate::of_machine(&[(
                    "atomic.same_address_per_second",
                    machine.atomic.same_address_per_second,
                )]),
            }],
        );
    }

    fn launch(&mut self, machine: &Machine) {
        match machine.launch.overhead_seconds {
            Some(seconds) => self.push(Resource::Launch, seconds),
            None => self.assumptions.push(
                "launch leaves out the cost of a dispatch: the machine lacks launch.overhead_seconds".to_owned(),
            ),
        }
    }

    fn transfer(&mut self, demand: &Demand, machine: &Machine) {
        let link = &machine.transfer;
        self.add(
            Resource::Transfer,
            1.0,
            &[
                Part {
                    what: "uploaded bytes",
                    amount: demand.uploaded_bytes,
                    rate: Rate::of_machine(&[(
                        "transfer.upload_bytes_per_second",
                        link.upload_bytes_per_second,
                    )]),
                },
                Part {
                    what: "read-back bytes",
                    amount: demand.read_back_bytes,
                    rate: Rate::of_machine(&[(
                        "transfer.readback_bytes_per_second",
                        link.readback_bytes_per_second,
                    )]),
                },
            ],
        );
    }
}

/// What occupancy allows, or fewer where the launch does not bring as many to the busiest unit.
fn resident_simd_groups(demand: &Demand, units: Option<f64>) -> Option<f64> {
    let allowed = demand.resident_simd_groups_per_unit?;
    let brought = match (demand.groups, demand.simd_groups_per_group, units) {
        (Some(groups), Some(each), Some(units)) => (groups / units).ceil() * each,
        _ => return Some(allowed),
    };
    Some(allowed.min(brought))
}

fn left_out(resource: Resource, part: &Part) -> String {
    let mut reasons = Vec::new();
    if part.amount.is_none() {
        reasons.push("the amount is unknown".to_owned());
    }
    if !part.rate.demand_lacks.is_empty() {
        reasons.push(format!("unknown {}", part.rate.demand_lacks.join(", ")));
    }
    if !part.rate.machine_lacks.is_empty() {
        reasons.push(format!(
            "the machine lacks {}",
            part.rate.machine_lacks.join(", ")
        ));
    }
    if reasons.is_empty() {
        reasons.push("the rate is zero".to_owned());
    }
    format!(
        "{} leaves out {}: {}",
        resource.name(),
        part.what,
        reasons.join("; ")
    )
}
