//! Appends as instructions: the first position of a block, and the elements of each iteration.
//!
//! A block begins behind the elements that the blocks before it have counted. A mutable scalar has
//! the current position. A copy goes to that position, clamped to the tensor, and is only as long
//! as there is room.

use super::context::{instr, Site};
use crate::dtype::DType;
use crate::ir::scalar::product;
use crate::ir::{
    queue, walk_stmts, Access, Arg, BinOp, Extent, QueueStmt, Scalar, ScalarTy, SpanId, Stmt,
    StmtKind, TensorId, TileLoop, TileStmt, Ty, ValueId, VarId, View,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, Wanted};
use crate::ops::{CompareOp, CopyOp, LayoutOp, ScalarOp};

/// Adds the sums of the counts of earlier blocks, before the divided loop, for each tensor that is
/// appended to.
pub(super) fn begun(
    site: &mut Site<'_, '_>,
    tile: &TileLoop,
    out: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let mut found = Vec::new();
    walk_stmts(&tile.body, &mut |s| {
        if let StmtKind::Do(TileStmt::Append { to, counts, .. }) = &s.kind {
            found.push((to.of, *counts, s.span));
        }
    });
    for (of, counts, span) in found {
        let counts = counts.ok_or_else(|| Gap::new("an append without counts", span))?;
        let name = site.tensor_name(of);
        let at = site.host.changing(&format!("{name}_at"), ScalarTy::Index);
        let [block, count] = ["block", "count"]
            .map(|what| site.host.fresh(&format!("{name}_{what}"), ScalarTy::Index));
        let (_, pitch) = site
            .values
            .tile(counts)?
            .row()
            .ok_or_else(|| Gap::new("counts without a place each", span))?;
        let from = View::local(site.home(counts)?, product([Scalar::Var(block), pitch]));
        let stmt = |kind| Stmt { kind, span };
        let body = vec![
            instr(
                ScalarOp::GetIndex,
                Extent::Fixed {},
                [Arg::Var { var: count }, from.into()],
                span,
            ),
            stmt(StmtKind::SetScalar {
                var: at,
                value: Scalar::Var(at) + Scalar::Var(count),
            }),
        ];
        out.push(stmt(StmtKind::LetScalar {
            var: at,
            value: Scalar::Int(0),
        }));
        out.push(stmt(StmtKind::For {
            var: block,
            from: Scalar::Int(0),
            to: Scalar::BlockIdx,
            body,
        }));
        site.packing.insert(of, at);
    }
    Ok(())
}

/// Adds the calls that pack a value. Bytes are packed as `f16` and cast afterwards. The mask of
/// 64-bit elements is -1 or 0 in all bits, so a compare gives both words the same bit.
pub(super) fn gathered(
    site: &mut Site<'_, '_>,
    tensor: TensorId,
    value: ValueId,
    mask: ValueId,
    kept: VarId,
    span: SpanId,
    out: &mut Vec<queue::Stmt>,
) -> Made<()> {
    if site.values.ty(mask) != Ty::Mask {
        return gathered_words(site, tensor, value, mask, kept, span, out);
    }
    let (own, due, binding) = (
        site.values.ty(value),
        site.places.decls.ty(tensor),
        site.host.binding,
    );
    let tile = site.values.tile(value)?;
    let packs = |to: TensorId, site: &Site<'_, '_>| -> Made<queue::Stmt> {
        let args = [
            whole(to),
            whole(site.home(value)?),
            whole(site.home(mask)?),
            Arg::Var { var: kept },
        ];
        Ok(instr(
            LayoutOp::GatherBits,
            Extent::Count { n: tile.live() },
            args,
            span,
        ))
    };
    if binding.same(own, due) {
        out.push(packs(tensor, site)?);
        return Ok(());
    }
    let mode = binding
        .cast_mode(own, due)
        .ok_or_else(|| Gap::new("a cast of what was packed", span))?;
    let wanted = site.wanted(&tile, own, span);
    let (slot, between) = site.places.take(&wanted);
    out.push(packs(between, site)?);
    let args = [whole(tensor), whole(between), Arg::Mode { mode }];
    out.push(instr(
        LayoutOp::Cast,
        Extent::Count { n: tile.live() },
        args,
        span,
    ));
    site.places.pool.release(slot);
    Ok(())
}

