//! One blur in four kernels: direct, as two passes, and staged with its halo.
//!
//! Images are arrays of `f32`, row by row. The window has k = 2 radius + 1 weights along each axis;
//! coordinates outside are moved to the nearest edge. Start at [`DIRECT`].

use crate::case::{BufferSpec, KernelCase, ParamSpec, ScalarType, Tolerance, UniformSpec};
use crate::counts::Counts;
use crate::data::{Data, Fill};
use crate::elementwise::LINEAR_64;
use crate::launch::{LaunchCase, Size};

/// Side of a workgroup and of its block of pixels.
const BLOCK: u32 = 16;

/// Radius of the staged blur, fixed in its text.
const HALO: u32 = 4;

/// k² samples a pixel.
pub const DIRECT: KernelCase = KernelCase {
    name: "blur_direct",
    source: include_str!("../wgsl/blur_direct.wgsl"),
    file_name: "blur_direct.wgsl",
    summary: "blurs with k × k samples a pixel",
    make_launches: || launches(direct_counts),
    run_reference: |launch, inputs| reference(launch, inputs, [true, true]),
    ..BLUR
};

/// First pass of the separable blur: k samples a pixel along x.
pub const HORIZONTAL: KernelCase = KernelCase {
    name: "blur_horizontal",
    entry: "horizontal",
    summary: "first pass of a separable blur: k samples along x",
    make_launches: || launches(horizontal_counts),
    run_reference: |launch, inputs| reference(launch, inputs, [true, false]),
    ..SEPARABLE
};

/// Second pass of the separable blur: k samples a pixel along y.
pub const VERTICAL: KernelCase = KernelCase {
    name: "blur_vertical",
    entry: "vertical",
    summary: "second pass of a separable blur: k samples along y",
    make_launches: || launches(vertical_counts),
    run_reference: |launch, inputs| reference(launch, inputs, [false, true]),
    ..SEPARABLE
};

/// Blocks of 16 by 16 with a halo of 4 in workgroup memory.
pub const SHARED_HALO: KernelCase = KernelCase {
    name: "blur_shared_halo",
    source: include_str!("../wgsl/blur_shared_halo.wgsl"),
    file_name: "blur_shared_halo.wgsl",
    summary: "blurs from a staged tile of 24 × 24: 2.25 loads a pixel",
    workgroup_memory_bytes: 2304,
    bank_conflict_degree: Some(2),
    uniform: UniformSpec::of(&[ParamSpec::u32("d.width"), ParamSpec::u32("d.height")]),
    make_launches: halo_launches,
    run_reference: |launch, inputs| reference(launch, inputs, [true, true]),
    ..BLUR
};

const BLUR: KernelCase = KernelCase {
    workgroup_size: [BLOCK, BLOCK, 1],
    uniform: UniformSpec::of(&[
        ParamSpec::u32("d.width"),
        ParamSpec::u32("d.height"),
        ParamSpec::u32("d.radius"),
    ]),
    buffers: &[
        BufferSpec::input("src", 1, ScalarType::F32),
        BufferSpec::input("weights", 2, ScalarType::F32).filled(Fill::Uniform {
            low: 0.0,
            high: 0.25,
        }),
        BufferSpec::output("dst", 3, ScalarType::F32),
    ],
    tolerance: Tolerance::Relative(1e-5),
    ..LINEAR_64
};

const SEPARABLE: KernelCase = KernelCase {
    source: include_str!("../wgsl/blur_separable.wgsl"),
    file_name: "blur_separable.wgsl",
    ..BLUR
};

/// Size of an image in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels of a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Image {
    fn pixels(self) -> u128 {
        u128::from(self.width) * u128::from(self.height)
    }

    fn groups(self) -> u128 {
        u128::from(self.width.div_ceil(BLOCK)) * u128::from(self.height.div_ceil(BLOCK))
    }

    /// Whether blocks cover the image without a remainder.
    fn is_whole(self) -> bool {
        self.width.is_multiple_of(BLOCK) && self.height.is_multiple_of(BLOCK)
    }

    fn launch(self, size: Size, radius: u32, counts: Counts) -> LaunchCase {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let groups = [self.width.div_ceil(BLOCK), self.height.div_ceil(BLOCK), 1];
        LaunchCase::new(size, groups, counts)
            .param("d.width", self.width)
            .param("d.height", self.height)
            .len("src", pixels)
            .len("weights", u64::from(2 * radius + 1))
            .len("dst", pixels)
    }
}

const SIZES: [(Size, Image, u32); 4] = [
    (
        Size::Tiny,
        Image {
            width: 3,
            height: 5,
        },
        1,
    ),
    (
        Size::Round,
        Image {
            width: 64,
            height: 32,
        },
        2,
    ),
    (
        Size::Ragged,
        Image {
            width: 50,
            height: 21,
        },
        3,
    ),
    (
        Size::Large,
        Image {
            width: 1920,
            height: 1080,
        },
        4,
    ),
];

