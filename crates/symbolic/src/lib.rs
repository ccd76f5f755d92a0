//! The symbolic engine: what a kernel does, as formulas, from the source alone.
//!
//! [`walk`](walk::walk) interprets a kernel over polynomials ([`poly`]) and leaves a
//! [`Program`](program::Program): regions, loops, accesses. [`count`] sums a region's executions into
//! a closed form ([`sum`]); [`shape`] counts lines, sectors and bank conflicts at given values of the
//! parameters, exactly, by lane sets and address residues (`lanes`); [`footprint`] counts distinct
//! bytes. What depends on data is a named symbol in the formulas (`trips@42:7`, `taken@17:3`).
//!
//! Invariants: formulas are exact for whole values of their symbols, under the assumptions that the
//! program lists; a value that is not known is `None`.
//!
//! Start reading at [`walk`] and [`sum`].

pub mod arena;
mod boxes;
mod build;
mod concrete;
mod conditions;
pub mod count;
mod evaluate;
mod facts;
mod families;
pub mod footprint;
mod format;
mod implied;
mod indicator;
mod interval;
mod lane_boxes;
mod lane_values;
mod lanes;
#[cfg(test)]
mod made_up;
mod piecewise;
pub mod point;
pub mod poly;
pub mod program;
mod range;
pub mod ratio;
mod regroup;
mod samples;
mod separate;
pub mod shape;
mod simd;
mod substitute;
pub mod sum;
pub mod totals;
mod value;
mod visit;
pub mod walk;

pub use substitute::Values;
