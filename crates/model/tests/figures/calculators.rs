//! Halo, separable filters, padding, textures, formats, reuse, limits, transfer, statistics.

use crate::machines::assert_near;
use cresta_model::formats::Format;
use cresta_model::halo;
use cresta_model::limits::Limits;
use cresta_model::padding::{Member, StructLayout, layout};
use cresta_model::reuse::{Staging, staging};
use cresta_model::separable::Separated;
use cresta_model::statistics::{Summary, agree_within, mean, median, percentile};
use cresta_model::{textures, transfer};

#[test]
fn loads_of_an_output_with_a_halo_of_4() {
    // ((b + 8) / b)²: 16² / 8², 24² / 16², 40² / 32².
    assert_eq!(halo::loads_per_output(8, 4), 4.0);
    assert_eq!(halo::loads_per_output(16, 4), 2.25);
    assert_near(halo::loads_per_output(32, 4), 1.56, 0.005);
    assert_eq!(halo::loads(16, 4), 576);
    assert_eq!(halo::unstaged_loads_per_output(4), 81);
}

#[test]
fn separable_blur_of_a_1080p_image() {
    let blur = Separated {
        taps: 9,
        width: 1920,
        height: 1080,
        texel_bytes: 8,
    };
    assert_eq!((blur.samples_before(), blur.samples_after()), (81, 18));
    // 1920 × 1080 × 8 bytes of rgba16float, written once and read once.
    assert_eq!(blur.intermediate_bytes(), 16_588_800);
    assert_near(blur.intermediate_seconds(400e9), 83e-6, 0.5e-6);
}

#[test]
fn padding_of_vec3_members() {
    // vec3f at 0 and 16, end 28, rounded to 32.
    let pair = layout(&[Member::VEC3, Member::VEC3]);
    assert_eq!((pair.size_bytes, pair.padding_bytes), (32, 8));
    assert_eq!(pair.padding_fraction(), Some(0.25));
    // An f32 fits the four bytes behind each vec3f.
    let filled = layout(&[Member::VEC3, Member::SCALAR, Member::VEC3, Member::SCALAR]);
    assert_eq!((filled.size_bytes, filled.padding_bytes), (32, 0));
    // f32 at 0, vec2 at 8, vec4 at 16: 4 bytes lost behind the f32.
    let mixed = layout(&[Member::SCALAR, Member::VEC2, Member::VEC4]);
    assert_eq!((mixed.size_bytes, mixed.padding_bytes), (32, 4));
    assert_eq!(layout(&[]), StructLayout::default());
    assert_eq!(layout(&[]).padding_fraction(), None);
}

#[test]
fn textures_in_lines_mips_and_copies() {
    // 128 / 4 = 32 texels, whose 5 bits in Morton order are 3 of x and 2 of y.
    assert_eq!(textures::texels_per_line(128, 4), Some(32));
    assert_eq!(textures::line_block(32), Some((8, 4)));
    assert_eq!(textures::line_block(16), Some((4, 4)));
    assert_eq!(textures::line_block(24), None);
    assert_eq!(textures::texels_per_line(8, 16), None);
    // 4 of 128 bytes.
    assert_near(textures::random_fetch_efficiency(128, 4), 0.03, 0.005);
    // 1 + 1/4 + 1/16 + … = 4/3.
    let mips = textures::mip_chain_factor(1024, 1024).expect("not empty");
    assert_near(mips, 1.33, 0.005);
    // 4 × 2, 2 × 1, 1 × 1: 11 texels over 8.
    assert_eq!(textures::mip_chain_factor(4, 2), Some(11.0 / 8.0));
    assert_eq!(textures::mip_chain_factor(0, 4), None);
    // 100 × 4 = 400 → 512; 64 × 4 = 256 stays.
    assert_eq!(textures::bytes_per_row(100, 4), 512);
    assert_eq!(textures::bytes_per_row(64, 4), 256);
}

