//! Figures that must come out: the table of the design, row by row, with the reason beside each.
//!
//! Expected values are derived by hand in the comments, never copied from a run. `machines` holds
//! the generic machine of the table; each other module is a subject.

mod access_patterns;
mod calculators;
mod far_addresses;
mod latency;
mod machines;
mod occupancy;
mod prediction;
mod properties;
mod roofline;
mod tiling;
