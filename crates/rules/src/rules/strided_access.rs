//! Neighbouring lanes access storage memory far apart, so that most of what is moved is not used.
//!
//! # What it does
//!
//! Finds loads, stores and atomics of storage buffers whose lanes lie a constant distance apart, or
//! scattered, and use less than 60 % of the sectors they move. A stride of two elements uses 50 %, and
//! the limit leaves room for SIMD groups that a guard cuts short.
//!
//! It is a warning where the waste is a tenth or more of what the launch moves, and a note below
//! that: a tenth less traffic cannot gain more than 1.1×. Members of one structure that are accessed
//! with the same stride are one finding, and so are accesses that lie a constant apart (the columns of a
//! matrix, `m[2 * i]` and `m[2 * i + 1]`); it is a note where together they use half of the stride or
//! more, since the lines that one brings serve the others while a cache keeps them. The gain is then
//! that of the bytes which none of them uses, and there is no lever where they use all.
//!
//! Accesses of one variable in one line, or with one index, are one finding; all of a variable are one
//! lever.
//!
//! Where the address depends on data, nothing is counted, and a note says what would settle it.
//!
//! # Why it matters
//!
//! Memory moves whole lines and sectors. A SIMD group of 32 lanes that reads neighbouring `f32` needs
//! one line of 128 bytes; one that reads them a row apart needs 32 lines, and uses 3.1 % of them.
//!
//! # Example
//!
//! ```wgsl
//! // One invocation a row: lanes are a whole row apart.
//! for (var k = 0u; k < d.N; k += 1u) {
//!   sum += m[gid.x * d.N + k];
//! }
//! ```
//!
//! # Use instead
//!
//! ```wgsl
//! // One workgroup a row: lanes are neighbours, and partial sums meet in
//! // workgroup memory.
//! for (var k = lid.x; k < d.N; k += 64u) {
//!   sum += m[wid.x * d.N + k];
//! }
//! ```
//!
//! For an array of structures of which the kernel reads a part, keep that part in an array of its own.
//! For a transpose, pass a tile through workgroup memory.
//!
//! # When it does nothing
//!
//! When memory does not bind; when the access runs rarely beside the others; when the working set of
//! lines stays in a cache until all of it is used, which is the lower end of the range of the gain.
//!
//! # References
//!
//! - NVIDIA, CUDA C++ Best Practices Guide, “Coalesced Access to Global Memory” and “Strided Accesses”.
//! - Williams, Waterman and Patterson, “Roofline: an insightful visual performance model for multicore
//!   architectures”, Communications of the ACM 52(4), 2009.

use cresta_analysis::{AccessFacts, Basis, Facts, Location};
use cresta_ir::Space;
use cresta_model::prediction::Resource;
use cresta_model::transactions::Pattern;

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Lever, Severity};
use crate::group::{self, Group};
use crate::registry::{Rule, Status};
use crate::relief::{self, Saved};
use crate::shape::{WASTEFUL, follows_rows};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "memory/strided-access",
    Severity::Warning,
    Status::Stable,
    include_str!("strided_access.rs"),
    check,
);

/// Share of a structure or matrix from which the parts that are accessed count as using it.
const PARTS_USE_IT: f64 = 0.5;

fn check(facts: &Facts, findings: &mut Findings) {
    let storage = || facts.accesses.iter().filter(|a| a.space == Space::Storage);
    let wasteful = storage().filter(|a| is_wasteful(facts, a));
    let found: Vec<Found<'_>> = joined(group::by(wasteful, cause))
        .into_iter()
        .map(Found::of)
        .collect();
    for shown in together(&found) {
        findings.diagnostics.extend(counted(facts, &shown));
    }
    let mut variables: Vec<&str> = Vec::new();
    for each in &found {
        let variable = each.group.main().variable.as_str();
        if !variables.contains(&variable) {
            variables.push(variable);
            findings.levers.extend(lever(facts, &found, variable));
        }
    }
    for group in group::by_place(storage().filter(|a| depends_on_data(a))) {
        findings.diagnostics.push(unknown(facts, &group));
    }
}