/// Packs 64-bit elements as pairs of words.
fn gathered_words(
    site: &mut Site<'_, '_>,
    tensor: TensorId,
    value: ValueId,
    mask: ValueId,
    kept: VarId,
    span: SpanId,
    out: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let (tile, two) = (site.values.tile(value)?, Scalar::Int(2));
    let n = || Extent::Count {
        n: product([tile.live(), two.clone()]),
    };
    let [to, from, takes] = [tensor, site.home(value)?, site.home(mask)?].map(|of| {
        let name = format!("{}_words", site.places.decls.tensors[of.index()].name);
        let seen = site.places.decls.tensor(&name, Ty::Is(DType::I32));
        out.push(Stmt {
            kind: StmtKind::Do(QueueStmt::View {
                tensor: seen,
                of: View::local(of, 0),
            }),
            span,
        });
        seen
    });
    let bytes = site
        .values
        .bytes_of(site.host, product([tile.room(), two.clone()]), Ty::Mask);
    let (slot, bits) = site.places.take(&Wanted {
        bytes,
        ty: Ty::Mask,
        purpose: Purpose::Mask,
        span,
    });
    let found = site.host.fresh("words_kept", ScalarTy::Index);
    out.push(instr(
        CompareOp::Eq.with_scalar(),
        n(),
        [whole(bits), whole(takes), Scalar::I32(-1).into()],
        span,
    ));
    out.push(instr(
        LayoutOp::GatherBits,
        n(),
        [whole(to), whole(from), whole(bits), Arg::Var { var: found }],
        span,
    ));
    // The minimum never takes effect, but a proof needs it.
    let value = Scalar::Var(found).bin(BinOp::Div, two).min(tile.live());
    out.push(Stmt {
        kind: StmtKind::LetScalar { var: kept, value },
        span,
    });
    site.places.pool.release(slot);
    Ok(())
}

fn whole(tensor: TensorId) -> Arg {
    View::local(tensor, 0).into()
}

/// Copies the packed elements, as far as the tensor has room.
pub(super) fn copied(
    site: &mut Site<'_, '_>,
    to: &Access,
    kept: VarId,
    tensor: TensorId,
    span: SpanId,
    out: &mut Vec<queue::Stmt>,
) -> Made<()> {
    let at = *site
        .packing
        .get(&to.of)
        .ok_or_else(|| Gap::new("an append outside of the loop that is divided", span))?;
    let name = site.tensor_name(to.of);
    let room = site
        .host
        .known(&format!("{name}_room"), &product(to.dims.iter().cloned()));
    let [first, len] =
        ["first", "length"].map(|what| site.host.fresh(&format!("{name}_{what}"), ScalarTy::Index));
    let mut push = |kind| out.push(Stmt { kind, span });
    push(StmtKind::LetScalar {
        var: first,
        value: Scalar::Var(at).max(0).min(room.clone()),
    });
    push(StmtKind::LetScalar {
        var: len,
        value: Scalar::Var(kept).min(room - Scalar::Var(first)),
    });
    let extent = Extent::Rows {
        rows: Scalar::Int(1),
        cols: len.into(),
    };
    let copy = instr(
        CopyOp::PackPad,
        extent,
        [View::gm(to.of, first).into(), View::local(tensor, 0).into()],
        span,
    );
    push(StmtKind::If {
        cond: Scalar::Var(len).bin(BinOp::Gt, 0),
        then: vec![copy],
        other: Vec::new(),
    });
    push(StmtKind::SetScalar {
        var: at,
        value: Scalar::Var(at) + Scalar::Var(kept),
    });
    Ok(())
}
