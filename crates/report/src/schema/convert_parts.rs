//! Lists of a report: accesses, buffers, conflicts, findings, failures.

use cresta_analysis::{AccessFacts, EntryFailure, Facts, TrafficTotal};
use cresta_ir::Space;
use cresta_model::limits::Limits;

use super::{
    Access, Buffer, CallSite, Conflict, Diagnostic, Failure, Lever, Q, Totals, WorkgroupMemory,
};
use crate::document::{FileReport, Outcome};

pub(super) fn accesses(facts: &Facts) -> Vec<Access> {
    facts
        .accesses
        .iter()
        .map(|of| access(&facts.file, of, facts.work.invocations.value))
        .collect()
}

fn access(file: &str, of: &AccessFacts, invocations: Option<f64>) -> Access {
    let traffic = of.traffic.as_ref();
    let total = of.total.as_ref();
    Access {
        file: file.to_owned(),
        line: of.location.line,
        column: of.location.column,
        space: of.space.name().to_owned(),
        variable: of.variable.clone(),
        member: of.member.clone(),
        op: of.operation.name().to_owned(),
        bytes_per_lane: of.bytes_per_lane,
        pattern: of.pattern.name().to_owned(),
        pattern_share: of.pattern_share,
        basis: of.basis.name().to_owned(),
        stride_bytes: of.stride_bytes,
        address: of.address.clone(),
        transactions: traffic.map(|traffic| traffic.transactions),
        ideal_transactions: traffic.map(|traffic| traffic.ideal_transactions),
        sectors: traffic.map(|traffic| traffic.sectors),
        ideal_sectors: traffic.map(|traffic| traffic.ideal_sectors),
        efficiency: traffic.map(|traffic| traffic.efficiency),
        transactions_total: total.map(|total| total.transactions),
        sectors_total: total.map(|total| total.sectors),
        bytes_total: total.map(|total| total.bytes),
        totals_lower: of.at_least.as_ref().map(totals),
        totals_upper: of.at_most.as_ref().map(totals),
        bank_degree: of.bank_degree,
        executions: Q::new(&of.executions, invocations),
        simd_executions: Q::new(&of.simd_executions, invocations),
        assumes: of.assumes.clone(),
        call_chain: of
            .location
            .call_chain
            .iter()
            .map(|call| CallSite {
                function: call.function.clone(),
                file: file.to_owned(),
                line: call.line,
                column: call.column,
            })
            .collect(),
    }
}

fn totals(of: &TrafficTotal) -> Totals {
    Totals {
        transactions: of.transactions,
        sectors: of.sectors,
        bytes: of.bytes,
    }
}

pub(super) fn buffers(facts: &Facts) -> Vec<Buffer> {
    let invocations = facts.work.invocations.value;
    facts
        .buffers
        .iter()
        .map(|of| Buffer {
            name: of.name.clone(),
            space: of.space.name().to_owned(),
            group: of.binding.map(|(group, _)| group),
            binding: of.binding.map(|(_, binding)| binding),
            writable: of.writable,
            size_bytes: of.size_bytes,
            requested: Q::new(&of.requested, invocations),
            transferred: Q::new(&of.transferred, invocations),
            compulsory: Q::new(&of.compulsory, invocations),
            reuse_launch: of.reuse_launch,
            reuse_workgroup: of.reuse_workgroup,
        })
        .collect()
}

pub(super) fn workgroup_memory(facts: &Facts) -> WorkgroupMemory {
    let conflicts = facts.accesses.iter().filter_map(|of| {
        let degree = of.bank_degree.filter(|&degree| degree > 1.0)?;
        (of.space == Space::Workgroup).then(|| Conflict {
            file: facts.file.clone(),
            line: of.location.line,
            column: of.location.column,
            variable: of.variable.clone(),
            degree,
        })
    });
    WorkgroupMemory {
        bytes: facts.workgroup_bytes,
        limit_bytes: Limits::DEFAULT.max_compute_workgroup_storage_size.into(),
        conflicts: conflicts.collect(),
    }
}

pub(super) fn lever(file: &str, of: &cresta_rules::Lever) -> Lever {
    Lever {
        code: of.code.to_owned(),
        step: of.step,
        title: of.title.clone(),
        gain: of.gain,
        gain_low: of.gain_low,
        gain_high: of.gain_high,
        resource: of.resource.map(|resource| resource.name().to_owned()),
        pays: of.pays,
        why: of.why.clone(),
        file: file.to_owned(),
        line: of.location.as_ref().map(|location| location.line),
        column: of.location.as_ref().map(|location| location.column),
    }
}

pub(super) fn diagnostic(file: &str, of: &cresta_rules::Diagnostic) -> Diagnostic {
    Diagnostic {
        code: of.code.to_owned(),
        severity: of.severity.name().to_owned(),
        file: file.to_owned(),
        line: of.location.line,
        column: of.location.column,
        message: of.message.clone(),
        notes: of.notes.clone(),
        help: of.help.clone(),
    }
}

pub(super) fn entry_failure(file: &str, of: &EntryFailure) -> Failure {
    Failure {
        file: file.to_owned(),
        entry: Some(of.entry.clone()),
        code: crate::REFUSED.to_owned(),
        severity: "error".to_owned(),
        line: of.location.as_ref().map(|location| location.line),
        column: of.location.as_ref().map(|location| location.column),
        message: of.message.clone(),
        help: of.help.clone(),
    }
}

pub(super) fn file_failures(file: &FileReport) -> Option<Failure> {
    let (code, message, place) = match &file.outcome {
        Outcome::Kernels(_) | Outcome::Skipped(_) => return None,
        Outcome::Unreadable(message) => (crate::UNREADABLE, message.clone(), None),
        Outcome::Invalid(error) => (
            error.code(),
            error.to_string(),
            file.source
                .as_ref()
                .zip(error.primary_span())
                .map(|(source, span)| source.line_column(span.start)),
        ),
    };
    Some(Failure {
        file: file.name.clone(),
        entry: None,
        code: code.to_owned(),
        severity: "error".to_owned(),
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        message,
        help: None,
    })
}
