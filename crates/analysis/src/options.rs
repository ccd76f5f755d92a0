//! Sizes of a machine that shapes of accesses depend on, with those that had to be assumed.

use cresta_model::machine::Machine;
use cresta_symbolic::shape::ShapeOptions;

/// Line, bank and SIMD sizes that stand in where a machine does not tell, each an assumption.
const ASSUMED_LINE_BYTES: u32 = 128;
const ASSUMED_BANKS: u32 = 32;
const ASSUMED_BANK_BYTES: u32 = 4;
pub(crate) const ASSUMED_SIMD_WIDTH: u32 = 32;

/// Shape options of a machine at a known launch, with what had to be assumed.
pub(crate) fn shape_options(
    machine: &Machine,
    simd_width: u32,
    assumptions: &mut Vec<String>,
) -> ShapeOptions {
    let mut or = |value: Option<u32>, assumed: u32, what: &str| {
        value.unwrap_or_else(|| {
            assumptions.push(format!(
                "the machine does not tell its {what}: {assumed} is assumed"
            ));
            assumed
        })
    };
    let line_bytes = or(
        machine.l1.line_bytes,
        ASSUMED_LINE_BYTES,
        "line size in bytes",
    );
    ShapeOptions {
        simd_width,
        line_bytes,
        sector_bytes: machine.l2.sector_bytes.unwrap_or(line_bytes),
        banks: or(machine.shared.banks, ASSUMED_BANKS, "number of banks"),
        bank_bytes: or(
            machine.shared.bank_bytes,
            ASSUMED_BANK_BYTES,
            "bank width in bytes",
        ),
        lines_per_wavefront: machine.l1.lines_per_wavefront,
        representative: false,
    }
}
