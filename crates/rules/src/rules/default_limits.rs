//! The kernel asks for more than a WebGPU device grants unless it is asked.
//!
//! # What it does
//!
//! Counts what this entry point uses against WebGPU's default limits: workgroup memory (16,384 bytes,
//! each variable rounded up to 16), invocations of a workgroup (256, and 256×256×64 by side),
//! workgroups along each dimension of the dispatch (65,535), the size of each binding (128 MiB in
//! storage, 64 KiB in uniform), storage buffers (8), uniform buffers (12) and bind groups (4). A value
//! at its limit is fine. Each limit that is passed is a warning, with what to request.
//!
//! # Why it matters
//!
//! A device is created with the default limits unless the program requests more, however large the GPU
//! is. Past a limit, creating the pipeline or the bind group fails, or the dispatch does.
//!
//! # Example
//!
//! ```wgsl
//! var<workgroup> a: array<f32, 4096>;   // 16,384 bytes: the most by default
//! var<workgroup> b: array<f32, 16>;     // 64 more
//! ```
//!
//! # Use instead
//!
//! Stay within the default, or request the limit, after a look at `adapter.limits`:
//!
//! ```js
//! const device = await adapter.requestDevice({
//!   requiredLimits: { maxComputeWorkgroupStorageSize: 16448 },
//! });
//! ```
//!
//! In wgpu the same field is `max_compute_workgroup_storage_size` of `Limits`. Keep a second path for
//! adapters that do not offer as much.
//!
//! # When it does nothing
//!
//! When the program requests the limit already: Cresta sees the shader and not the program.
//!
//! # References
//!
//! - WebGPU, “Limits” and “GPUProgrammableStage” (how workgroup memory is summed).

use cresta_analysis::{BufferFacts, Facts, Location};
use cresta_ir::Space;
use cresta_model::limits::Limits;

use crate::finding::{Diagnostic, Findings, Severity};
use crate::registry::{Rule, Status};
use crate::text;

pub(crate) const RULE: Rule = Rule::new(
    "limits/default-limits",
    Severity::Warning,
    Status::Stable,
    include_str!("default_limits.rs"),
    check,
);

/// Each variable in workgroup memory counts as a multiple of this many bytes (WebGPU,
/// “GPUProgrammableStage”).
const WORKGROUP_VARIABLE_GRANULE: u64 = 16;

/// A limit that is passed.
struct Passed {
    /// The subject of the sentence, with its verb: `workgroup memory takes`.
    what: String,
    /// What is asked for, and what is granted, with the unit.
    amount: String,
    granted: String,
    /// The limit's name in JavaScript and in wgpu, and the value to request.
    names: (&'static str, &'static str),
    request: u64,
    location: Location,
    note: Option<String>,
}

fn check(facts: &Facts, findings: &mut Findings) {
    let passed = workgroup_memory(facts)
        .into_iter()
        .chain(workgroup_size(facts))
        .chain(workgroups(facts))
        .chain(
            facts
                .buffers
                .iter()
                .filter_map(|buffer| binding(facts, buffer)),
        )
        .chain(buffer_counts(facts))
        .chain(bind_groups(facts));
    for passed in passed {
        let (javascript, wgpu) = passed.names;
        findings.diagnostics.push(Diagnostic {
            code: RULE.code,
            severity: RULE.severity,
            location: passed.location,
            labels: Vec::new(),
            message: format!(
                "{} {}, and a device grants {} by default",
                passed.what, passed.amount, passed.granted
            ),
            notes: passed.note.into_iter().collect(),
            help: Some(format!(
                "request `requiredLimits: {{ {javascript}: {request} }}` (wgpu: `{wgpu}: {request}` in `Limits`), after checking that `adapter.limits` offers it",
                request = passed.request
            )),
        });
    }
}

fn workgroup_memory(facts: &Facts) -> Option<Passed> {
    let granted = u64::from(Limits::DEFAULT.max_compute_workgroup_storage_size);
    let counted: u64 = if facts.workgroup_variables.is_empty() {
        facts.workgroup_bytes
    } else {
        let sizes = facts
            .workgroup_variables
            .iter()
            .map(|variable| variable.bytes);
        sizes
            .map(|bytes| bytes.next_multiple_of(WORKGROUP_VARIABLE_GRANULE))
            .sum()
    };
    let largest = facts
        .workgroup_variables
        .iter()
        .max_by_key(|variable| variable.bytes);
    (counted > granted).then(|| Passed {
        what: "workgroup memory takes".to_owned(),
        amount: text::bytes(counted as f64),
        granted: text::bytes(granted as f64),
        names: (
            "maxComputeWorkgroupStorageSize",
            "max_compute_workgroup_storage_size",
        ),
        request: counted,
        location: (largest.and_then(|variable| variable.location.as_ref()))
            .unwrap_or(&facts.location)
            .clone(),
        note: largest.map(|variable| {
            format!(
                "the largest variable is `{}` with {}",
                variable.name,
                text::bytes(variable.bytes as f64)
            )
        }),
    })
}

