//! Square tiles in workgroup memory: what they cost, what they save, and the largest that fits.
//!
//! A tile of side `T` is read from memory once and used by `T` rows or columns of the workgroup, so
//! each load is worth `T` uses. Start at [`Tile`].

use crate::limits::Limits;

/// A tiling by squares of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Elements along a side.
    pub side: u32,
    /// Tiles held at once: two for a matrix product.
    pub tiles: u32,
    /// Size of an element.
    pub element_bytes: u32,
    /// Elements of the output that one invocation computes: 1 without register blocking.
    pub outputs_per_invocation: u32,
}

impl Tile {
    /// Workgroup memory of all tiles.
    pub fn bytes(&self) -> u64 {
        u64::from(self.side)
            * u64::from(self.side)
            * u64::from(self.tiles)
            * u64::from(self.element_bytes)
    }

    /// Invocations of the workgroup, rounded up.
    ///
    /// # Panics
    ///
    /// Where `outputs_per_invocation` is zero.
    pub fn invocations(&self) -> u64 {
        (u64::from(self.side) * u64::from(self.side))
            .div_ceil(u64::from(self.outputs_per_invocation))
    }

    /// Times that each loaded element is used.
    pub fn reuse(&self) -> u32 {
        self.side
    }
}

/// FLOP per byte of an f32 matrix product at requested bytes, loads alone: each of the two operands is
/// loaded once per `side` multiply-adds, `2 × side / (2 × 4)`.
///
/// With register blocking, `side` is the effective one: that of the output that a workgroup computes.
pub fn matrix_product_intensity(side: f64) -> f64 {
    side / 4.0
}

/// Bytes that an `n × n` f32 matrix product loads with tiles of `side`: `2n³ / side` elements.
pub fn matrix_product_load_bytes(n: f64, side: f64) -> f64 {
    2.0 * n.powi(3) / side * 4.0
}

/// What keeps a tile from being larger. The order is that in which a tie is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TileLimiter {
    /// Workgroup memory.
    WorkgroupMemory,
    /// Invocations of a workgroup.
    Invocations,
}

impl TileLimiter {
    /// The word that reports use.
    pub fn name(self) -> &'static str {
        match self {
            TileLimiter::WorkgroupMemory => "workgroup_memory",
            TileLimiter::Invocations => "invocations",
        }
    }
}

/// The largest tile that fits, and what stops the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestTile {
    /// The tile.
    pub tile: Tile,
    /// The limit that the tile of twice the side breaks.
    pub limiter: TileLimiter,
}

/// The largest power-of-two side that `limits` allow for tiles otherwise like `tile`, whose side is
/// ignored; none where not even a side of 1 fits.
///
/// # Panics
///
/// Where `tile` has a zero among its counts or sizes.
pub fn best(tile: Tile, limits: &Limits) -> Option<BestTile> {
    let broken = |side: u32| {
        let candidate = Tile { side, ..tile };
        if candidate.bytes() > u64::from(limits.max_compute_workgroup_storage_size) {
            Some(TileLimiter::WorkgroupMemory)
        } else if candidate.invocations() > u64::from(limits.max_compute_invocations_per_workgroup)
        {
            Some(TileLimiter::Invocations)
        } else {
            None
        }
    };
    assert!(
        tile.tiles > 0 && tile.element_bytes > 0,
        "a tile holds something"
    );
    let mut fits = None;
    for power in 0..u32::BITS {
        let side = 1 << power;
        match broken(side) {
            None => fits = Some(side),
            Some(limiter) => {
                return fits.map(|side| BestTile {
                    tile: Tile { side, ..tile },
                    limiter,
                });
            }
        }
    }
    None
}
