//! Each limit at its value, which is fine, and one above it.

use cresta_analysis::{Facts, WorkgroupVariable};
use cresta_ir::Space;
use cresta_rules::Severity;

use crate::fixture::{at, buffer, checked, diagnostics, vector_add};

const CODE: &str = "limits/default-limits";

/// Messages and helps of the rule.
fn found(change: impl Fn(&mut Facts)) -> Vec<(String, String)> {
    let mut facts = vector_add();
    change(&mut facts);
    let findings = checked(facts);
    diagnostics(&findings, CODE)
        .into_iter()
        .map(|diagnostic| {
            assert_eq!(diagnostic.severity, Severity::Warning);
            (
                diagnostic.message.clone(),
                diagnostic.help.clone().unwrap_or_default(),
            )
        })
        .collect()
}

#[track_caller]
fn one(change: impl Fn(&mut Facts), message: &str, request: &str) {
    match found(change).as_slice() {
        [(found, help)] => {
            assert_eq!(found, message);
            assert!(help.contains(request), "{help}");
        }
        others => panic!("expected one diagnostic, found {others:?}"),
    }
}

#[track_caller]
fn none(change: impl Fn(&mut Facts)) {
    assert_eq!(found(change), []);
}

fn memory(facts: &mut Facts, bytes: &[u64]) {
    facts.workgroup_bytes = bytes.iter().sum();
    facts.workgroup_variables = bytes
        .iter()
        .map(|&bytes| WorkgroupVariable {
            name: format!("w{bytes}"),
            bytes,
            location: Some(at(5)),
        })
        .collect();
}

#[test]
fn workgroup_memory_counts_each_variable_in_sixteens() {
    none(|facts| memory(facts, &[16_384]));
    // 16,380 + 4 bytes are 16,384, but each variable is rounded up: 16,384 + 16.
    one(
        |facts| memory(facts, &[16_380, 4]),
        "workgroup memory takes 16,400 B, and a device grants 16,384 B by default",
        "maxComputeWorkgroupStorageSize: 16400",
    );
}

#[test]
fn workgroup_sizes() {
    none(|facts| facts.workgroup_size = [256, 1, 1]);
    none(|facts| facts.workgroup_size = [1, 4, 64]);
    one(
        |facts| facts.workgroup_size = [32, 32, 1],
        "the workgroup has 1,024 invocations, and a device grants 256 by default",
        "max_compute_invocations_per_workgroup: 1024",
    );
    one(
        |facts| facts.workgroup_size = [1, 1, 128],
        "the workgroup has 128 invocations along z, and a device grants 64 by default",
        "maxComputeWorkgroupSizeZ: 128",
    );
}

#[test]
fn workgroups_of_a_dispatch() {
    none(|facts| facts.workgroups = Some([65_535, 65_535, 1]));
    one(
        |facts| facts.workgroups = Some([65_536, 1, 1]),
        "the dispatch has 65,536 workgroups along x, and a device grants 65,535 by default",
        "maxComputeWorkgroupsPerDimension: 65536",
    );
}

#[test]
fn bindings_of_storage_and_uniform() {
    // 2,097,152 particles of 64 bytes are exactly 128 MiB.
    none(|facts| facts.buffers[0].size_bytes = Some(2_097_152 * 64));
    one(
        |facts| facts.buffers[0].size_bytes = Some(2_097_153 * 64),
        "`a` is a storage binding of 134 MB, and a device grants 128 MiB (134,217,728 B) by default",
        "maxStorageBufferBindingSize: 134217792",
    );
    let uniform = |facts: &mut Facts, bytes| {
        facts.buffers[0].space = Space::Uniform;
        facts.buffers[0].size_bytes = Some(bytes);
    };
    none(|facts| uniform(facts, 65_536));
    one(
        |facts| uniform(facts, 65_552),
        "`a` is a uniform binding of 65,552 B, and a device grants 64 KiB (65,536 B) by default",
        "max_uniform_buffer_binding_size: 65552",
    );
}

#[test]
fn buffers_and_groups_that_the_entry_point_uses() {
    let with = |count: u32| {
        move |facts: &mut Facts| facts.buffers = (0..count).map(|i| buffer("x", i)).collect()
    };
    none(with(8));
    one(
        with(9),
        "the entry point uses 9 storage buffers, and a device grants 8 by default",
        "maxStorageBuffersPerShaderStage: 9",
    );
    none(|facts| facts.buffers[2].binding = Some((3, 0)));
    one(
        |facts| facts.buffers[2].binding = Some((4, 0)),
        "`@group(4)` needs 5 bind groups, and a device grants 4 by default",
        "maxBindGroups: 5",
    );
}
