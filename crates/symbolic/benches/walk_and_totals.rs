//! How long formulas take: the walk and the totals of kernels of the library, beside what naga's parser
//! and validator take for the same text.
//!
//! The target is two to three times that time. `cargo bench -p cresta-symbolic`

use std::collections::BTreeMap;
use std::hint::black_box;

use cresta_kernels::KernelCase;
use cresta_symbolic::walk::{Options, walk};
use cresta_wgsl::source::{SourceFile, parse};
use criterion::{Criterion, criterion_group, criterion_main};

/// One kernel of each kind: guards, loops, tiles, trees, triangles, unrolled blocks.
const KERNELS: [&str; 7] = [
    "vector_add",
    "grid_stride_saxpy",
    "matmul_tiled",
    "matmul_register_blocked",
    "reduction_halving",
    "softmax",
    "triangular_nest",
];

fn formulas(criterion: &mut Criterion) {
    let chosen = |case: &&KernelCase| KERNELS.contains(&case.name);
    for case in cresta_kernels::all().iter().filter(chosen) {
        let file = SourceFile::new(case.file_name, case.source);
        let Ok(parsed) = parse(&file) else { continue };
        let overrides = BTreeMap::new();
        let limits = cresta_wgsl::Limits::default();
        let lowered =
            cresta_wgsl::lower(&parsed.module, &parsed.info, case.entry, &overrides, limits);
        let Ok(lowered) = lowered else { continue };
        let options = Options {
            simd_width: 32,
            position: &|at| (1, at + 1),
        };
        let mut group = criterion.benchmark_group(case.name);
        group.bench_function("parse and validate", |bencher| {
            bencher.iter(|| parse(black_box(&file)));
        });
        group.bench_function("walk", |bencher| {
            bencher.iter(|| walk(black_box(&lowered.kernel), &options));
        });
        let program = walk(&lowered.kernel, &options);
        group.bench_function("totals", |bencher| {
            bencher.iter_batched(
                || program.clone(),
                |mut program| program.totals(&lowered.kernel),
                criterion::BatchSize::SmallInput,
            );
        });
        group.finish();
    }
}

criterion_group!(benches, formulas);
criterion_main!(benches);
