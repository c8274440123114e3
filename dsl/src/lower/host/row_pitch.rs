//! The pitch of rows in UB, and the repetition of rows behind themselves.

use super::Host;
use crate::dtype::DType;
use crate::ir::tile::Body;
use crate::ir::{BinOp, Scalar, StmtKind, TileExpr, TileStmt, VarId};
use crate::lower::func::longest_row;

/// Padding of long rows that are reduced, so that one call reduces all of them.
#[derive(Clone, Copy)]
pub(super) struct Flat {
    /// The number of elements of which the pitch is a multiple.
    unit: i64,
    /// The row length from which on this padding pays.
    from: i64,
    /// Elements of the longest row.
    pub(super) longest: i64,
}

impl Flat {
    /// Returns the padding for all reductions of a body.
    pub(super) fn of(host: &Host<'_>, body: &Body) -> Option<Flat> {
        let mut found: Option<Flat> = None;
        body.walk(&mut |s| {
            let StmtKind::Do(TileStmt::Def {
                expr: TileExpr::Reduce { value, .. },
                ..
            }) = &s.kind
            else {
                return;
            };
            let ty = body.values[value.index()].dtype;
            if host.binding.is(ty, DType::I32) {
                return;
            }
            let size = host.binding.bytes(ty);
            let lanes = host.chip.data_block_bytes / size;
            let own = Flat {
                unit: lanes * lanes,
                from: 4 * host.chip.repeat_bytes / size,
                longest: longest_row(lanes),
            };
            found = Some(found.map_or(own, |f| Flat {
                unit: f.unit.max(own.unit),
                from: f.from.max(own.from),
                longest: f.longest.min(own.longest),
            }));
        });
        found
    }
}

/// Returns the elements from row to row: whole data blocks, and for long reduced rows a multiple of
/// [`Flat`]'s unit. Rows without elements have buffers, too, since InitBuffer takes no length of 0.
pub(super) fn pitch(cols: &Scalar, lanes: i64, flat: &Option<Flat>) -> Scalar {
    let cols = || cols.clone();
    let Some(flat) = flat.filter(|f| f.unit > lanes) else {
        return cols().max(1).align_up(lanes);
    };
    let blocks = |unit: i64| cols().ceil_div(unit) * (unit / lanes);
    Scalar::select(
        cols().bin(BinOp::Ge, flat.from),
        blocks(flat.unit),
        blocks(lanes),
    )
    .max(1)
        * lanes
}

/// Row lengths for which a row that all rows of a tile meet is stored twice. Shorter rows are
/// processed by their repeats, which are fewer than the rows of a tile; longer ones are too few in
/// UB.
const AGAIN: std::ops::RangeInclusive<i64> = 513..=2048;

pub(super) fn again(pitch: VarId) -> Scalar {
    let pitch = || Scalar::Var(pitch);
    let worth = pitch()
        .bin(BinOp::Ge, *AGAIN.start())
        .bin(BinOp::And, pitch().bin(BinOp::Le, *AGAIN.end()));
    Scalar::select(worth, pitch(), Scalar::Int(0))
}
