//! Copies into UB: one VECIN queue a load, or one block for all loads of a turn.

use super::place::{Home, Owner};
use super::tile::Builder;
use crate::ir::{
    Access, Extent, LoopId, LoopKind, ParamId, QueueDecl, QueueId, Scalar, SpanId, Stmt, StmtKind, TPosition, TensorId, TileExpr,
    View,
};
use crate::ops::CopyOp;
use std::collections::BTreeSet;

impl Builder<'_, '_> {
    // ---- loads ----

    pub(super) fn load_run(&mut self, loads: &[Stmt], out: &mut Vec<Stmt>) {
        let mut waiting = Vec::new();
        if self.options.group_loads && loads.len() > 1 {
            self.load_group(loads, out, &mut waiting);
            return out.extend(waiting);
        }
        for (ordinal, s) in loads.iter().enumerate() {
            let StmtKind::Def { value, expr: TileExpr::Load { of, access, param } } = &s.kind else { continue };
            let name = self.host.sig().param(*param).name.clone();
            let ty = self.ty(*value);
            let bytes = self.buffer_bytes(self.shape(*value), ty);
            let queue = self.queue(TPosition::VecIn, &name, bytes, ordinal, s.span);
            let filled = self.tensor(&format!("{name}_in"), ty);
            out.push(Stmt { kind: StmtKind::Alloc { tensor: filled, queue }, span: s.span });
            out.push(self.copy_in(filled, (*of, *access, *param), s.span));
            out.push(Stmt { kind: StmtKind::Enque { tensor: filled, queue }, span: s.span });
            let ready = self.tensor(&format!("{name}_local"), ty);
            waiting.push(Stmt { kind: StmtKind::Deque { tensor: ready, queue }, span: s.span });
            self.homes.insert(*value, Home { tensor: ready, owner: Owner::In(queue) });
        }
        out.extend(waiting);
    }

    /// Finds or makes a queue for a load or store: sibling loops share them, one scope never does.
    pub(super) fn queue(&mut self, position: TPosition, name: &str, bytes: Scalar, ordinal: usize, span: SpanId) -> QueueId {
        let buffer_num = match (position, self.depth, self.options.out_buffers) {
            (TPosition::VecIn, 1, _) => 1,
            (TPosition::VecIn, _, _) => self.options.in_buffers,
            (TPosition::VecOut, _, Some(n)) => n,
            _ => self.buffer_num,
        };
        let in_use = self.queues_in_use();
        let same = |q: &QueueDecl| q.position == position && q.bytes == bytes && q.buffer_num == Scalar::Int(buffer_num);
        let candidates = self.out.queues.iter().enumerate().filter(|(_, q)| same(q));
        let free = candidates.filter(|(i, _)| !in_use.contains(&QueueId(*i as u32))).nth(ordinal);
        // At depth 2 every load of the turn wants its own queue, so that the next turn's copies can run ahead.
        if let (Some((i, _)), true) = (free, self.depth > 2) {
            return QueueId(i as u32);
        }
        let prefix = if position == TPosition::VecIn { "in" } else { "out" };
        let name = self.unique_buffer_name(&format!("{prefix}_{name}"));
        self.out.queues.push(QueueDecl { name, position, depth: 1, buffer_num: Scalar::Int(buffer_num), bytes, span });
        QueueId(self.out.queues.len() as u32 - 1)
    }

    /// Queues that hold a value at this point.
    fn queues_in_use(&self) -> BTreeSet<QueueId> {
        let held = self.homes.values().filter_map(|h| match h.owner {
            Owner::In(q) | Owner::Group(q) => Some(q),
            Owner::Out(_) | Owner::Slot(_) | Owner::Passed => None,
        });
        held.chain(self.claimed.iter().copied()).collect()
    }

    /// The queue whose block the loads of a run share. Sibling loops take turns with one, as large as the largest needs.
    fn group_queue(&mut self, bytes: Scalar, span: SpanId) -> QueueId {
        let in_use = self.queues_in_use();
        let free = self.group_queues.iter().find(|q| self.depth > 2 && !in_use.contains(q)).copied();
        if let Some(q) = free {
            let decl = &mut self.out.queues[q.index()];
            if decl.bytes != bytes {
                decl.bytes = std::mem::replace(&mut decl.bytes, Scalar::Int(0)).max(bytes);
            }
            return q;
        }
        let name = self.unique_buffer_name("in_group");
        let buffer_num = Scalar::Int(if self.depth == 1 { 1 } else { self.options.in_buffers });
        self.out.queues.push(QueueDecl { name, position: TPosition::VecIn, depth: 1, buffer_num, bytes, span });
        let queue = QueueId(self.out.queues.len() as u32 - 1);
        if self.depth > 2 {
            self.group_queues.push(queue);
        }
        queue
    }

