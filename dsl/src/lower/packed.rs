//! What turns pack, as instructions: where a block begins, and what each turn adds.
//!
//! A block begins behind what those before it have counted. Where it is a scalar that changes says; a copy goes to what that was brought to lie
//! inside of the tensor, and is as long as there is room.

use super::ops::instr;
use super::site::Site;
use super::values::product;
use super::{Gap, Made};
use crate::ir::{
    walk_stmts, Access, Arg, BinOp, Extent, Scalar, ScalarTy, SpanId, Stmt, StmtKind, TensorId, TileLoop, ValueId, VarId, View,
};
use crate::ops::{CopyOp, LayoutOp, ScalarOp};

/// Before the loop that is divided: the sum of what the blocks before this one have counted, for each tensor to which turns append.
pub(super) fn begun(site: &mut Site<'_, '_>, tile: &TileLoop, out: &mut Vec<Stmt>) -> Made<()> {
    let mut found = Vec::new();
    walk_stmts(&tile.body, &mut |s| {
        if let StmtKind::Append { to, counts, .. } = &s.kind {
            found.push((to.of, *counts, s.span));
        }
    });
    for (of, counts, span) in found {
        let counts = counts.ok_or_else(|| Gap::new("an append without counts", span))?;
        let name = site.tensor_name(of);
        let at = site.host.changing(&format!("{name}_at"), ScalarTy::Index);
        let [block, count] = ["block", "count"].map(|what| site.host.fresh(&format!("{name}_{what}"), ScalarTy::Index));
        let (_, pitch) = site.values.tile(counts)?.row().ok_or_else(|| Gap::new("counts without a place each", span))?;
        let from = View::local(site.home(counts)?, product([Scalar::Var(block), pitch]));
        let stmt = |kind| Stmt { kind, span };
        let body = vec![
            instr(ScalarOp::GetIndex, Extent::Fixed {}, [Arg::Var { var: count }, from.into()], span),
            stmt(StmtKind::SetScalar { var: at, value: Scalar::Var(at) + Scalar::Var(count) }),
        ];
        out.push(stmt(StmtKind::LetScalar { var: at, value: Scalar::Int(0) }));
        out.push(stmt(StmtKind::For { var: block, from: Scalar::Int(0), to: Scalar::BlockIdx, body }));
        site.packing.insert(of, at);
    }
    Ok(())
}

/// The call that packs a value.
pub(super) fn gathered(
    site: &Site<'_, '_>,
    (tensor, value, mask): (TensorId, ValueId, ValueId),
    kept: VarId,
    span: SpanId,
) -> Made<Stmt> {
    let whole = |tensor: TensorId| Arg::from(View::local(tensor, 0));
    let args = [whole(tensor), whole(site.home(value)?), whole(site.home(mask)?), Arg::Var { var: kept }];
    Ok(instr(LayoutOp::GatherBits, Extent::Count { n: site.values.tile(value)?.live() }, args, span))
}

/// The copy of what was packed, as far as the tensor has room.
pub(super) fn copied(
    site: &mut Site<'_, '_>,
    (to, kept): (&Access, VarId),
    tensor: TensorId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let at = *site.packing.get(&to.of).ok_or_else(|| Gap::new("an append outside of the loop that is divided", span))?;
    let name = site.tensor_name(to.of);
    let room = site.host.known(&format!("{name}_room"), &product(to.dims.iter().cloned()));
    let [first, len] = ["first", "length"].map(|what| site.host.fresh(&format!("{name}_{what}"), ScalarTy::Index));
    let mut push = |kind| out.push(Stmt { kind, span });
    push(StmtKind::LetScalar { var: first, value: Scalar::Var(at).max(0).min(room.clone()) });
    push(StmtKind::LetScalar { var: len, value: Scalar::Var(kept).min(room - Scalar::Var(first)) });
    let extent = Extent::Rows { rows: Scalar::Int(1), cols: len.into() };
    let copy = instr(CopyOp::PackPad, extent, [View::gm(to.of, first).into(), View::local(tensor, 0).into()], span);
    push(StmtKind::If { cond: Scalar::Var(len).bin(BinOp::Gt, 0), then: vec![copy], other: Vec::new() });
    push(StmtKind::SetScalar { var: at, value: Scalar::Var(at) + Scalar::Var(kept) });
    Ok(())
}
