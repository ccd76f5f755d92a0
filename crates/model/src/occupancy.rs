//! Occupancy: how many workgroups one compute unit holds at once, and what stops the next one.
//!
//! Registers, workgroup memory and scheduling slots each allow a number of groups; the least of
//! them binds. Hardware hands out whole SIMD groups, so a group of `n` invocations takes
//! `ceil(n / simd width)` of them, with all their lanes, in slots and registers alike. A limit that
//! the machine or the kernel does not tell is `None` and takes no part; what that leaves open is
//! written under [`Occupancy::assumptions`]. Start at [`occupancy`].

use crate::machine::Machine;

/// What one workgroup asks of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupDemand {
    /// Invocations of the group.
    pub invocations: u32,
    /// Workgroup memory of the group, before allocation granularity.
    pub workgroup_memory_bytes: u64,
    /// 32-bit registers of one invocation, where known.
    pub registers: Option<u32>,
}

/// What one unit has to give. Absent is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitLimits {
    /// Lanes of one SIMD group.
    pub simd_width: Option<u32>,
    /// 32-bit registers, all lanes together.
    pub registers: Option<u64>,
    /// Allocation granularity in registers of one invocation.
    pub register_granularity: Option<u32>,
    /// The most registers that one invocation can have; what is above spills.
    pub max_registers_per_invocation: Option<u32>,
    /// Workgroup memory.
    pub workgroup_memory_bytes: Option<u64>,
    /// Allocation granularity of one group's workgroup memory.
    pub workgroup_memory_granularity_bytes: Option<u32>,
    /// Resident invocations at most.
    pub invocations: Option<u32>,
    /// Resident workgroups at most.
    pub groups: Option<u32>,
    /// Resident SIMD groups at most.
    pub simd_groups: Option<u32>,
}

impl From<&Machine> for UnitLimits {
    fn from(machine: &Machine) -> Self {
        UnitLimits {
            simd_width: machine.simd_width,
            registers: machine.registers.per_unit,
            register_granularity: machine.registers.granularity,
            max_registers_per_invocation: machine.registers.max_per_invocation,
            workgroup_memory_bytes: machine.shared.bytes_per_unit,
            workgroup_memory_granularity_bytes: machine.shared.granularity_bytes,
            invocations: machine.slots.invocations_per_unit,
            groups: machine.slots.groups_per_unit,
            simd_groups: machine.slots.simd_groups_per_unit,
        }
    }
}

/// What binds the number of resident groups. The order is that in which a tie is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limiter {
    /// The register file.
    Registers,
    /// Workgroup memory.
    WorkgroupMemory,
    /// Slots for groups, SIMD groups or invocations.
    Slots,
}

impl Limiter {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            Limiter::Registers => "registers",
            Limiter::WorkgroupMemory => "workgroup_memory",
            Limiter::Slots => "slots",
        }
    }
}

/// Groups that each resource allows on one unit. `None` where the resource is unknown or unused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupLimits {
    /// By the register file.
    pub registers: Option<u32>,
    /// By workgroup memory; `None` also where the group uses none.
    pub workgroup_memory: Option<u32>,
    /// By slots: the least of groups, SIMD groups and invocations.
    pub slots: Option<u32>,
}

impl GroupLimits {
    /// The least limit and its name; on a tie, the first in the order of [`Limiter`].
    pub fn binding(&self) -> Option<(Limiter, u32)> {
        [
            (Limiter::Registers, self.registers),
            (Limiter::WorkgroupMemory, self.workgroup_memory),
            (Limiter::Slots, self.slots),
        ]
        .into_iter()
        .filter_map(|(limiter, groups)| Some((limiter, groups?)))
        .min_by_key(|&(_, groups)| groups)
    }

    fn without(self, limiter: Limiter) -> Self {
        let mut rest = self;
        match limiter {
            Limiter::Registers => rest.registers = None,
            Limiter::WorkgroupMemory => rest.workgroup_memory = None,
            Limiter::Slots => rest.slots = None,
        }
        rest
    }
}

/// Where the number of resident groups changes as one amount (registers, or bytes) does and the
/// rest stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// The largest amount that keeps the current number of groups; `None` where none fits, which no
    /// amount changes for the worse.
    pub last_keeping: Option<u64>,
    /// The smallest amount that loses a group; `None` where the most that an invocation can have
    /// comes first.
    pub lost_at: Option<u64>,
    /// The largest amount that wins one more group; `None` where another resource forbids it, or
    /// no amount above zero is small enough.
    pub won_at: Option<u64>,
}

