//! Rows that an access goes across, and strides that change: what a pitch could cure.
//!
//! Start at [`rows`].

use cresta_ir::{Type, Variable};
use cresta_symbolic::arena::SymbolKind;
use cresta_symbolic::poly::{AtomId, Poly};
use cresta_symbolic::program::Program;

use crate::facts::Rows;

/// The rows across which lanes that lie `stride_bytes` apart access a variable: those of an array of
/// arrays whose distance divides the stride, or `stride_bytes` itself where the index adds a column of
/// single elements to a row.
pub(crate) fn rows(
    program: &Program,
    variable: &Variable,
    address: &Poly,
    (stride_bytes, width_bytes): (i64, u32),
) -> Option<Rows> {
    let stride = u32::try_from(stride_bytes.unsigned_abs()).ok()?;
    if stride <= width_bytes {
        return None;
    }
    let mut declared = row_strides(variable.ty.as_ref()?).into_iter();
    if let Some(pitch_bytes) = declared.find(|&row| row > 0 && stride.is_multiple_of(row)) {
        return Some(Rows {
            pitch_bytes,
            declared: true,
        });
    }
    has_column(program, address, width_bytes).then_some(Rows {
        pitch_bytes: stride,
        declared: false,
    })
}

/// Distances of the rows of arrays of arrays, outermost first.
fn row_strides(ty: &Type) -> Vec<u32> {
    let mut strides = Vec::new();
    let mut ty = ty;
    while let Type::Array {
        element, stride, ..
    } = ty
    {
        if matches!(**element, Type::Array { .. }) {
            strides.push(*stride);
        }
        ty = element;
    }
    strides
}

/// Whether a lane id or an iteration moves the address by single elements.
fn has_column(program: &Program, address: &Poly, width_bytes: u32) -> bool {
    let moves = |id: AtomId| {
        let kind = program.arena.symbol(id).map(|symbol| &symbol.kind);
        matches!(
            kind,
            Some(SymbolKind::LocalId(_) | SymbolKind::Iteration | SymbolKind::Data)
        )
    };
    address.denominator() == 1
        && address.terms().iter().any(|(monomial, coefficient)| {
            matches!(monomial.as_slice(), [(id, 1)] if moves(*id))
                && coefficient.unsigned_abs() == u128::from(width_bytes)
        })
}

/// Whether the distance between lanes changes from one iteration of a loop to the next.
pub(crate) fn stride_varies(program: &Program, address: &Poly) -> bool {
    let arena = &program.arena;
    let lane = |id: AtomId| {
        let mut local = program.local.iter().flatten();
        local.any(|&symbol| arena.mentions(&Poly::atom(id), symbol))
    };
    let iteration = |id: AtomId| {
        let mut loops = program.loops.iter();
        loops.any(|each| arena.mentions(&Poly::atom(id), each.iteration))
    };
    let mut terms = address.terms().iter();
    terms.any(|(monomial, _)| {
        let mut atoms = monomial.iter().map(|&(id, _)| id);
        let count = monomial.len();
        count > 1 && atoms.clone().any(lane) && atoms.any(iteration)
    })
}