fn is_wasteful(facts: &Facts, access: &AccessFacts) -> bool {
    matches!(access.pattern, Pattern::Strided | Pattern::Scatter)
        && !follows_rows(facts, access)
        && (access.traffic.as_ref()).is_some_and(|traffic| traffic.efficiency < WASTEFUL)
}

fn depends_on_data(access: &AccessFacts) -> bool {
    access.basis == Basis::Data && access.executions.value != Some(0.0)
}

/// What accesses share when one change cures them: the layout of a structure, or the place.
#[derive(PartialEq)]
enum Cause {
    Layout(String, i64),
    Place(String, (usize, usize, u32, u32)),
}

fn cause(access: &AccessFacts) -> Cause {
    let variable = access.variable.clone();
    match (&access.member, access.stride_bytes) {
        (Some(_), Some(stride)) => Cause::Layout(variable, stride.abs()),
        _ => Cause::Place(variable, group::place(&access.location)),
    }
}

/// Joins groups whose accesses lie a constant apart with one stride, and run equally often: `m[2 * i]`
/// and `m[2 * i + 1]`.
fn joined<'a>(groups: Vec<Group<'a>>) -> Vec<Group<'a>> {
    let mut all: Vec<Group<'a>> = Vec::new();
    for group in groups {
        let known = all
            .iter_mut()
            .find(|known| lie_together(known.main(), group.main()));
        match known {
            Some(known) => known.accesses.extend(group.accesses),
            None => all.push(group),
        }
    }
    all
}

fn lie_together(a: &AccessFacts, b: &AccessFacts) -> bool {
    a.stride_bytes.is_some()
        && a.stride_bytes == b.stride_bytes
        && a.variable == b.variable
        && a.address_base == b.address_base
        && a.executions.formula == b.executions.formula
}

/// Accesses with one cause, and what part of the stride they use.
struct Found<'a> {
    group: Group<'a>,
    members: Option<Members>,
    pieces: Option<Pieces>,
}

impl<'a> Found<'a> {
    fn of(group: Group<'a>) -> Self {
        Found {
            members: Members::of(&group),
            pieces: Pieces::of(&group),
            group,
        }
    }

    /// The part of the stride that its accesses use together, where that is much of it.
    fn whole(&self) -> Option<f64> {
        let share = match &self.members {
            Some(members) => Some(members.share),
            None => self.pieces.as_ref().map(|pieces| pieces.share),
        };
        share.filter(|&share| share >= PARTS_USE_IT)
    }

    /// Whether one place in the source can speak for both: one line, or one index with one stride.
    fn is_told_with(&self, other: &Found<'_>) -> bool {
        let (a, b) = (self.group.main(), other.group.main());
        let index = a.stride_bytes == b.stride_bytes && a.address_base == b.address_base;
        let line = group::line(&a.location) == group::line(&b.location);
        a.variable == b.variable
            && self.members == other.members
            && self.whole().is_some() == other.whole().is_some()
            && (line || index && a.stride_bytes.is_some())
    }
}

/// What one finding shows.
struct Shown<'a, 'f> {
    found: &'f Found<'a>,
    /// The accesses of it and of those told with it.
    group: Group<'a>,
}

fn together<'a, 'f>(found: &'f [Found<'a>]) -> Vec<Shown<'a, 'f>> {
    let mut all: Vec<Shown<'a, 'f>> = Vec::new();
    for each in found {
        let accesses = each.group.accesses.iter().copied();
        let known = all.iter_mut().find(|known| known.found.is_told_with(each));
        match known {
            Some(known) => known.group.accesses.extend(accesses),
            None => all.push(Shown {
                found: each,
                group: Group {
                    accesses: accesses.collect(),
                },
            }),
        }
    }
    all
}