    pub(super) fn load_group(&mut self, loads: &[Stmt], out: &mut Vec<Stmt>, waiting: &mut Vec<Stmt>) {
        let span = loads[0].span;
        let StmtKind::Def { value: first, .. } = &loads[0].kind else { return };
        let base_ty = self.ty(*first);
        let unit = self.size(base_ty);
        let mut total = Scalar::Int(0);
        let mut parts = Vec::new();
        for s in loads {
            let StmtKind::Def { value, expr: TileExpr::Load { of, access, param } } = &s.kind else { continue };
            let bytes = self.buffer_bytes(self.shape(*value), self.ty(*value));
            let bytes = if self.host.multiple_of(&bytes) % self.host.chip.data_block_bytes == 0 {
                bytes
            } else {
                bytes.align_up(self.host.chip.data_block_bytes)
            };
            parts.push((*value, *of, *access, *param, total.clone() / unit, s.span));
            total = total + bytes;
        }
        let queue = self.group_queue(total, span);
        let filled = self.tensor("group_in", base_ty);
        let ready = self.tensor("group_local", base_ty);
        out.push(Stmt { kind: StmtKind::Alloc { tensor: filled, queue }, span });
        waiting.push(Stmt { kind: StmtKind::Deque { tensor: ready, queue }, span });
        let count = parts.len();
        for (value, of, access, param, offset, span) in parts {
            let name = self.host.sig().param(param).name.clone();
            let ty = self.ty(value);
            let (write, read) = (self.tensor(&format!("{name}_in"), ty), self.tensor(&format!("{name}_local"), ty));
            let of_base = |tensor| View::local(tensor, offset.clone());
            out.push(Stmt { kind: StmtKind::View { tensor: write, of: of_base(filled) }, span });
            out.push(self.copy_in(write, (of, access, param), span));
            waiting.push(Stmt { kind: StmtKind::View { tensor: read, of: of_base(ready) }, span });
            self.homes.insert(value, Home { tensor: read, owner: Owner::Group(queue) });
        }
        out.push(Stmt { kind: StmtKind::Enque { tensor: filled, queue }, span });
        self.group_left.insert(queue, (ready, count));
    }

    /// Place in GM and extent of what a loop's access touches, and the elements from row to row in UB.
    pub(super) fn gm(&self, of: LoopId, access: Access, param: ParamId) -> (View, Extent, Scalar) {
        let cols = || self.split.cols.map_or(Scalar::Int(1), Scalar::Var);
        let run =
            |at: Scalar, n: Scalar, pitch: Scalar| (View::gm(param, at), Extent::Rows { rows: Scalar::Int(1), cols: n }, pitch);
        let tile = |at: Scalar, rows: Scalar, n: Scalar| {
            (View::gm(param, at).rows(cols()), Extent::Rows { rows, cols: n }, self.pitch(of))
        };
        let Some(extent) = self.loops.get(&of) else {
            // Hoisted: a whole row, before the row loop.
            return run(Scalar::Int(0), cols(), self.pitch(of));
        };
        let (start, len) = (Scalar::Var(extent.start), Scalar::Var(extent.len));
        match (extent.kind, access) {
            (LoopKind::Flat, _) => run(start, len, self.pitch(of)),
            (LoopKind::Rows, Access::Tile) => tile(start * cols(), len, cols()),
            (LoopKind::Rows, Access::Row) => run(Scalar::Int(0), cols(), self.pitch(of)),
            (_, Access::Col) => {
                let row = extent.parent.and_then(|p| self.loops.get(&p)).unwrap_or(extent);
                run(row.start.into(), row.len.into(), self.sizes.rows.map_or(Scalar::Int(1), Scalar::Var))
            }
            (LoopKind::Cols, Access::Row) => run(start, len, self.pitch(of)),
            (LoopKind::Cols, Access::Tile) => {
                let rows = extent.parent.and_then(|p| self.loops.get(&p));
                let (first, rows) = rows.map_or((Scalar::Int(0), Scalar::Int(1)), |r| (r.start.into(), r.len.into()));
                tile(first * cols() + start, rows, len)
            }
        }
    }

    fn copy_in(&self, tensor: TensorId, (of, access, param): (LoopId, Access, ParamId), span: SpanId) -> Stmt {
        let (src, extent, pitch) = self.gm(of, access, param);
        let op = if self.host.chip.has_data_copy_pad { CopyOp::InPad } else { CopyOp::In };
        super::ops::instr(op, extent.clone(), [in_ub(tensor, &extent, pitch).into(), src.into()], span)
    }

    /// The copy of a tensor to its place in GM.
    pub(super) fn copy_out(&self, (of, access, param): (LoopId, Access, ParamId), tensor: TensorId, span: SpanId) -> Stmt {
        let (dst, extent, pitch) = self.gm(of, access, param);
        let op = if self.host.chip.has_data_copy_pad { CopyOp::OutPad } else { CopyOp::Out };
        super::ops::instr(op, extent.clone(), [dst.into(), in_ub(tensor, &extent, pitch).into()], span)
    }
}

/// The side of a copy in UB: rows at their pitch, or one row.
fn in_ub(tensor: TensorId, extent: &Extent, pitch: Scalar) -> View {
    let view = View::local(tensor, 0);
    match extent {
        Extent::Rows { rows: Scalar::Int(1), .. } => view,
        _ => view.rows(pitch),
    }
}
