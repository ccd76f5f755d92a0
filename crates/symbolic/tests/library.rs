//! Formulas of the library's kernels, evaluated at every launch, against the counts derived by hand.

use std::collections::BTreeMap;

use cresta_ir::Kernel;
use cresta_kernels::{KernelCase, LaunchCase};
use cresta_symbolic::Values;
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::poly::Poly;
use cresta_symbolic::program::Program;
use cresta_symbolic::ratio::Ratio;
use cresta_symbolic::walk::{Options, walk};
use cresta_wgsl::source::{SourceFile, parse};

fn lowered(case: &KernelCase) -> Kernel {
    let file = SourceFile::new(case.file_name, case.source);
    let parsed = parse(&file).expect("library kernels are valid");
    cresta_wgsl::lower(
        &parsed.module,
        &parsed.info,
        case.entry,
        &BTreeMap::new(),
        cresta_wgsl::Limits::default(),
    )
    .expect("library kernels lower")
    .kernel
}

/// Values of every named symbol at a launch.
fn values(program: &Program, launch: &LaunchCase) -> Values {
    let mut values = Values::default();
    for axis in 0..3 {
        let count = launch.workgroups[axis];
        values.insert(program.groups[axis], Ratio::integer(count.into()));
    }
    for named in &program.named {
        let kind = &program
            .arena
            .symbol(named.symbol)
            .expect("named symbols exist")
            .kind;
        let value = match kind {
            SymbolKind::Length => {
                let variable = named.name.trim_start_matches("len(").trim_end_matches(')');
                launch
                    .lengths
                    .get(variable)
                    .map(|&length| i128::from(length))
            }
            _ => match launch.params.get(named.name.as_str()) {
                Some(cresta_kernels::Scalar::U32(value)) => Some(i128::from(*value)),
                _ => None,
            },
        };
        if let Some(value) = value {
            values.insert(named.symbol, Ratio::integer(value));
        }
    }
    values
}

#[test]
fn formulas_give_the_counts_derived_by_hand() {
    let mut compared = 0;
    for case in cresta_kernels::all() {
        let kernel = lowered(case);
        let options = Options {
            simd_width: 32,
            position: &|at| (1, at + 1),
        };
        let mut program = walk(&kernel, &options);
        let totals = program.totals(&kernel);
        for launch in case.launches() {
            let values = values(&program, &launch);
            let counts = &launch.counts;
            let work = &totals.work;
            let mut check = |what: &str, formula: &Poly, expected: u128| {
                let value = program.arena.evaluate(formula, &values);
                assert_eq!(
                    value,
                    Some(Ratio::integer(expected as i128)),
                    "{what} of {} at {:?}: {}",
                    case.name,
                    launch.size,
                    program.arena.format(formula)
                );
                compared += 1;
            };
            check("invocations", &work.invocations, counts.invocations);
            check("flops", &work.flops.total, counts.flops);
            check("f16 flops", &work.flops.f16, counts.f16_flops);
            check("special", &work.special_ops, counts.special_ops);
            if let Some(integer_ops) = counts.integer_ops {
                check("integer", &work.integer_ops, integer_ops);
            }
            check(
                "read",
                &work.bytes.requested_read,
                counts.requested_read_bytes(),
            );
            check(
                "write",
                &work.bytes.requested_write,
                counts.requested_write_bytes(),
            );
            if let Some(uniform_bytes) = counts.uniform_bytes {
                check("uniform", &work.bytes.uniform, uniform_bytes);
            }
            check("workgroup", &work.bytes.workgroup, counts.workgroup_bytes);
            check("barriers", &work.barriers, counts.barriers);
            check("atomics", &work.atomics, counts.atomics);
        }
    }
    assert!(compared > 1000, "only {compared} comparisons");
}
