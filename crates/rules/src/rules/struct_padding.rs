//! A structure in an array holds bytes that no member uses, and they are moved with the others.
//!
//! # What it does
//!
//! Finds structures in arrays of storage buffers of which padding is a tenth or more. It names the
//! holes, and an order of the members that closes them where there is one. It is a warning from a
//! fifth on, and a note below.
//!
//! # Why it matters
//!
//! `vec3f` takes 12 bytes and starts at multiples of 16, so that two of them leave two holes of four
//! bytes: a quarter of the buffer, of the lines and of the bandwidth holds nothing.
//!
//! # Example
//!
//! ```wgsl
//! // 32 bytes, 8 of padding
//! struct Particle { position: vec3f, velocity: vec3f }
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! // 32 bytes, none of padding
//! struct Particle { position: vec3f, mass: f32, velocity: vec3f, age: f32 }
//! ```
//!
//! Put the scalars that the kernel needs anyway into the holes, or keep each member in an array of its
//! own. An `array<f32>` indexed by `3 * i + c` has no padding either.
//!
//! # When it does nothing
//!
//! When memory does not bind, and when each lane takes sectors of its own anyway: a structure as large
//! as a sector or larger touches as many of them with the hole as without.
//!
//! # References
//!
//! - WGSL, “Alignment and Size” and “Structure Member Layout”.

use cresta_analysis::{AccessFacts, Facts, LayoutFacts, MemberFacts, Uniformity};
use cresta_ir::Space;
use cresta_model::padding::{self, Member};
use cresta_model::prediction::{Demand, Resource};

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};
use crate::relief::{self, Saved};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "layout/struct-padding",
    Severity::Warning,
    Status::Stable,
    include_str!("struct_padding.rs"),
    check,
);

/// Padding that is worth a word: without it, traffic falls by as much at most.
const WORTH_A_WORD: f64 = 0.1;
/// Padding from which it is a warning: 1.25× of traffic at least.
const COSTS: f64 = 0.2;

fn check(facts: &Facts, findings: &mut Findings) {
    for layout in &facts.layouts {
        let accesses = array_accesses(facts, layout);
        if layout.padding_fraction >= WORTH_A_WORD && !accesses.is_empty() {
            found(facts, layout, &accesses, findings);
        }
    }
}

/// Accesses of storage that holds the structure, where lanes or loops reach different elements.
fn array_accesses<'a>(facts: &'a Facts, layout: &LayoutFacts) -> Vec<&'a AccessFacts> {
    facts
        .accesses
        .iter()
        .filter(|access| {
            access.space == Space::Storage
                && layout.buffers.contains(&access.variable)
                && (access.uniformity != Uniformity::Launch || access.loop_depth > 0)
        })
        .collect()
}

fn found(facts: &Facts, layout: &LayoutFacts, accesses: &[&AccessFacts], findings: &mut Findings) {
    let order = better_order(layout);
    let packed = order.as_ref().map_or(
        u64::from(layout.size_bytes.saturating_sub(layout.padding_bytes)),
        |order| order.size_bytes,
    );
    let location = layout.location.as_ref().unwrap_or(&facts.location);
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if layout.padding_fraction >= COSTS {
            Severity::Warning
        } else {
            Severity::Note
        },
        location: location.clone(),
        labels: Vec::new(),
        message: format!(
            "`{}` takes {}, of which {} ({}) are padding",
            layout.name,
            text::bytes(layout.size_bytes.into()),
            text::bytes(layout.padding_bytes.into()),
            text::percent(layout.padding_fraction)
        ),
        notes: holes(layout),
        help: Some(match &order {
            Some(order) => format!(
                "in the order {} it takes {}",
                quoted(&order.names),
                text::bytes(order.size_bytes as f64)
            ),
            None => "put scalars that the kernel needs anyway into the holes, or keep each member in an array of its own".to_owned(),
        }),
    });
    findings.levers.push(
        Change {
            code: RULE.code,
            step: 3,
            title: format!("close the holes of `{}`", layout.name),
            resource: Resource::Dram,
            location: Some(location.clone()),
            before: None,
            after: after(facts, layout, accesses, packed as f64),
        }
        .lever(facts),
    );
}

