//! What is looked at: file, entry point, workgroup, launch, machine and why this one.

use cresta_analysis::Facts;

use super::page::{HEADING, Page};
use crate::number::{count, extent, or_unknown};

pub(super) fn render(page: &mut Page, facts: &Facts, machine_reason: &str) {
    page.styled_paragraph(HEADING, 0, &format!("{} › {}", facts.file, facts.entry));
    page.paragraph(0, &launch(facts));
    page.paragraph(
        0,
        &format!(
            "machine: {} ({}), {machine_reason}",
            facts.machine.name, facts.machine.id
        ),
    );
}

fn launch(facts: &Facts) -> String {
    let size = extent(facts.workgroup_size);
    let Some(groups) = facts.workgroups else {
        return format!("launch: workgroups of {size}, how many is unknown");
    };
    let invocations = or_unknown(facts.work.invocations.value, count);
    format!(
        "launch: {} workgroups of {size} = {invocations} invocations",
        extent(groups)
    )
}
