//! The rules, one a file.
//!
//! Each file opens with its documentation, states its thresholds as constants with their reasons, and
//! ends in a `check` that adds to the findings. Each cause gives one diagnostic, however many accesses
//! it has. To add a rule, copy `strided_access.rs`, add the file to [`ALL`] in the order of codes, add
//! firing and non-firing cases under `tests/rules`, and write the documentation with
//! `cargo run -p cresta-rules --example docs`.

use crate::registry::Rule;

mod arithmetic_does_nothing;
mod bank_conflict;
mod default_limits;
mod does_not_fit;
mod endless_loop;
mod low_occupancy;
mod misaligned_base;
mod non_uniform_barrier;
mod out_of_range;
mod portability;
mod short_runs;
mod simd_waste;
mod strided_access;
mod struct_padding;
mod too_few_workgroups;
mod unsupported_construct;

/// Every rule, by code.
pub(crate) const ALL: &[Rule] = &[
    arithmetic_does_nothing::RULE,
    endless_loop::RULE,
    non_uniform_barrier::RULE,
    simd_waste::RULE,
    too_few_workgroups::RULE,
    struct_padding::RULE,
    default_limits::RULE,
    misaligned_base::RULE,
    out_of_range::RULE,
    short_runs::RULE,
    strided_access::RULE,
    does_not_fit::RULE,
    low_occupancy::RULE,
    portability::attribute::RULE,
    portability::byte_order_mark::RULE,
    portability::enable::RULE,
    portability::pointer_parameter::RULE,
    portability::requires::RULE,
    portability::uniform_layout::RULE,
    unsupported_construct::RULE,
    bank_conflict::RULE,
];
