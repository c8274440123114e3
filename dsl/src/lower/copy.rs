//! Copies between GM and UB: which elements a loop's access touches, and the instruction.

use super::ops::instr;
use super::site::Site;
use super::values::Values;
use super::{Gap, Made};
use crate::ir::{Access, Extent, LoopId, LoopKind, ParamId, Scalar, SpanId, Stmt, TensorId, View};
use crate::ops::CopyOp;

/// The part of a tensor in GM that a loop's access touches.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) of: LoopId,
    pub(super) access: Access,
    pub(super) param: ParamId,
}

/// Both sides of a copy.
struct Sides {
    gm: View,
    ub: View,
    extent: Extent,
}

impl Sides {
    /// Elements that follow one another.
    fn run(part: Part, tensor: TensorId, at: Scalar, cols: Scalar) -> Sides {
        let extent = Extent::Rows { rows: Scalar::Int(1), cols };
        Sides { gm: View::gm(part.param, at), ub: View::local(tensor, 0), extent }
    }

    /// Rows of the loop's tensor.
    fn rows(part: Part, tensor: TensorId, at: Scalar, extent: Extent, values: &Values<'_>) -> Made<Sides> {
        let gm = View::gm(part.param, at).rows(values.whole_row()?);
        Ok(Sides { gm, ub: View::local(tensor, 0).rows(values.pitch(part.of)?), extent })
    }

    fn of(part: Part, tensor: TensorId, values: &Values<'_>) -> Made<Sides> {
        let extent = values.extent(part.of)?;
        let (start, len) = (Scalar::Var(extent.start), Scalar::Var(extent.len));
        Ok(match (extent.kind, part.access) {
            (LoopKind::Flat, Access::Tile) | (LoopKind::Cols, Access::Row) => Sides::run(part, tensor, start, len),
            (LoopKind::Rows, Access::Row) => Sides::run(part, tensor, Scalar::Int(0), values.whole_row()?),
            (LoopKind::Rows, Access::Col) => Sides::run(part, tensor, start, len),
            (LoopKind::Rows, Access::Tile) => {
                let cols = values.whole_row()?;
                Sides::rows(part, tensor, start * cols.clone(), Extent::Rows { rows: len, cols }, values)?
            }
            (LoopKind::Cols, Access::Tile) => {
                let rows = values.rows_around(part.of)?;
                let at = Scalar::Var(rows.start) * values.whole_row()? + start;
                Sides::rows(part, tensor, at, Extent::Rows { rows: rows.len.into(), cols: len }, values)?
            }
            (LoopKind::Flat, Access::Row | Access::Col) => return Err(Gap::of_kernel("rows or columns of a loop over elements")),
            (LoopKind::Cols, Access::Col) => return Err(Gap::of_kernel("one value a row of a column loop")),
        })
    }
}

/// The copy of a part of a tensor into UB.
pub(super) fn copy_in(site: &Site<'_, '_>, part: Part, tensor: TensorId, span: SpanId) -> Made<Stmt> {
    let Sides { gm, ub, extent } = Sides::of(part, tensor, &site.values)?;
    let op = if site.host.chip.has_data_copy_pad { CopyOp::InPad } else { CopyOp::In };
    Ok(instr(op, extent, [ub.into(), gm.into()], span))
}

/// The copy of a tensor to its place in GM.
pub(super) fn copy_out(site: &Site<'_, '_>, part: Part, tensor: TensorId, span: SpanId) -> Made<Stmt> {
    let Sides { gm, ub, extent } = Sides::of(part, tensor, &site.values)?;
    let op = if site.host.chip.has_data_copy_pad { CopyOp::OutPad } else { CopyOp::Out };
    Ok(instr(op, extent, [gm.into(), ub.into()], span))
}
