//! Loads and stores whose elements have another layout in GM than in UB.
//!
//! - The innermost index moves by more than one a step, or backwards: `x.at(t * 2)`,
//!   `x.at(n - 1 - t)`.
//! - The axes have another order.
//! - Elements are not contiguous at all: `x.at(r, 0)`.
//!
//! The copy takes all elements from the first to the last, with a pitch that is larger by the step.
//!
//! - For every second or fourth element, one call with a pattern takes those of all rows
//!   (`GatherMask`).
//! - For other steps, one call takes a row (`Gather`), with offsets that are made once before
//!   everything else. Backwards, they count down from the last element of this iteration.
//! - A turned access is copied as it is, and one `Gather` for each row of the tile collects its
//!   elements.
//! - Single elements are copied to a data block each, and `Gather` takes the first element of each.
//!   Single stores are spread over data blocks (`Brcb`).

use super::context::{instr, Site};
use super::copy::spread_by;
use super::loads::Load;
use super::ops::Calls;
use super::tables::offsets;
use crate::dtype::DType;
use crate::ir::queue::Stmt;
use crate::ir::scalar::product;
use crate::ir::{
    Arg, Extent, QueueOp, Scalar, ScalarTy, SpanId, StmtKind, TensorId, Ty, ValueId, View,
};
use crate::lower::func::MOST_ROWS;
use crate::lower::gap::{Gap, Made};
use crate::lower::memory::buffers::{Purpose, Wanted};
use crate::ops::contract::BLOCKS_PER_REPEAT;
use crate::ops::{BinaryScalarOp, LayoutOp, Op};

/// Loads a value to the place where it lives.
pub(super) fn spread_load(
    site: &mut Site<'_, '_>,
    load: Load<'_>,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let Load {
        value, from, span, ..
    } = load;
    if !site.host.chip.has_data_copy_pad {
        return Err(no_pad(site, span));
    }
    let ty = site.values.ty(value);
    computed_with(site, ty, span)?;
    let by = apart(site, &load);
    let tile = site.values.layout(from)?;
    let turned = site.values.nest.turned(from).is_some();
    if turned && site.values.spread(from).is_some() {
        let help = "step along the axis that lies last in the tensors that are stored";
        return Err(Gap::not_yet(
            "steps along the last axis of a tensor whose axes lie in another order",
            help,
            span,
        ));
    }
    let room = product([tile.room(), by.clone()]);
    let bytes = site.values.bytes_of(site.host, room, ty);
    let queue = site
        .places
        .queues
        .take_passing(bytes, span, &mut site.places.decls);
    let name = site.tensor_name(from.of);
    let filled = site.places.decls.tensor(&format!("{name}_in"), ty);
    let ready = site.places.decls.tensor(&format!("{name}_span"), ty);
    out.push(QueueOp::Alloc.of(filled, queue, span));
    let fills = load.copied(site, filled, ready, out)?;
    out.push(QueueOp::Enque.of(filled, queue, span));
    out.push(QueueOp::Deque.of(ready, queue, span));
    out.extend(fills);
    match turned {
        true => {
            let (tensor, own) = (site.home(value)?, site.values.tile(value)?);
            Calls {
                site,
                tensor,
                tile: own,
                span,
                out,
            }
            .turn(ready, tile)?;
        }
        false => taken(site, load, ready, by, out)?,
    }
    out.push(QueueOp::Free.of(ready, queue, span));
    Ok(())
}

/// Returns the elements of UB from one wanted element to the next, after the copy of a load.
pub(super) fn apart(site: &mut Site<'_, '_>, load: &Load<'_>) -> Scalar {
    match site.values.is_single(load.from, load.outside.is_some()) {
        true => Scalar::Int(site.lanes(site.values.ty(load.value))),
        false => spread_by(site, load.from),
    }
}

/// Takes the wanted elements of all copied ones.
fn taken(
    site: &mut Site<'_, '_>,
    load: Load<'_>,
    ready: TensorId,
    by: Scalar,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    let Load {
        value, from, span, ..
    } = load;
    let (home, tile) = (site.home(value)?, site.values.tile(value)?);
    // Single elements are the first elements of data blocks.
    let factor = match site.values.is_single(from, load.outside.is_some()) {
        true => by.clone(),
        false => site
            .values
            .spread(from)
            .cloned()
            .ok_or_else(|| Gap::new("a step of one", span))?,
    };
    let pattern = match factor {
        Scalar::Int(2) => Some(1),
        Scalar::Int(4) => Some(3),
        _ => None,
    };
    let [count, room, rows] = tile.runs();
    if let Some(pattern) = pattern {
        // The padding of rows is taken, too.
        let all = if rows == Scalar::Int(1) {
            count
        } else {
            product([rows, room])
        };
        let args = [
            View::local(home, 0).into(),
            View::local(ready, 0).into(),
            Arg::from(Scalar::Int(pattern)),
        ];
        out.push(instr(
            LayoutOp::GatherMask,
            Extent::Count {
                n: product([all, by]),
            },
            args,
            span,
        ));
        return Ok(());
    }
    let size = site.values.size(site.values.ty(value));
    let backwards = factor.as_int().is_some_and(|f| f < 0);
    let apart = product([
        by.clone(),
        Scalar::Int(if backwards { -size } else { size }),
    ]);
    let offsets = offsets(site, &apart, &room, span, out);
    let (bytes, table) = (offsets.bytes.clone(), offsets.table);
    let whole = |s: Scalar| Arg::from(Scalar::cast(ScalarTy::I32, s));
    let chosen = match backwards {
        false => (table, None),
        true => {
            let (slot, own) = site.places.take(&Wanted {
                bytes,
                ty: Ty::Is(DType::I32),
                purpose: Purpose::Work,
                span,
            });
            let last = product([count.clone() - 1, by.clone(), Scalar::Int(size)]);
            let args = [
                View::local(own, 0).into(),
                View::local(table, 0).into(),
                whole(last),
            ];
            out.push(instr(
                BinaryScalarOp::Adds,
                Extent::Count { n: count.clone() },
                args,
                span,
            ));
            (own, Some(slot))
        }
    };
    out.push(gathered(
        site,
        [home, ready, chosen.0],
        [count, room, rows],
        by,
        Scalar::Int(0),
        span,
    ));
    if let Some(slot) = chosen.1 {
        site.places.pool.release(slot);
    }
    offsets.release(site);
    Ok(())
}