#[test]
fn smaller_formats_name_their_feature_and_fallback() {
    for (format, factor, feature) in [
        (Format::F16, 2.0, Some("shader-f16")),
        (Format::Pack2x16Float, 2.0, None),
        (Format::Pack4x8Unorm, 4.0, None),
        (Format::Bc7, 4.0, Some("texture-compression-bc")),
        (Format::Bc1, 8.0, Some("texture-compression-bc")),
    ] {
        assert_eq!(format.byte_factor(), factor, "{}", format.name());
        assert_eq!(format.feature(), feature, "{}", format.name());
        assert!(!format.fallback().is_empty());
    }
}

#[test]
fn staging_by_reuse() {
    for (uses, verdict) in [
        (1.0, Staging::Loses),
        (2.0, Staging::AboutEven),
        (3.9, Staging::AboutEven),
        (4.0, Staging::Wins),
        (16.0, Staging::Wins),
    ] {
        assert_eq!(staging(uses), Some(verdict), "{uses} uses");
    }
    assert_eq!(staging(f64::NAN), None);
}

#[test]
fn default_limits_of_webgpu() {
    let limits = Limits::DEFAULT;
    assert_eq!(limits.max_compute_workgroup_storage_size, 16_384);
    assert_eq!(limits.max_compute_invocations_per_workgroup, 256);
    assert!(limits.allows_workgroup_size([256, 1, 1]));
    assert!(limits.allows_workgroup_size([1, 256, 1]));
    assert!(limits.allows_workgroup_size([4, 1, 64]));
    assert!(!limits.allows_workgroup_size([1, 1, 65]));
    assert!(!limits.allows_workgroup_size([257, 1, 1]));
    assert!(!limits.allows_workgroup_size([32, 32, 1]));
    assert_eq!(limits.max_compute_workgroups_per_dimension, 65_535);
    // 128 MiB / 64 bytes.
    assert_eq!(limits.max_storage_buffer_binding_size, 134_217_728);
    assert_eq!(limits.elements_in_storage_binding(64), Some(2_097_152));
    assert_eq!(limits.elements_in_storage_binding(0), None);
    assert_eq!(limits.max_uniform_buffer_binding_size, 65_536);
    assert_eq!(limits.max_storage_buffers_per_shader_stage, 8);
    assert_eq!(limits.max_bind_groups, 4);
    assert_eq!(limits.min_storage_buffer_offset_alignment, 256);
    assert_eq!(limits.min_uniform_buffer_offset_alignment, 256);
}

#[test]
fn the_host_link_is_two_orders_slower() {
    let link = transfer::PCIE_4_X16_BYTES_PER_SECOND;
    assert_eq!(link, 32e9);
    // 3000 / 32.
    assert_eq!(transfer::slower_than_device_memory(link, 3e12), 93.75);
    // 64 MB up: 2 ms. Nothing comes back, so its rate is not needed.
    assert_eq!(transfer::seconds(64e6, Some(link), 0.0, None), Some(2e-3));
    assert_eq!(transfer::seconds(64e6, Some(link), 1.0, None), None);
}

#[test]
fn order_statistics() {
    let samples = [4.0, 1.0, 3.0, 2.0, 10.0];
    assert_eq!(median(&samples), Some(3.0));
    assert_eq!(median(&samples[..4]), Some(2.5));
    assert_eq!(mean(&samples), Some(4.0));
    // Position 0.95 × 4 = 3.8 between 4 and 10.
    let high = percentile(&samples, 0.95).expect("samples");
    assert_near(high, 8.8, 1e-12);
    assert_eq!(percentile(&samples, 1.5), None);
    assert_eq!((median(&[]), mean(&[])), (None, None));
    assert_eq!(Summary::of(&[]), None);
    let summary = Summary::of(&samples).expect("samples");
    assert_eq!(
        (summary.samples, summary.minimum, summary.maximum),
        (5, 1.0, 10.0)
    );
    // Position 0.05 × 4 = 0.2 between 1 and 2.
    assert_near(summary.percentile_5, 1.2, 1e-12);
    // (1.03 − 1) / 1 is 3 %; (1.04 − 1) is not.
    assert_eq!(agree_within(&[1.0, 1.02, 1.029], 0.03), Some(true));
    assert_eq!(agree_within(&[1.0, 1.04], 0.03), Some(false));
}