/// Residency of one kernel on one unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Occupancy {
    /// Groups that each resource allows.
    pub limits: GroupLimits,
    /// Resident groups: the least of the known limits. Zero where a single group does not fit.
    pub groups: Option<u32>,
    /// What binds.
    pub limiter: Option<Limiter>,
    /// Resident invocations.
    pub invocations: Option<u64>,
    /// Resident SIMD groups.
    pub simd_groups: Option<u64>,
    /// Resident invocations over the most that the unit holds, 0–1.
    pub fraction: Option<f64>,
    /// Resident SIMD groups over the most that the unit holds: above `fraction` where lanes of a
    /// SIMD group stay empty.
    pub simd_group_fraction: Option<f64>,
    /// Register counts at which the number of groups changes.
    pub register_steps: Option<Steps>,
    /// Byte counts of workgroup memory at which the number of groups changes.
    pub workgroup_memory_steps: Option<Steps>,
    /// Registers of one invocation above the machine's maximum, which spill; they take no part in
    /// the register limit.
    pub spilled_registers: Option<u32>,
    /// What was taken for granted, and what would settle it.
    pub assumptions: Vec<String>,
}

/// The residency of groups like `group` on a unit with `limits`.
///
/// # Panics
///
/// Where a SIMD width or a granularity is zero, which no checked machine has.
pub fn occupancy(group: &GroupDemand, limits: &UnitLimits) -> Occupancy {
    let shape = GroupShape::new(group, limits);
    let allowed = GroupLimits {
        registers: group
            .registers
            .and_then(|registers| shape.groups_by_registers(registers, limits)),
        workgroup_memory: groups_by_workgroup_memory(group.workgroup_memory_bytes, limits),
        slots: shape.groups_by_slots(limits),
    };
    let binding = allowed.binding();
    let groups = binding.map(|(_, groups)| groups);
    let invocations = groups.map(|groups| u64::from(groups) * u64::from(group.invocations));
    let simd_groups = groups
        .zip(shape.simd_groups)
        .map(|(groups, each)| u64::from(groups) * u64::from(each));
    let most_simd_groups = limits.simd_groups.or_else(|| {
        limits
            .invocations
            .zip(limits.simd_width)
            .map(|(invocations, width)| invocations / width)
    });
    Occupancy {
        limits: allowed,
        groups,
        limiter: binding.map(|(limiter, _)| limiter),
        invocations,
        simd_groups,
        fraction: share(invocations, limits.invocations),
        simd_group_fraction: share(simd_groups, most_simd_groups),
        register_steps: groups.and_then(|groups| {
            let others = allowed.without(Limiter::Registers);
            let most = limits.max_registers_per_invocation.map(u64::from);
            steps(groups, others, most, |wanted| {
                shape.registers_for(wanted, limits)
            })
        }),
        workgroup_memory_steps: groups.and_then(|groups| {
            let others = allowed.without(Limiter::WorkgroupMemory);
            steps(groups, others, None, |wanted| {
                workgroup_memory_for(wanted, limits)
            })
        }),
        spilled_registers: group
            .registers
            .zip(limits.max_registers_per_invocation)
            .map(|(registers, most)| registers.saturating_sub(most)),
        assumptions: assumptions(group, limits),
    }
}

/// A group as the hardware sees it: whole SIMD groups.
struct GroupShape {
    simd_groups: Option<u32>,
    allocated_invocations: u64,
}

impl GroupShape {
    fn new(group: &GroupDemand, limits: &UnitLimits) -> Self {
        let width = limits.simd_width;
        let simd_groups = width.map(|width| group.invocations.div_ceil(width));
        GroupShape {
            simd_groups,
            allocated_invocations: match (simd_groups, width) {
                (Some(simd_groups), Some(width)) => u64::from(simd_groups) * u64::from(width),
                _ => u64::from(group.invocations),
            },
        }
    }

    fn groups_by_registers(&self, registers: u32, limits: &UnitLimits) -> Option<u32> {
        let held = limits
            .max_registers_per_invocation
            .map_or(registers, |most| registers.min(most));
        let each = rounded_up(u64::from(held), limits.register_granularity);
        fitting(limits.registers?, each * self.allocated_invocations)
    }

    /// The most registers an invocation may have for `groups` groups to fit.
    fn registers_for(&self, groups: u32, limits: &UnitLimits) -> Option<u64> {
        let invocations = u64::from(groups) * self.allocated_invocations;
        let fitting = limits.registers?.checked_div(invocations)?;
        Some(whole_granules(fitting, limits.register_granularity))
    }

