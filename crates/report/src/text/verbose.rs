//! What `--verbose` adds: formulas, buffers, layouts, occupancy with steps, sums, assumptions.

use cresta_analysis::{BufferFacts, Derivation, Facts};
use cresta_ir::Space;
use cresta_model::prediction::Resource;
use cresta_model::quantity::Quantity;

use super::occupancy::occupancy_lines;
use super::page::{Page, columns};
use crate::document::KernelReport;
use crate::number::{bytes, count, factor, or_unknown, percent};
use crate::schema::all_assumptions;

pub(super) fn render(page: &mut Page, kernel: &KernelReport) {
    let facts = &kernel.facts;
    work(page, facts);
    buffers(page, facts);
    layouts(page, facts);
    occupancy(page, facts);
    sums(page, facts);
    let assumptions = all_assumptions(kernel);
    if !assumptions.is_empty() {
        page.heading("Assumptions");
        for assumption in assumptions {
            page.wrapped("  - ", 4, 4, &assumption);
        }
    }
    if !facts.unsupported.is_empty() {
        page.heading("Not modelled");
        for unsupported in &facts.unsupported {
            let place = unsupported.location.as_ref();
            let place = place.map_or_else(String::new, |at| format!(" (line {})", at.line));
            page.wrapped("  - ", 4, 4, &format!("{}{place}", unsupported.what));
        }
    }
}

/// How amounts become times; the other sums stand beside what they add up to.
fn sums(page: &mut Page, facts: &Facts) {
    let times: Vec<&Derivation> = (facts.derivations.iter())
        .filter(|derivation| {
            let subject = derivation.subject.as_str();
            subject == "pencil sum" || Resource::ALL.iter().any(|of| of.name() == subject)
        })
        .collect();
    if !times.is_empty() {
        page.heading("Sums");
    }
    for derivation in times {
        entry(page, &derivation.subject, &derivation.text);
    }
}

/// A name, and wrapped text beside it.
fn entry(page: &mut Page, name: &str, text: &str) {
    let first = format!("  {name:<18}");
    let width = columns(&first);
    page.wrapped(&format!("{first} "), width + 1, 21, text);
}

/// How a value is written.
type Render = fn(f64) -> String;

fn work(page: &mut Page, facts: &Facts) {
    page.heading("Work of the launch");
    let work = &facts.work;
    let number: Render = count;
    let size: Render = bytes;
    let requested = Quantity {
        formula: "sum over the buffers".to_owned(),
        ..facts.requested.clone()
    };
    let rows = [
        ("invocations", &work.invocations, number),
        ("FLOP", &work.flops.total, number),
        ("  of them f16", &work.flops.f16, number),
        ("special", &work.special_ops, number),
        ("integer", &work.integer_ops, number),
        ("other", &work.other_ops, number),
        ("subgroup", &work.subgroup_ops, number),
        ("atomics", &work.atomics, number),
        ("barriers", &work.barriers, number),
        ("requested", &requested, size),
        ("transferred", &facts.transferred, size),
        ("compulsory", &facts.compulsory, size),
        ("uniform", &work.bytes.uniform, size),
        ("workgroup memory", &work.bytes.workgroup, size),
        ("private memory", &work.bytes.private, size),
    ];
    for (name, quantity, render) in rows {
        if quantity.value != Some(0.0) {
            entry(page, name, &described(quantity, render));
        }
    }
    entry(
        page,
        "SIMD efficiency",
        &or_unknown(facts.simd_efficiency, percent),
    );
}

/// The value, or its bounds, and the formula behind it.
fn described(quantity: &Quantity, render: Render) -> String {
    let value = match (quantity.value, quantity.lower, quantity.upper) {
        (Some(value), _, _) => render(value),
        (None, Some(low), Some(high)) => {
            format!("unknown, {} to {}", render(low), render(high))
        }
        (None, Some(low), None) => format!("unknown, at least {}", render(low)),
        (None, None, Some(high)) => format!("unknown, at most {}", render(high)),
        (None, None, None) => "unknown".to_owned(),
    };
    let formula = quantity.formula.as_str();
    if formula.is_empty() || formula.parse::<f64>().is_ok() {
        value
    } else {
        format!("{value} = {formula}")
    }
}

fn buffers(page: &mut Page, facts: &Facts) {
    if facts.buffers.is_empty() {
        return;
    }
    page.heading("Buffers");
    for buffer in &facts.buffers {
        entry(page, &buffer.name, &buffer_text(buffer));
    }
}

fn buffer_text(buffer: &BufferFacts) -> String {
    let space = buffer.space.name();
    let size = match (buffer.space, buffer.size_bytes) {
        (Space::Texture, _) => space.to_owned(),
        (_, Some(size)) => format!("{space} of {}", bytes(size as f64)),
        (_, None) => format!("{space}, size unknown (--len {}=N)", buffer.name),
    };
    let requested = described(&buffer.requested, bytes);
    if buffer.space == Space::Uniform {
        return format!("{size}: requested {requested}");
    }
    format!(
        "{size}: requested {requested}, transferred {}, compulsory {}; reuse {} in the launch, {} in a workgroup",
        or_unknown(buffer.transferred.value, bytes),
        or_unknown(buffer.compulsory.value, bytes),
        or_unknown(buffer.reuse_launch, factor),
        or_unknown(buffer.reuse_workgroup, factor),
    )
}

fn layouts(page: &mut Page, facts: &Facts) {
    if facts.layouts.is_empty() {
        return;
    }
    page.heading("Structures");
    for layout in &facts.layouts {
        let members: Vec<String> = layout
            .members
            .iter()
            .map(|member| format!("{} @{}", member.name, member.offset))
            .collect();
        entry(
            page,
            &layout.name,
            &format!(
                "{} B, {} of padding ({}): {}",
                layout.size_bytes,
                layout.padding_bytes,
                percent(layout.padding_fraction),
                members.join(", ")
            ),
        );
    }
}

fn occupancy(page: &mut Page, facts: &Facts) {
    page.heading("Occupancy of one unit");
    for line in occupancy_lines(&facts.occupancy) {
        page.paragraph(2, &line);
    }
}