fn launches(counts: impl Fn(Image, u32) -> Counts) -> Vec<LaunchCase> {
    SIZES
        .map(|(size, image, radius)| {
            image
                .launch(size, radius, counts(image, radius))
                .param("d.radius", radius)
        })
        .into()
}

fn halo_launches() -> Vec<LaunchCase> {
    SIZES
        .map(|(size, image, _)| image.launch(size, HALO, halo_counts(image)))
        .into()
}

fn reference(
    launch: &LaunchCase,
    inputs: &crate::data::Buffers,
    [along_x, along_y]: [bool; 2],
) -> crate::data::Buffers {
    let image = Image {
        width: launch.u32("d.width"),
        height: launch.u32("d.height"),
    };
    let weights = inputs["weights"].f32s();
    let x = if along_x { weights } else { &[1.0] };
    let y = if along_y { weights } else { &[1.0] };
    let dst = blur(inputs["src"].f32s(), image, x, y);
    [("dst", Data::F32(dst))].into()
}

/// Counts of [`DIRECT`] with k = 2 `radius` + 1.
///
/// - A pixel's lane runs k² trips of one product (the two weights) and one fma: 3 FLOP, with a load of
///   the image and one of the weights; the outer loop loads k weights more. One store.
/// - Every pixel is its own window's centre, so the read set is the whole image and the k weights.
/// - Integer operations where blocks cover the image exactly, so that both compares of the guard are
///   evaluated: 2; 2 for k; k + 1 compares and k increments outside; an outer trip adds 1, calls
///   `clamp_to_edge` (4) and multiplies, 6 in all; k + 1 compares and k increments inside; an inner
///   trip 6 likewise; 2 for the store's index. Sum: 8 k² + 9 k + 7.
/// - Uniform loads of 4 bytes, then: 2 in the guard, 1 for k, 4 an outer trip (two in the call, its
///   argument, the width), 3 an inner trip, 1 for the store.
pub fn direct_counts(image: Image, radius: u32) -> Counts {
    let k = u128::from(2 * radius + 1);
    let pixels = image.pixels();
    let whole = image.is_whole();
    Counts {
        flops: pixels * 3 * k * k,
        integer_ops: whole.then_some(pixels * (8 * k * k + 9 * k + 7)),
        uniform_bytes: whole.then_some(pixels * 4 * (2 + 1 + 4 * k + 3 * k * k + 1)),
        compulsory_bytes: Some(8 * pixels + 4 * k),
        ..Counts::of(image.groups() * 256)
    }
    .reads("src", pixels * 4 * k * k)
    .reads("weights", pixels * 4 * (k + k * k))
    .writes("dst", pixels * 4)
}

/// Counts of [`HORIZONTAL`] with k = 2 `radius` + 1.
///
/// - A pixel's lane runs k trips of one fma with a load of the image and one of the weights. One store.
/// - Integer operations where blocks cover the image exactly: 2 in the guard, 1 for the row, 2 for k,
///   k + 1 compares, k increments, 6 a trip (a sum, the call's 4, a sum), 1 for the store: 8 k + 7.
/// - Uniform loads of 4 bytes, then: 2 in the guard, 1 for the row, 1 for k, 3 a trip.
pub fn horizontal_counts(image: Image, radius: u32) -> Counts {
    let k = u128::from(2 * radius + 1);
    pass_counts(image, k, 8 * k + 7, 4 + 3 * k)
}

/// Counts of [`VERTICAL`] with k = 2 `radius` + 1.
///
/// - As [`horizontal_counts`], but for the integer operations: 2 in the guard, 2 for k, k + 1 compares,
///   k increments, 7 a trip (a sum, the call's 4, a product and a sum), 2 for the store: 9 k + 7.
/// - Uniform loads of 4 bytes: 2 in the guard, 1 for k, 4 a trip, 1 for the store.
pub fn vertical_counts(image: Image, radius: u32) -> Counts {
    let k = u128::from(2 * radius + 1);
    pass_counts(image, k, 9 * k + 7, 4 + 4 * k)
}

fn pass_counts(image: Image, k: u128, integer_ops: u128, uniform_loads: u128) -> Counts {
    let pixels = image.pixels();
    let whole = image.is_whole();
    Counts {
        flops: pixels * 2 * k,
        integer_ops: whole.then_some(pixels * integer_ops),
        uniform_bytes: whole.then_some(pixels * 4 * uniform_loads),
        compulsory_bytes: Some(8 * pixels + 4 * k),
        ..Counts::of(image.groups() * 256)
    }
    .reads("src", pixels * 4 * k)
    .reads("weights", pixels * 4 * k)
    .writes("dst", pixels * 4)
}

