//! A SIMD group covers several short rows, and each row touches a line of its own.
//!
//! # What it does
//!
//! Finds accesses of storage buffers that fall into several runs, or into one address for each row of
//! the workgroup, because a row is shorter than a line: a workgroup 16 wide under SIMD groups of 32
//! reads two rows at a time. All accesses of the kernel with as many runs are one finding.
//!
//! It is a note: the access is contiguous as far as it goes, and how much the short rows cost depends
//! on the size of the sectors. Below 30 % efficiency (rows of eight `f32` and less at 128 bytes), where
//! the waste is a tenth or more of what the launch moves, it is a warning.
//!
//! # Why it matters
//!
//! A row of 16 `f32` is 64 bytes. Where memory moves 128 bytes at a time, half of what is moved is not
//! used by this SIMD group. Where sectors have 64 or 32 bytes, nothing is lost.
//!
//! # Example
//!
//! ```wgsl
//! const T = 16u;
//! var<workgroup> tile: array<array<f32, T>, T>;
//!
//! @compute @workgroup_size(T, T)
//! // two rows of 64 bytes for each SIMD group
//! // tile[lid.y][lid.x] = A[row * d.K + step * T + lid.x];
//! ```
//!
//! # Use instead
//!
//! A tile 32 wide. With 32×8 invocations, each takes four elements of a tile of 32×32, so that the
//! workgroup stays within the 256 invocations that every device grants.
//!
//! # When it does nothing
//!
//! On machines whose sectors are no longer than a row; when something other than memory binds; when
//! the other half of the line is read soon after by another SIMD group and comes from a cache.
//!
//! # References
//!
//! - NVIDIA, CUDA C++ Best Practices Guide, “Coalesced Access to Global Memory”: requests are cut into
//!   32-byte sectors of 128-byte lines.

use cresta_analysis::{AccessFacts, Facts};
use cresta_ir::Space;
use cresta_model::limits::Limits;
use cresta_model::prediction::Resource;
use cresta_model::transactions::Pattern;

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Severity};
use crate::group::{self, Group};
use crate::registry::{Rule, Status};
use crate::relief;
use crate::shape::{self, WASTEFUL, follows_rows, rows_of_simd_group};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "memory/short-runs",
    Severity::Warning,
    Status::Preview,
    include_str!("short_runs.rs"),
    check,
);

/// Efficiency below which short rows are a warning: a line serves three or more SIMD groups in part.
const SEVERE: f64 = 0.3;

fn check(facts: &Facts, findings: &mut Findings) {
    let short = facts
        .accesses
        .iter()
        .filter(|access| access.space == Space::Storage && is_short(facts, access));
    for group in group::by(short, runs) {
        found(facts, &group, findings);
    }
}

fn is_short(facts: &Facts, access: &AccessFacts) -> bool {
    let short = match access.pattern {
        Pattern::Segmented => true,
        Pattern::Strided | Pattern::Scatter => follows_rows(facts, access),
        _ => false,
    };
    short && (access.traffic.as_ref()).is_some_and(|traffic| traffic.efficiency < WASTEFUL)
}

/// Lines of one SIMD group, to the next whole one.
fn runs(access: &AccessFacts) -> Option<u64> {
    let transactions = access.traffic.as_ref()?.transactions;
    Some(transactions.round() as u64)
}

fn found(facts: &Facts, group: &Group<'_>, findings: &mut Findings) {
    let main = group.main();
    let Some(traffic) = &main.traffic else { return };
    let severe = traffic.efficiency < SEVERE && group.matters(facts);
    let by_rows = rows_of_simd_group(facts).is_some() && follows_rows(facts, main);
    let width = width_to_use(facts, main);
    let what = if by_rows {
        format!(
            "a SIMD group of {} lanes covers {} rows of a workgroup {} wide",
            facts.simd_width,
            text::number(traffic.transactions.round()),
            facts.workgroup_size[0]
        )
    } else {
        "a SIMD group reads several short runs".to_owned()
    };
    let mut notes = Vec::new();
    if let Some(sector) = facts.machine.sector_bytes() {
        notes.push(format!(
            "counted with sectors of {}; where sectors are as short as a run, nothing is lost",
            text::bytes(sector.into())
        ));
    }
    notes.extend(group.notes());
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if severe {
            Severity::Warning
        } else {
            Severity::Note
        },
        location: main.location.clone(),
        labels: group.labels(|access| {
            format!(
                "`{}` is {} in the same way",
                access.variable,
                group::done(access.operation)
            )
        }),
        message: format!(
            "{what}: `{}` takes {} where {} would do{}",
            main.variable,
            text::plural(traffic.transactions, "transaction"),
            text::number(traffic.ideal_transactions),
            others(group),
        ),
        notes,
        help: Some(help(facts, width)),
    });
    let after = relief::coalesced(facts, &group.accesses);
    let mut lever = Change {
        code: RULE.code,
        step: 4,
        title: match width {
            Some(width) => format!("make rows {width} elements wide"),
            None => "make rows as long as a line".to_owned(),
        },
        resource: Resource::Dram,
        location: Some(main.location.clone()),
        before: None,
        after: after.clone(),
    }
    .lever(facts);
    relief::set_cache_range(&mut lever, facts, &after);
    findings.levers.push(lever);
}

fn others(group: &Group<'_>) -> String {
    match group.accesses.len() - 1 {
        0 => String::new(),
        more => format!(", and so for {}", text::plural(more as f64, "other access")),
    }
}

/// Elements of a row that fill a line; `None` where the line or the element is not known.
fn width_to_use(facts: &Facts, access: &AccessFacts) -> Option<u32> {
    let line = facts
        .machine
        .l1
        .line_bytes
        .or(facts.machine.sector_bytes())?;
    line.checked_div(access.bytes_per_lane?)
        .filter(|&width| width > 1)
}

fn help(facts: &Facts, width: Option<u32>) -> String {
    let Some(width) = width else {
        return "make the rows of a tile as long as a line of the memory".to_owned();
    };
    let [x, y, _] = facts.workgroup_size;
    if y < 2 {
        return format!("use rows (a tile) {width} elements wide");
    }
    let most = Limits::DEFAULT.max_compute_invocations_per_workgroup;
    let height = (shape::invocations(facts) / u64::from(width)).max(1);
    let square = u64::from(width) * u64::from(width);
    let mut help = format!(
        "use a tile {width} wide: a workgroup of {width}×{height} has as many invocations as {x}×{y}"
    );
    if square > u64::from(most) {
        help.push_str(&format!(
            ", while {width}×{width} would need {} where the default limit is {most}",
            text::count(square)
        ));
    }
    help
}