fn counted(facts: &Facts, shown: &Shown<'_, '_>) -> Option<Diagnostic> {
    let group = &shown.group;
    let main = group.main();
    let traffic = main.traffic.as_ref()?;
    let members = shown.found.members.as_ref();
    let whole = shown.found.whole();
    let parts = if members.is_some() {
        "members"
    } else {
        "accesses"
    };
    let how = match main.stride_bytes {
        Some(stride) => format!(
            "with {} between neighbouring lanes",
            text::bytes(stride.unsigned_abs() as f64)
        ),
        None => "at scattered addresses".to_owned(),
    };
    let used = match whole {
        Some(share) => format!(
            "{} of it used by the {parts} together",
            text::percent(share)
        ),
        None => format!(
            "{} of what is moved is used",
            text::percent(traffic.efficiency)
        ),
    };
    let mut notes = group.notes();
    if whole.is_some() {
        notes.push(
            "the lines that one of them brings serve the others while a cache keeps them; then the cost is transactions, not DRAM traffic"
                .to_owned(),
        );
    }
    Some(Diagnostic {
        code: RULE.code,
        severity: if whole.is_some() || !group.matters(facts) {
            Severity::Note
        } else {
            Severity::Warning
        },
        location: main.location.clone(),
        labels: group.labels(|access| format!("{} too", group::done(access.operation))),
        message: format!(
            "`{}` is {} {how}: {} where {} would do, {used}",
            main.variable,
            group.done(),
            text::plural(traffic.transactions, "transaction"),
            text::number(traffic.ideal_transactions),
        ),
        notes,
        help: Some(help(members, main, whole.is_some())),
    })
}

