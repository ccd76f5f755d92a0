//! Tiles in workgroup memory and the tiled matrix product.

use crate::machines::assert_near;
use cresta_model::limits::Limits;
use cresta_model::tiling::{
    Tile, TileLimiter, best, matrix_product_intensity, matrix_product_load_bytes,
};

/// Two f32 tiles, an element an invocation.
fn two_tiles(side: u32) -> Tile {
    Tile {
        side,
        tiles: 2,
        element_bytes: 4,
        outputs_per_invocation: 1,
    }
}

#[test]
fn bytes_and_invocations_by_side() {
    // 2 × side² × 4 bytes, side² invocations.
    for (side, bytes, invocations) in [
        (8, 512, 64),
        (16, 2_048, 256),
        (32, 8_192, 1_024),
        (64, 32_768, 4_096),
    ] {
        let tile = two_tiles(side);
        assert_eq!(
            (tile.bytes(), tile.invocations(), tile.reuse()),
            (bytes, invocations, side)
        );
    }
    // 65,536 / 2,048.
    assert_eq!((64 << 10) / two_tiles(16).bytes(), 32);
}

#[test]
fn sixteen_is_the_most_by_invocations_and_not_by_memory() {
    let best_tile = best(two_tiles(1), &Limits::DEFAULT).expect("a side of 1 fits");
    assert_eq!(
        (best_tile.tile.side, best_tile.limiter),
        (16, TileLimiter::Invocations)
    );
    // Four outputs an invocation take 32; 64 needs 32,768 bytes and 1,024 invocations: memory is
    // named first.
    let blocked = Tile {
        outputs_per_invocation: 4,
        ..two_tiles(1)
    };
    let best_tile = best(blocked, &Limits::DEFAULT).expect("a side of 1 fits");
    assert_eq!(
        (best_tile.tile.side, best_tile.limiter),
        (32, TileLimiter::WorkgroupMemory)
    );
    let too_large = Tile {
        element_bytes: 16_384,
        ..two_tiles(1)
    };
    assert_eq!(best(too_large, &Limits::DEFAULT), None);
}

#[test]
fn tiled_product_of_1024_with_tiles_of_16() {
    let n = 1024_f64;
    assert_eq!(matrix_product_intensity(16.0), 4.0);
    // 8n³ / 16 = 536.9 MB of loads, and n² × 4 = 4.2 MB stored.
    let loads = matrix_product_load_bytes(n, 16.0);
    let store = n * n * 4.0;
    assert_near(loads, 537e6, 0.5e6);
    assert_near(loads / 400e9, 1.34e-3, 0.005e-3);
    assert_near(loads + store, 541e6, 0.5e6);
    assert_near((loads + store) / 400e9, 1.353e-3, 0.0005e-3);
    assert_near(2.0 * n.powi(3) / (loads + store), 3.97, 0.005);
    // Half of each 128-byte sector is used, by loads and store alike.
    assert_near(2.0 * loads, 1.07e9, 0.005e9);
    assert_near(2.0 * loads / 400e9, 2.68e-3, 0.005e-3);
    assert_near(2.0 * (loads + store), 1.082e9, 0.0005e9);
    assert_near(2.0 * (loads + store) / 400e9, 2.705e-3, 0.0005e-3);
}

#[test]
fn register_blocking_to_an_effective_side_of_64() {
    assert_eq!(matrix_product_intensity(64.0), 16.0);
}