/// Makes one `Gather` for each run: `count` elements at these offsets behind `base` bytes of each
/// run of the source, whose distance is larger by the factor `by`.
pub(super) fn gathered(
    site: &mut Site<'_, '_>,
    [dst, src, table]: [TensorId; 3],
    [count, room, rows]: [Scalar; 3],
    by: Scalar,
    base: Scalar,
    span: SpanId,
) -> Stmt {
    let gather = |at: Scalar, from: Scalar| {
        let args = [
            View::local(dst, at).into(),
            View::local(src, from).into(),
            View::local(table, 0).into(),
            Arg::from(base),
        ];
        instr(LayoutOp::Gather, Extent::Count { n: count }, args, span)
    };
    match rows {
        Scalar::Int(1) => gather(Scalar::Int(0), Scalar::Int(0)),
        rows => {
            let row = site.host.fresh("row", ScalarTy::Index);
            let at = Scalar::Var(row) * room;
            let body = vec![gather(at.clone(), product([at, by]))];
            Stmt {
                kind: StmtKind::For {
                    var: row,
                    from: Scalar::Int(0),
                    to: rows,
                    body,
                },
                span,
            }
        }
    }
}

/// Spreads elements that are stored one by one over data blocks: `Brcb` of the whole tile.
pub(super) fn spread_out(
    site: &mut Site<'_, '_>,
    tensor: TensorId,
    value: ValueId,
    span: SpanId,
    out: &mut Vec<Stmt>,
) -> Made<()> {
    if !site.host.chip.has_data_copy_pad {
        return Err(no_pad(site, span));
    }
    let ty = site.values.ty(value);
    computed_with(site, ty, span)?;
    let (home, n, lanes) = (
        site.home(value)?,
        site.values.tile(value)?.live(),
        site.lanes(ty),
    );
    let call = |first: Scalar, n: Scalar| {
        let args = [
            View::local(tensor, product([first.clone(), Scalar::Int(lanes)])).into(),
            View::local(home, first).into(),
        ];
        instr(
            LayoutOp::Brcb,
            Extent::Eights {
                repeat: n.ceil_div(BLOCKS_PER_REPEAT),
            },
            args,
            span,
        )
    };
    // Each call begins at a data block of the tile.
    let most = MOST_ROWS / lanes * lanes;
    let is_short = match &n {
        Scalar::Int(n) => *n <= most,
        n => site.values.is_count_of_run(n),
    };
    if is_short {
        // This bounds the rows of tiles; lanes that are stored like this are bounded in any case.
        site.places.columns.any = true;
        out.push(call(Scalar::Int(0), n));
        return Ok(());
    }
    let part = site.host.fresh("part", ScalarTy::Index);
    let first = Scalar::Var(part) * most;
    let body = vec![call(first.clone(), (n.clone() - first).min(most))];
    out.push(Stmt {
        kind: StmtKind::For {
            var: part,
            from: Scalar::Int(0),
            to: n.ceil_div(most),
            body,
        },
        span,
    });
    Ok(())
}

/// Returns the bytes of a buffer in which each element of a value has a data block.
pub(super) fn spread_bytes(site: &Site<'_, '_>, value: ValueId) -> Made<Scalar> {
    Ok(site.values.tile(value)?.room().align_up(BLOCKS_PER_REPEAT)
        * site.host.chip.data_block_bytes)
}

/// Refuses element types that GatherMask, Gather and Brcb do not take: they take 16 and 32 bits
/// (asc-devkit, their pages).
pub(super) fn computed_with(site: &Site<'_, '_>, ty: Ty, span: SpanId) -> Made<()> {
    let taken = Op::from(LayoutOp::Gather).def().dtypes(site.host.chip.arch);
    let mut stored = DType::ALL.iter().filter(|of| !taken.contains(of));
    let Some(of) = stored.find(|of| site.host.binding.is(ty, **of)) else {
        return Ok(());
    };
    let help = "use elements of 16 or 32 bits there, or go along the last axis of the tensor, without steps";
    Err(Gap::not_yet(
        format!("elements of `{}` that do not follow one another", of.name()),
        help,
        span,
    ))
}

fn no_pad(site: &Site<'_, '_>, span: SpanId) -> Gap {
    let help = "choose a chip with DataCopyPad, `#[chips(ascend910b1)]`, or go along the last axis of the tensor, without steps";
    let what = format!(
        "elements that do not follow one another, on {}, which has no DataCopyPad",
        site.host.chip.name
    );
    Gap::not_yet(what, help, span)
}