/// One lever for all accesses of a variable; none where they use all that they move.
fn lever(facts: &Facts, found: &[Found<'_>], variable: &str) -> Option<Lever> {
    let of_variable = found.iter().filter(|each| {
        let uses_all = each.pieces.is_some() && each.whole().is_some_and(|share| share >= 1.0);
        each.group.main().variable == variable && !uses_all
    });
    let of_variable: Vec<&Found<'_>> = of_variable.collect();
    let accesses = of_variable
        .iter()
        .flat_map(|each| each.group.accesses.iter());
    let all = Group {
        accesses: accesses.copied().collect(),
    };
    if all.accesses.is_empty() {
        return None;
    }
    let saved = of_variable.iter().map(|each| saved(facts, each));
    let saved = saved.reduce(|all, each| Ok(all?.and(each?)))?;
    let after = saved.map(|saved| relief::without(&facts.demand, saved));
    let main = all.main();
    let mut lever = Change {
        code: RULE.code,
        step: 4,
        title: title(&of_variable, main),
        resource: Resource::Dram,
        location: Some(main.location.clone()),
        before: None,
        after: after.clone(),
    }
    .lever(facts);
    relief::set_cache_range(&mut lever, facts, &after);
    Some(lever)
}

fn saved(facts: &Facts, found: &Found<'_>) -> Result<Saved, String> {
    match (found.whole(), &found.pieces) {
        // what one of them brings serves the others: only what none uses is moved in vain
        (Some(share), Some(pieces)) => {
            relief::unused(&found.group.accesses, (1.0 - share) / pieces.count)
        }
        _ => relief::wasted(facts, &found.group.accesses),
    }
}

/// The members of a structure that a group accesses.
#[derive(PartialEq)]
struct Members {
    /// Each once, in source order.
    names: Vec<String>,
    /// Bytes of them over the stride.
    share: f64,
}

impl Members {
    fn of(group: &Group<'_>) -> Option<Self> {
        let stride = group.main().stride_bytes?.unsigned_abs() as f64;
        let mut names: Vec<String> = Vec::new();
        let mut bytes = 0.0;
        for access in &group.accesses {
            let name = access.member.clone()?;
            if !names.contains(&name) {
                bytes += member_bytes(group, &name)?;
                names.push(name);
            }
        }
        Some(Members {
            names,
            share: bytes / stride,
        })
    }

    fn list(&self) -> String {
        list(self.names.iter())
    }
}

fn list<'n>(names: impl Iterator<Item = &'n String>) -> String {
    let quoted: Vec<_> = names.map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// Bytes of a member that a group accesses: the most that one place does. A place accesses a matrix
/// column by column; other places may access the same columns again.
fn member_bytes(group: &Group<'_>, name: &str) -> Option<f64> {
    let of_member: Vec<&AccessFacts> = (group.accesses.iter().copied())
        .filter(|access| access.member.as_deref() == Some(name))
        .collect();
    let mut most = 0.0_f64;
    for access in &of_member {
        let (_, bytes) = pieces(&of_member, &access.location)?;
        most = most.max(bytes);
    }
    Some(most)
}

/// How many different addresses one place accesses, and their bytes together.
fn pieces(accesses: &[&AccessFacts], place: &Location) -> Option<(usize, f64)> {
    let mut addresses = Vec::new();
    let mut bytes = 0.0;
    for access in accesses.iter().filter(|access| access.location == *place) {
        if !addresses.contains(&&access.address) {
            addresses.push(&access.address);
            bytes += f64::from(access.bytes_per_lane?);
        }
    }
    Some((addresses.len(), bytes))
}

/// Accesses that lie a constant apart and together use a part of the stride.
struct Pieces {
    count: f64,
    /// Bytes of them over the stride.
    share: f64,
}

impl Pieces {
    /// The different addresses that have the base and the stride of the main access, where they are
    /// several.
    fn of(group: &Group<'_>) -> Option<Self> {
        let main = group.main();
        let stride = main.stride_bytes?.unsigned_abs();
        let mut offsets = Vec::new();
        let mut bytes = 0.0;
        for access in group.accesses.iter().filter(|a| lie_together(a, main)) {
            let offset = access
                .address_offset
                .rem_euclid(i64::try_from(stride).ok()?);
            if !offsets.contains(&offset) {
                offsets.push(offset);
                bytes += f64::from(access.bytes_per_lane?);
            }
        }
        (offsets.len() > 1).then_some(Pieces {
            count: offsets.len() as f64,
            share: bytes / stride as f64,
        })
    }
}

fn title(found: &[&Found<'_>], main: &AccessFacts) -> String {
    let mut names: Vec<&String> = Vec::new();
    for members in found.iter().filter_map(|each| each.members.as_ref()) {
        let new = members.names.iter().filter(|name| !names.contains(name));
        let new: Vec<&String> = new.collect();
        names.extend(new);
    }
    if found.iter().all(|each| each.members.is_some()) {
        format!(
            "keep {} of `{}` in {} own",
            list(names.iter().copied()),
            main.variable,
            arrays(names.len())
        )
    } else {
        format!(
            "let neighbouring lanes access neighbours in `{}`",
            main.variable
        )
    }
}

fn arrays(members: usize) -> &'static str {
    match members {
        1 => "an array of its",
        _ => "arrays of their",
    }
}

fn help(members: Option<&Members>, main: &AccessFacts, together: bool) -> String {
    match (members, main.stride_bytes) {
        (None, Some(_)) if together => "access neighbouring elements together, as one vector (`vec2f`, `vec4f`), so that each lane brings them at once".to_owned(),
        (Some(members), _) => format!(
            "keep {} in {} own (a structure of arrays), apart from members that this kernel does not use",
            members.list(),
            arrays(members.names.len())
        ),
        (None, Some(_)) => "give the innermost index to `local_invocation_id.x`, so that neighbouring lanes take neighbouring elements (one workgroup a row, say); for a transpose, pass a tile through workgroup memory".to_owned(),
        (None, None) => "let the lanes of a SIMD group cover whole lines: order the work by address, or pass a tile through workgroup memory".to_owned(),
    }
}

fn unknown(facts: &Facts, group: &Group<'_>) -> Diagnostic {
    let main = group.main();
    let settle: Vec<&str> = facts
        .unknowns
        .iter()
        .filter(|unknown| main.address.contains(&unknown.name))
        .map(|unknown| unknown.settle.as_str())
        .collect();
    let mut notes = group.notes();
    notes.push(if settle.is_empty() {
        "the contents of the buffer that the index comes from would settle it".to_owned()
    } else {
        format!("settle it with {}", settle.join(", "))
    });
    Diagnostic {
        code: RULE.code,
        severity: Severity::Note,
        location: main.location.clone(),
        labels: Vec::new(),
        message: format!(
            "where `{}` is {} depends on data: how many lines a SIMD group needs, from 1 to {}, is not known from the source",
            main.variable,
            group::done(main.operation),
            facts.simd_width
        ),
        notes,
        help: Some(
            "where the order of the work is free, sort it by index, so that neighbouring lanes meet in the same lines"
                .to_owned(),
        ),
    }
}
