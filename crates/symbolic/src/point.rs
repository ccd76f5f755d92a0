//! Values of symbols, with what was worked out at them.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::concrete::ConcretePart;
use crate::poly::{AtomId, Poly};

/// A part of a region's domain at the values, for accesses to be placed in.
#[derive(Debug)]
pub(crate) struct PlacedPart {
    /// The part, with an address of zero.
    pub(crate) part: ConcretePart,
    /// What the iteration symbols of the loops stand for.
    pub(crate) iteration_values: FxHashMap<AtomId, Poly>,
}

/// The parts of a region; `None` where something has no value or bound.
pub(crate) type PlacedParts = Option<Rc<[PlacedPart]>>;

/// Values of parameters, overrides, lengths, workgroup counts and unknowns at which shapes, footprints
/// and activity are asked for.
///
/// It remembers what the regions of one program come to there, so it must not be used with another
/// program.
#[derive(Debug)]
pub struct Point {
    values: FxHashMap<AtomId, Poly>,
    pub(crate) parts: RefCell<FxHashMap<usize, PlacedParts>>,
    /// SIMD executions and active lanes of regions.
    pub(crate) activity: RefCell<FxHashMap<(usize, u32), (f64, f64)>>,
}

impl Point {
    /// A point at these values.
    pub fn new(values: FxHashMap<AtomId, Poly>) -> Point {
        Point {
            values,
            parts: RefCell::default(),
            activity: RefCell::default(),
        }
    }

    /// The values.
    pub fn values(&self) -> &FxHashMap<AtomId, Poly> {
        &self.values
    }
}
