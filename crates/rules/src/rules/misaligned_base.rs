//! A contiguous access starts in the middle of a line, so that each SIMD group needs one line more.
//!
//! # What it does
//!
//! Finds loads and stores of storage buffers that form one contiguous run and yet touch more lines
//! than their bytes need, and lose a tenth or more of the sectors they move (an `f32` a lane loses
//! half at sectors of 128 bytes and a fifth at 32).
//!
//! It is a warning where at least half is lost to data that is read once, and a note otherwise.
//! Nothing is said of a sliding window: where the launch reads each byte of the buffer twice or more,
//! or where another access of the kernel reads the same buffer in whole lines, the neighbours' lines
//! are wanted anyway.
//!
//! # Why it matters
//!
//! 32 lanes of `f32` are 128 bytes: one line when they start at one, and two when they do not. The
//! access looks perfect in the source.
//!
//! # Example
//!
//! ```wgsl
//! dst[i] = src[i + d.offset];   // d.offset = 1
//! ```
//!
//! # Use instead
//!
//! Make the offset a multiple of a line (32 elements of `f32`): pad rows to a multiple of it, or bind
//! the buffer at the offset, which WebGPU keeps at multiples of 256 bytes.
//!
//! # When it does nothing
//!
//! When memory does not bind. Neighbouring SIMD groups share the lines at their borders, so a cache
//! can absorb most of the loss: the gain is a range that starts at 1.00×.
//!
//! # References
//!
//! - NVIDIA, CUDA C++ Best Practices Guide, “A Sequential but Misaligned Access Pattern”.
//! - WebGPU, “Limits”: `minStorageBufferOffsetAlignment` is 256.

use cresta_analysis::{AccessFacts, Facts};
use cresta_ir::Space;
use cresta_model::prediction::Resource;
use cresta_model::transactions::Pattern;

use crate::change::Change;
use crate::finding::{Diagnostic, Findings, Severity};
use crate::group::{self, Group};
use crate::registry::{Rule, Status};
use crate::relief;
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "memory/misaligned-base",
    Severity::Warning,
    Status::Stable,
    include_str!("misaligned_base.rs"),
    check,
);

/// Efficiency from which the loss is too small to mention: `vec4f` loses 1 sector in 17 at 32 bytes.
const SMALL_LOSS: f64 = 0.9;
/// Efficiency up to which the loss is a warning.
const LARGE_LOSS: f64 = 0.5;
/// Uses of each byte in the launch from which an access is taken for a window that slides.
const WINDOW: f64 = 2.0;

fn check(facts: &Facts, findings: &mut Findings) {
    let misaligned = facts
        .accesses
        .iter()
        .filter(|access| is_misaligned(access) && !is_window(facts, access));
    for group in group::by_place(misaligned) {
        found(facts, &group, findings);
    }
}

fn is_misaligned(access: &AccessFacts) -> bool {
    access.space == Space::Storage
        && access.pattern == Pattern::Misaligned
        && (access.traffic.as_ref()).is_some_and(|traffic| traffic.efficiency < SMALL_LOSS)
}

fn is_window(facts: &Facts, access: &AccessFacts) -> bool {
    let aligned_elsewhere = facts.accesses.iter().any(|other| {
        other.variable == access.variable
            && other.operation == access.operation
            && other.pattern == Pattern::Contiguous
    });
    aligned_elsewhere || reuse(facts, access).is_some_and(|uses| uses >= WINDOW)
}

fn reuse(facts: &Facts, access: &AccessFacts) -> Option<f64> {
    let buffer = facts
        .buffers
        .iter()
        .find(|buffer| buffer.name == access.variable)?;
    buffer.reuse_launch
}

fn found(facts: &Facts, group: &Group<'_>, findings: &mut Findings) {
    let main = group.main();
    let Some(traffic) = &main.traffic else { return };
    let read_once = reuse(facts, main).is_some();
    let costs = read_once && traffic.efficiency <= LARGE_LOSS && group.matters(facts);
    findings.diagnostics.push(Diagnostic {
        code: RULE.code,
        severity: if costs { Severity::Warning } else { Severity::Note },
        location: main.location.clone(),
        labels: Vec::new(),
        message: format!(
            "`{}` is {} contiguously but not from the start of a line: {} where {} would do, {} of what is moved is used",
            main.variable,
            group::done(main.operation),
            text::plural(traffic.transactions, "transaction"),
            text::number(traffic.ideal_transactions),
            text::percent(traffic.efficiency),
        ),
        notes: group.notes(),
        help: Some(help(facts, main)),
    });
    let after = relief::coalesced(facts, &group.accesses);
    let mut lever = Change {
        code: RULE.code,
        step: 4,
        title: format!("align `{}` to whole lines", main.variable),
        resource: Resource::Dram,
        location: Some(main.location.clone()),
        before: None,
        after: after.clone(),
    }
    .lever(facts);
    relief::set_cache_range(&mut lever, facts, &after);
    findings.levers.push(lever);
}

fn help(facts: &Facts, access: &AccessFacts) -> String {
    let elements = facts
        .machine
        .l1
        .line_bytes
        .or(facts.machine.sector_bytes())
        .zip(access.bytes_per_lane)
        .and_then(|(line, bytes)| line.checked_div(bytes))
        .filter(|&elements| elements > 1);
    match elements {
        Some(elements) => format!(
            "make the offset, or the length of a row, a multiple of {elements} elements; a binding's own offset is a multiple of 256 bytes already"
        ),
        None => "make the offset, or the length of a row, a multiple of a line; a binding's own offset is a multiple of 256 bytes already".to_owned(),
    }
}