fn workgroup_size(facts: &Facts) -> Vec<Passed> {
    let limits = Limits::DEFAULT;
    let [x, y, z] = facts.workgroup_size.map(u64::from);
    [
        (
            "the workgroup has",
            " invocations",
            x * y * z,
            limits.max_compute_invocations_per_workgroup,
            (
                "maxComputeInvocationsPerWorkgroup",
                "max_compute_invocations_per_workgroup",
            ),
        ),
        (
            "the workgroup has",
            " invocations along x",
            x,
            limits.max_compute_workgroup_size_x,
            ("maxComputeWorkgroupSizeX", "max_compute_workgroup_size_x"),
        ),
        (
            "the workgroup has",
            " invocations along y",
            y,
            limits.max_compute_workgroup_size_y,
            ("maxComputeWorkgroupSizeY", "max_compute_workgroup_size_y"),
        ),
        (
            "the workgroup has",
            " invocations along z",
            z,
            limits.max_compute_workgroup_size_z,
            ("maxComputeWorkgroupSizeZ", "max_compute_workgroup_size_z"),
        ),
    ]
    .into_iter()
    .filter(|&(_, _, amount, granted, _)| amount > u64::from(granted))
    .map(|(what, unit, amount, granted, names)| Passed {
        what: what.to_owned(),
        amount: format!("{}{unit}", text::count(amount)),
        granted: text::count(granted.into()),
        names,
        request: amount,
        location: facts.location.clone(),
        note: None,
    })
    .collect()
}

fn workgroups(facts: &Facts) -> Option<Passed> {
    let granted = Limits::DEFAULT.max_compute_workgroups_per_dimension;
    let groups = facts.workgroups?;
    let axis = (0..3).max_by_key(|&axis| (groups[axis], 2 - axis))?;
    (groups[axis] > granted).then(|| Passed {
        what: "the dispatch has".to_owned(),
        amount: format!(
            "{} workgroups along {}",
            text::count(groups[axis].into()),
            ["x", "y", "z"][axis]
        ),
        granted: text::count(granted.into()),
        names: (
            "maxComputeWorkgroupsPerDimension",
            "max_compute_workgroups_per_dimension",
        ),
        request: groups[axis].into(),
        location: facts.location.clone(),
        note: Some(
            "few adapters offer more: fold the grid into two dimensions, or let each invocation take several elements"
                .to_owned(),
        ),
    })
}

fn binding(facts: &Facts, buffer: &BufferFacts) -> Option<Passed> {
    let limits = Limits::DEFAULT;
    let (kind, granted, shown, names) = match buffer.space {
        Space::Storage => (
            "storage",
            limits.max_storage_buffer_binding_size,
            "128 MiB",
            (
                "maxStorageBufferBindingSize",
                "max_storage_buffer_binding_size",
            ),
        ),
        Space::Uniform => (
            "uniform",
            limits.max_uniform_buffer_binding_size,
            "64 KiB",
            (
                "maxUniformBufferBindingSize",
                "max_uniform_buffer_binding_size",
            ),
        ),
        _ => return None,
    };
    let size = buffer.size_bytes.filter(|&size| size > granted)?;
    let whole = limits.max_buffer_size;
    Some(Passed {
        what: format!("`{}` is a {kind} binding of", buffer.name),
        amount: text::bytes(size as f64),
        granted: format!("{shown} ({} B)", text::count(granted)),
        names,
        request: size,
        location: access_location(facts, buffer),
        note: (size > whole).then(|| {
            format!(
                "the buffer itself needs `maxBufferSize: {size}`, of which {} B are granted by default",
                text::count(whole)
            )
        }),
    })
}

/// The first access of the buffer, or the entry point.
fn access_location(facts: &Facts, buffer: &BufferFacts) -> Location {
    let access = facts
        .accesses
        .iter()
        .find(|access| access.variable == buffer.name);
    access
        .map_or(&facts.location, |access| &access.location)
        .clone()
}

fn buffer_counts(facts: &Facts) -> Vec<Passed> {
    let limits = Limits::DEFAULT;
    [
        (
            Space::Storage,
            limits.max_storage_buffers_per_shader_stage,
            (
                "maxStorageBuffersPerShaderStage",
                "max_storage_buffers_per_shader_stage",
            ),
        ),
        (
            Space::Uniform,
            limits.max_uniform_buffers_per_shader_stage,
            (
                "maxUniformBuffersPerShaderStage",
                "max_uniform_buffers_per_shader_stage",
            ),
        ),
    ]
    .into_iter()
    .filter_map(|(space, granted, names)| {
        let bound = |buffer: &&BufferFacts| buffer.space == space && buffer.binding.is_some();
        let used = facts.buffers.iter().filter(bound).count() as u64;
        (used > u64::from(granted)).then(|| Passed {
            what: "the entry point uses".to_owned(),
            amount: format!("{used} {} buffers", space.name()),
            granted: granted.to_string(),
            names,
            request: used,
            location: facts.location.clone(),
            note: (space == Space::Storage).then(|| {
                "several arrays of one element type fit into one buffer, at offsets that a uniform gives"
                    .to_owned()
            }),
        })
    })
    .collect()
}

fn bind_groups(facts: &Facts) -> Option<Passed> {
    let granted = u64::from(Limits::DEFAULT.max_bind_groups);
    let groups = facts.buffers.iter().filter_map(|buffer| buffer.binding);
    let most = u64::from(groups.map(|(group, _)| group).max()?) + 1;
    (most > granted).then(|| Passed {
        what: format!("`@group({})` needs", most - 1),
        amount: format!("{most} bind groups"),
        granted: granted.to_string(),
        names: ("maxBindGroups", "max_bind_groups"),
        request: most,
        location: facts.location.clone(),
        note: None,
    })
}
