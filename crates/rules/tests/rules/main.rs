//! Firing and non-firing cases of every rule, with gains derived by hand.

mod fixture;

mod arithmetic_does_nothing;
mod bank_conflict;
mod default_limits;
mod documentation;
mod does_not_fit;
mod endless_loop;
mod low_occupancy;
mod misaligned_base;
mod non_uniform_barrier;
mod out_of_range;
mod portability;
mod registry;
mod short_runs;
mod simd_waste;
mod strided_access;
mod struct_padding;
mod too_few_workgroups;
mod unsupported_construct;