    fn groups_by_slots(&self, limits: &UnitLimits) -> Option<u32> {
        let by_invocations = limits
            .invocations
            .and_then(|most| fitting(u64::from(most), self.allocated_invocations));
        let by_simd_groups = limits
            .simd_groups
            .zip(self.simd_groups)
            .and_then(|(most, each)| fitting(u64::from(most), u64::from(each)));
        [limits.groups, by_simd_groups, by_invocations]
            .into_iter()
            .flatten()
            .min()
    }
}

fn groups_by_workgroup_memory(bytes: u64, limits: &UnitLimits) -> Option<u32> {
    let each = rounded_up(bytes, limits.workgroup_memory_granularity_bytes);
    fitting(limits.workgroup_memory_bytes?, each)
}

/// The most bytes a group may have for `groups` groups to fit.
fn workgroup_memory_for(groups: u32, limits: &UnitLimits) -> Option<u64> {
    let fitting = limits
        .workgroup_memory_bytes?
        .checked_div(u64::from(groups))?;
    Some(whole_granules(
        fitting,
        limits.workgroup_memory_granularity_bytes,
    ))
}

/// `amount` as it is allocated; as it is where the granularity is unknown.
fn rounded_up(amount: u64, granularity: Option<u32>) -> u64 {
    granularity.map_or(amount, |granule| {
        amount.next_multiple_of(u64::from(granule))
    })
}

/// The part of `amount` that whole granules can use.
fn whole_granules(amount: u64, granularity: Option<u32>) -> u64 {
    granularity.map_or(amount, |granule| amount - amount % u64::from(granule))
}

/// How many times `each` fits; none where it takes nothing.
fn fitting(available: u64, each: u64) -> Option<u32> {
    let times = available.checked_div(each)?;
    Some(u32::try_from(times).unwrap_or(u32::MAX))
}

fn steps(
    groups: u32,
    others: GroupLimits,
    most: Option<u64>,
    amount_for: impl Fn(u32) -> Option<u64>,
) -> Option<Steps> {
    let capped = |amount: u64| most.map_or(amount, |most| amount.min(most));
    let keeping = amount_for(groups);
    let one_more = amount_for(groups + 1)?;
    let others_allow = others.binding().is_none_or(|(_, allowed)| allowed > groups);
    Some(Steps {
        last_keeping: keeping.map(capped),
        lost_at: keeping
            .map(|amount| amount + 1)
            .filter(|&amount| capped(amount) == amount),
        won_at: Some(capped(one_more)).filter(|&amount| others_allow && amount > 0),
    })
}

fn share(resident: Option<u64>, most: Option<u32>) -> Option<f64> {
    Some(resident? as f64 / f64::from(most.filter(|&most| most > 0)?))
}

fn assumptions(group: &GroupDemand, limits: &UnitLimits) -> Vec<String> {
    let mut notes = Vec::new();
    let mut note = |needed: bool, text: &str| {
        if needed {
            notes.push(text.to_owned());
        }
    };
    let has_registers = group.registers.is_some() && limits.registers.is_some();
    let has_memory = group.workgroup_memory_bytes > 0 && limits.workgroup_memory_bytes.is_some();
    note(
        group.registers.is_none(),
        "occupancy leaves out registers: the number per invocation is unknown (a driver or --registers gives it)",
    );
    note(
        group.registers.is_some() && limits.registers.is_none(),
        "occupancy leaves out registers: the machine lacks registers.per_unit",
    );
    note(
        has_registers && limits.register_granularity.is_none(),
        "registers are counted without rounding: the machine lacks registers.granularity",
    );
    note(
        group.workgroup_memory_bytes > 0 && limits.workgroup_memory_bytes.is_none(),
        "occupancy leaves out workgroup memory: the machine lacks shared.bytes_per_unit",
    );
    note(
        has_memory && limits.workgroup_memory_granularity_bytes.is_none(),
        "workgroup memory is counted without rounding: the machine lacks shared.granularity_bytes",
    );
    note(
        limits.simd_width.is_none(),
        "a workgroup is not rounded up to whole SIMD groups: the machine lacks simd_width",
    );
    note(
        limits.groups.is_none(),
        "occupancy leaves out group slots: the machine lacks slots.groups_per_unit",
    );
    note(
        limits.invocations.is_none(),
        "the occupancy fraction is unknown: the machine lacks slots.invocations_per_unit",
    );
    notes
}
