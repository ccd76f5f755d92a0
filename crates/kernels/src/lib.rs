//! A library of WGSL compute kernels, each with a CPU reference and its closed-form counts.
//!
//! Every engine of the workspace is tested against this crate: the numbers in [`Counts`] are derived
//! by hand from the source of a kernel, never by an engine, and each derivation stands in the
//! documentation of the function that computes it. The kernels' text lies in `wgsl/`, one file a
//! shader; a file may have several entry points, each of which is a [`KernelCase`] of its own.
//!
//! Invariants:
//! - No kernel case depends on another crate of the workspace.
//! - A count that the conventions leave open for a launch is `None`, never a guess.
//! - References take slices and return vectors; they know nothing of launches or buffers.
//! - Every launch stays inside its buffers and inside WebGPU's default limits.
//!
//! Start at [`all`] and [`KernelCase`]; [`elementwise`] shows the shortest complete kernels.

pub mod blur;
pub mod elementwise;
pub mod histogram;
pub mod matmul;
pub mod matmul_blocked;
pub mod normalize;
pub mod packing;
pub mod particles;
pub mod reduce;
pub mod rows;
pub mod streams;
pub mod transpose;
pub mod triangular;

mod case;
mod counts;
mod data;
mod launch;

pub use case::{Access, BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
pub use counts::Counts;
pub use data::{Buffers, Data, Fill, random_word};
pub use launch::{LaunchCase, Scalar, Size};

static ALL: [KernelCase; 36] = [
    elementwise::VECTOR_ADD,
    elementwise::RELU,
    elementwise::F32_SCALE,
    elementwise::F16_SCALE,
    packing::PACK_4X8,
    packing::UNPACK_4X8,
    packing::PACK_2X16,
    streams::COPY_MISALIGNED,
    streams::GRID_STRIDE_SAXPY,
    rows::ROW_SUM_THREAD_PER_ROW,
    rows::ROW_SUM_WORKGROUP_PER_ROW,
    normalize::LAYER_NORM,
    normalize::SOFTMAX,
    particles::PARTICLES_AOS,
    particles::PARTICLES_SOA,
    particles::PARTICLES_HOT_COLD,
    matmul::NAIVE,
    matmul::NAIVE_32X8,
    matmul::TILED,
    matmul::TILED_8,
    matmul_blocked::REGISTER_BLOCKED,
    matmul_blocked::REGISTER_BLOCKED_LOOPS,
    blur::DIRECT,
    blur::HORIZONTAL,
    blur::VERTICAL,
    blur::SHARED_HALO,
    transpose::NAIVE,
    transpose::TILED,
    transpose::TILED_PADDED,
    reduce::DOUBLING,
    reduce::HALVING,
    reduce::SCAN,
    histogram::WORKGROUP,
    histogram::STORAGE,
    triangular::MATVEC,
    triangular::NEST,
];

/// Every kernel of the library, in the order of its families.
pub fn all() -> &'static [KernelCase] {
    &ALL
}

/// The kernel of the given [name](KernelCase::name), if there is one.
pub fn find(name: &str) -> Option<&'static KernelCase> {
    ALL.iter().find(|case| case.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        let names: BTreeSet<_> = all().iter().map(|case| case.name).collect();
        assert_eq!(names.len(), all().len());
        assert!(
            all()
                .iter()
                .all(|case| find(case.name).is_some_and(|found| found.name == case.name))
        );
        assert!(find("no such kernel").is_none());
    }

    #[test]
    fn sources_declare_what_the_cases_say() {
        for case in all() {
            let source = case.source;
            assert!(
                source.contains(&format!("fn {}(", case.entry)),
                "{}",
                case.name
            );
            for buffer in case.buffers {
                let declaration = format!("@group(0) @binding({}) var<storage, ", buffer.binding);
                let line = source.lines().find(|line| line.starts_with(&declaration));
                let named =
                    line.is_some_and(|line| line.contains(&format!("> {}: array<", buffer.name)));
                assert!(named, "{} binds {} elsewhere", case.name, buffer.name);
                let read_only = line.is_some_and(|line| line.contains("<storage, read>"));
                assert_eq!(
                    read_only,
                    buffer.access == Access::Read,
                    "{} {}",
                    case.name,
                    buffer.name
                );
            }
            for member in case.uniform.iter().flat_map(|uniform| uniform.members) {
                let name = member.path.trim_start_matches("d.");
                let kind = match member.scalar {
                    ScalarType::U32 => "u32",
                    ScalarType::F32 => "f32",
                    ScalarType::F16 => "f16",
                };
                assert!(
                    source.contains(&format!("  {name}: {kind},")),
                    "{} {name}",
                    case.name
                );
            }
        }
    }

    #[test]
    fn launches_have_four_sizes_and_stay_inside_the_limits() {
        for case in all() {
            let launches = case.launches();
            let sizes: Vec<_> = launches.iter().map(|launch| launch.size).collect();
            assert_eq!(
                sizes,
                [Size::Tiny, Size::Round, Size::Ragged, Size::Large],
                "{}",
                case.name
            );
            for launch in &launches {
                assert!(
                    launch
                        .workgroups
                        .iter()
                        .all(|count| (1..=65_535).contains(count))
                );
                for buffer in case.buffers {
                    let bytes = launch.lengths[buffer.name] * u64::from(buffer.element_bytes());
                    assert!(bytes <= 128 << 20, "{} {}", case.name, buffer.name);
                }
                let members = case.uniform.map_or(0, |uniform| uniform.members.len());
                assert_eq!(launch.params.len(), members, "{}", case.name);
            }
        }
    }

    #[test]
    fn counts_are_consistent_with_the_launch() {
        for case in all() {
            let lanes = u128::from(case.workgroup_invocations());
            for launch in case.launches() {
                let groups: u128 = launch
                    .workgroups
                    .iter()
                    .map(|count| u128::from(*count))
                    .product();
                let counts = &launch.counts;
                assert_eq!(counts.invocations, groups * lanes, "{}", case.name);
                assert!(counts.special_ops <= counts.flops);
                if let Some(compulsory) = counts.compulsory_bytes {
                    assert!(compulsory <= counts.requested_bytes(), "{}", case.name);
                }
                let accessed: BTreeSet<_> = counts
                    .read_bytes
                    .keys()
                    .chain(counts.write_bytes.keys())
                    .collect();
                let declared: BTreeSet<_> =
                    case.buffers.iter().map(|buffer| &buffer.name).collect();
                assert_eq!(accessed, declared, "{}", case.name);
            }
        }
    }

    #[test]
    fn references_write_every_output_whole() {
        for case in all() {
            for launch in case
                .launches()
                .iter()
                .filter(|launch| launch.size != Size::Large)
            {
                let inputs = case.inputs(launch, 42);
                let outputs = case.expected(launch, &inputs);
                for buffer in case.buffers.iter().filter(|b| b.access != Access::Read) {
                    let scalars =
                        launch.lengths[buffer.name] * u64::from(buffer.scalars_per_element);
                    assert_eq!(outputs[buffer.name].len() as u64, scalars, "{}", case.name);
                }
            }
        }
    }
}