/// Counts of [`SHARED_HALO`], whose radius is 4: k = 9, tiles of 24² = 576.
///
/// - Every group, whether its lanes have pixels or not, runs 576 trips of staging over its 256 lanes:
///   a load of the image, a store of workgroup memory, 576 + 256 compares, 576 increments and 16
///   operations a trip: 7 for each coordinate (a product, a remainder or quotient, a sum, the call's 4)
///   and 2 for the index; three uniform loads.
/// - A pixel's lane runs 81 trips of 3 FLOP with a load of workgroup memory and one of the weights, and
///   loads 9 weights more. One store.
/// - Integer operations where blocks cover the image exactly, a pixel: 2 in the guard, 10 compares and
///   9 increments outside; an outer trip 3 for the tile's row, 10 compares and 9 increments inside, and
///   9 sums; 2 for the store: 302. Uniform loads: 2 in the guard, 1 for the store.
/// - Barriers: one a group.
pub fn halo_counts(image: Image) -> Counts {
    let tile = 576;
    let groups = image.groups();
    let pixels = image.pixels();
    let whole = image.is_whole();
    let staging_ops = (tile + 256) + tile + 16 * tile;
    let pixel_ops = 2 + 19 + 9 * (3 + 19 + 9) + 2;
    Counts {
        flops: pixels * 81 * 3,
        integer_ops: whole.then_some(groups * staging_ops + pixels * pixel_ops),
        uniform_bytes: whole.then_some(groups * tile * 12 + pixels * 12),
        workgroup_bytes: groups * tile * 4 + pixels * 81 * 4,
        barriers: groups,
        compulsory_bytes: Some(8 * pixels + 4 * 9),
        ..Counts::of(groups * 256)
    }
    .reads("src", groups * tile * 4)
    .reads("weights", pixels * 4 * (9 + 81))
    .writes("dst", pixels * 4)
}

/// Blur with the product of `x` and `y` as weights, both of odd length, clamped to the edge, in double
/// precision. A single weight of 1 leaves its axis alone.
pub fn blur(src: &[f32], image: Image, x: &[f32], y: &[f32]) -> Vec<f32> {
    let [width, height] = [image.width, image.height].map(|side| side as usize);
    let clamped = |position: usize, offset: usize, taps: usize, size: usize| {
        (position + offset).saturating_sub(taps / 2).min(size - 1)
    };
    let pixel = |row: usize, col: usize| {
        let mut sum = 0.0;
        for (j, weight_y) in y.iter().enumerate() {
            let from_row = clamped(row, j, y.len(), height);
            for (i, weight_x) in x.iter().enumerate() {
                let sample = src[from_row * width + clamped(col, i, x.len(), width)];
                sum += f64::from(sample) * f64::from(*weight_x) * f64::from(*weight_y);
            }
        }
        sum as f32
    };
    (0..width * height)
        .map(|index| pixel(index / width, index % width))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_passes_agree_with_the_direct_blur() {
        let image = Image {
            width: 13,
            height: 7,
        };
        let signed = Fill::Uniform {
            low: -1.0,
            high: 1.0,
        };
        let src = signed.generate(ScalarType::F32, 13 * 7, 5);
        let weights = [0.1, 0.2, 0.4, 0.25, 0.05];
        let direct = blur(src.f32s(), image, &weights, &weights);
        let rows = blur(src.f32s(), image, &weights, &[1.0]);
        let passes = blur(&rows, image, &[1.0], &weights);
        assert!(Tolerance::Relative(1e-6).accepts(&Data::F32(passes), &Data::F32(direct)));
    }

    #[test]
    fn weights_that_sum_to_one_keep_a_flat_image() {
        let image = Image {
            width: 4,
            height: 3,
        };
        let flat = blur(&[3.0; 12], image, &[0.25, 0.5, 0.25], &[0.25, 0.5, 0.25]);
        assert_eq!(flat, [3.0; 12]);
    }

    #[test]
    fn separability_turns_k_squared_samples_into_two_k() {
        let image = Image {
            width: 64,
            height: 32,
        };
        let samples = |counts: Counts| counts.read_bytes["src"] / (4 * image.pixels());
        assert_eq!(samples(direct_counts(image, 4)), 81);
        assert_eq!(
            samples(horizontal_counts(image, 4)) + samples(vertical_counts(image, 4)),
            18
        );
    }

    #[test]
    fn a_block_of_16_loads_576_for_256() {
        let counts = halo_counts(Image {
            width: 16,
            height: 16,
        });
        assert_eq!(counts.read_bytes["src"], 576 * 4);
        assert_eq!(counts.integer_ops, Some(10_624 + 256 * 302));
    }
}