/// The demand with elements of `packed` bytes. Traffic falls with the element while a sector holds
/// more than one of them; from there on each element touches sectors of its own, as before.
fn after(
    facts: &Facts,
    layout: &LayoutFacts,
    accesses: &[&AccessFacts],
    packed: f64,
) -> Result<Demand, String> {
    if facts.demand.dram_bytes.is_some() || facts.demand.l2_bytes.is_some() {
        return Err("how the smaller structure sits in the caches is not known".to_owned());
    }
    let size = f64::from(layout.size_bytes);
    let sector = facts
        .machine
        .sector_bytes()
        .ok_or("the machine lacks l2.sector_bytes and l1.line_bytes")?;
    let mut saved = Saved {
        l1_wavefronts: Some(0.0),
        ..Saved::default()
    };
    for access in accesses {
        let total = access.total.as_ref().ok_or_else(|| {
            format!(
                "the traffic of `{}` at the launch is unknown",
                access.variable
            )
        })?;
        let by_element =
            access.stride_bytes.map(i64::unsigned_abs) == Some(u64::from(layout.size_bytes));
        if by_element && layout.size_bytes < sector {
            saved.bytes += total.bytes * (1.0 - packed / size);
            if access.operation == cresta_analysis::Operation::Load {
                saved.loaded_bytes += total.bytes * (1.0 - packed / size);
            }
        }
    }
    Ok(relief::without(&facts.demand, saved))
}

fn holes(layout: &LayoutFacts) -> Vec<String> {
    let ends = layout
        .members
        .iter()
        .skip(1)
        .map(|member| member.offset)
        .chain([layout.size_bytes]);
    layout
        .members
        .iter()
        .zip(ends)
        .filter(|(member, next)| member.offset + member.size < *next)
        .map(|(member, next)| {
            format!(
                "{} are free after `{}`",
                text::bytes((next - member.offset - member.size).into()),
                member.name
            )
        })
        .collect()
}

fn quoted(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

struct Order {
    names: Vec<String>,
    size_bytes: u64,
}

/// An order of the members in which the structure is smaller: by falling alignment, with what fits
/// put into the hole after each member. `None` where that gains nothing.
fn better_order(layout: &LayoutFacts) -> Option<Order> {
    let mut rest: Vec<&MemberFacts> = layout.members.iter().collect();
    rest.sort_by_key(|member| std::cmp::Reverse((aligned(member).align, member.size)));
    let mut ordered: Vec<&MemberFacts> = Vec::new();
    while !rest.is_empty() {
        let mut end = 0_u64;
        for member in &ordered {
            end = end.next_multiple_of(aligned(member).align) + u64::from(member.size);
        }
        let fitting = rest
            .iter()
            .position(|member| end.is_multiple_of(aligned(member).align))
            .unwrap_or(0);
        ordered.push(rest.remove(fitting));
    }
    let members: Vec<Member> = ordered.iter().map(|member| aligned(member)).collect();
    let size_bytes = padding::layout(&members).size_bytes;
    (size_bytes < u64::from(layout.size_bytes)).then(|| Order {
        names: ordered.iter().map(|member| member.name.clone()).collect(),
        size_bytes,
    })
}

/// Size and alignment of a member, from its size: scalars and vectors have the alignment of the next
/// power of two. Anything else is taken at the largest alignment there is, so that the size that
/// comes out is never too small.
fn aligned(member: &MemberFacts) -> Member {
    let size = u64::from(member.size);
    Member {
        size,
        align: match size {
            1..=16 => size.next_power_of_two(),
            _ => 16,
        },
    }
}
