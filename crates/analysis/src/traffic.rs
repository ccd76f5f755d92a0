//! Lines, sectors and bytes of one access: means, totals, and bounds where data decide.

use cresta_model::quantity::Quantity;
use cresta_symbolic::shape::{Shape, ShapeOptions};

use crate::facts::{Traffic, TrafficTotal};

/// Means over SIMD executions; the shape has some.
pub(crate) fn traffic(shape: &Shape) -> Traffic {
    let mean = |sum: f64| sum / shape.simd_executions;
    Traffic {
        transactions: mean(shape.lines),
        ideal_transactions: mean(shape.ideal_lines),
        sectors: mean(shape.sectors),
        ideal_sectors: mean(shape.ideal_sectors),
        efficiency: shape.ideal_sectors / shape.sectors,
    }
}

/// Totals of a shape that was summed over the launch.
pub(crate) fn total(shape: &Shape, options: &ShapeOptions) -> TrafficTotal {
    of(shape.lines, shape.sectors, options)
}

fn of(lines: f64, sectors: f64, options: &ShapeOptions) -> TrafficTotal {
    TrafficTotal {
        transactions: lines,
        sectors,
        bytes: sectors * f64::from(options.sector_bytes),
    }
}

/// What bounds the totals of an access that data decide.
pub(crate) struct Bounded<'a> {
    /// Lane executions.
    pub(crate) executions: &'a Quantity,
    pub(crate) simd_executions: &'a Quantity,
    /// Bytes of one lane; `None` for a texture of unknown format.
    pub(crate) bytes: Option<u32>,
    /// The shape where its lanes run as stand-ins say, with the most lanes that can run in place of
    /// those; `None` where addresses depend on data.
    pub(crate) shape: Option<(&'a Shape, Option<f64>)>,
    pub(crate) options: &'a ShapeOptions,
}

impl Bounded<'_> {
    /// The least that the access moves: what a lane needs for each SIMD execution, or the distinct bytes
    /// of all lanes where no two of a SIMD group share an address.
    pub(crate) fn at_least(&self) -> Option<TrafficTotal> {
        let groups = self.simd_executions.at_least()?;
        let lanes = self.executions.at_least()?;
        let least = |unit: u32| {
            let each = self.per_lane(unit).unwrap_or(1.0);
            let distinct = self.distinct_bytes(lanes) / f64::from(unit);
            (groups * each).max(distinct.ceil())
        };
        let (line, sector) = (self.options.line_bytes, self.options.sector_bytes);
        Some(of(least(line), least(sector), self.options))
    }

    /// The most: each lane by itself, or the lines of a SIMD group of which all lanes run.
    pub(crate) fn at_most(&self) -> Option<TrafficTotal> {
        let lanes = self.executions.at_most()?;
        let most = |unit: u32, counted: fn(&Shape) -> f64| {
            let apart = lanes * self.per_lane(unit)?;
            Some(self.all_lanes(counted).map_or(apart, |all| all.min(apart)))
        };
        let (line, sector) = (self.options.line_bytes, self.options.sector_bytes);
        Some(of(
            most(line, |shape| shape.lines)?,
            most(sector, |shape| shape.sectors)?,
            self.options,
        ))
    }

    /// Lines or sectors that hold one lane's bytes; scalars and vectors are aligned.
    fn per_lane(&self, unit: u32) -> Option<f64> {
        Some(f64::from(self.bytes?.div_ceil(unit)))
    }

    /// Bytes that `lanes` touch, as far as no two lanes of a SIMD group share them.
    fn distinct_bytes(&self, lanes: f64) -> f64 {
        let apart = |(shape, _): &(&Shape, Option<f64>)| shape.addresses >= shape.lanes;
        match (self.shape.filter(apart), self.bytes) {
            (Some(_), Some(bytes)) => lanes * f64::from(bytes),
            _ => 0.0,
        }
    }

    /// Lines or sectors where every lane runs that can. An offset of unknown alignment moves each run of
    /// them by a part of one, which adds one to each run at most.
    fn all_lanes(&self, counted: fn(&Shape) -> f64) -> Option<f64> {
        let (shape, most_lanes) = self.shape?;
        let scale = most_lanes? / Some(shape.lanes).filter(|&lanes| lanes > 0.0)?;
        let shifted = if shape.assumes_alignment { 2.0 } else { 1.0 };
        Some(counted(shape) * scale * shifted)
    }
}
