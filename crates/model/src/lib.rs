//! Performance models as pure functions: no I/O, no GPU, no clock.
//!
//! Every quantity carries its unit in its name (`…_bytes`, `…_seconds`, `…_per_second`). What is not
//! known is `None`, never a neutral number, and nothing is clamped: 118 % of a roof comes out as 1.18.
//!
//! Start at [`roofline`] for the picture, at [`transactions`], [`banks`] and [`occupancy`] for what
//! one access or one workgroup costs, and at [`prediction`] for the time of a launch.

pub mod banks;
pub mod formats;
pub mod halo;
mod lanes;
pub mod launch;
pub mod limits;
pub mod littles_law;
pub mod machine;
pub mod occupancy;
pub mod operation;
pub mod padding;
pub mod prediction;
pub mod quantity;
pub mod reuse;
pub mod roofline;
pub mod separable;
pub mod statistics;
pub mod textures;
pub mod tiling;
pub mod transactions;
pub mod transfer;
pub mod what_if;
pub mod work;
