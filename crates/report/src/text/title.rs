//! What is looked at: file, entry point, workgroup, launch, machine and why this one.

use cresta_analysis::Facts;

use super::page::{HEADING, Page, paint};
use crate::number::{count, extent};

pub(super) fn render(page: &mut Page, facts: &Facts, machine_reason: &str) {
    let group: u64 = facts
        .workgroup_size
        .iter()
        .map(|&side| u64::from(side))
        .product();
    page.line(format!(
        "{}  workgroup {} = {} invocations",
        paint(HEADING, format!("{} › {}", facts.file, facts.entry)),
        extent(facts.workgroup_size),
        count(group as f64),
    ));
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
    let Some(groups) = facts.workgroups else {
        return "launch: unknown (--workgroups X,Y,Z or --invocations X,Y,Z settles it)".to_owned();
    };
    let invocations = facts.work.invocations.value;
    let invocations =
        invocations.map_or_else(String::new, |all| format!(" = {} invocations", count(all)));
    format!("launch: {} workgroups{invocations}", extent(groups))
}
