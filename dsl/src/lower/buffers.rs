//! Local tensors, TBufs and expanded columns.

use super::tile::{Builder, Slot};
use super::{Gap, Made};
use crate::ir::{
    Arg, BufDecl, BufId, Extent, LoopId, Scalar, SpanId, Stmt, StmtKind, TPosition, TensorDecl, TensorId, TileShape, Ty, ValueId,
    VarId, View,
};
use crate::ops::LayoutOp;

impl Builder<'_, '_> {
    // ---- tensors and buffers ----

    pub(super) fn tensor(&mut self, name: &str, dtype: Ty) -> TensorId {
        let mut unique = name.to_string();
        let mut n = 2;
        while self.out.tensors.iter().any(|t| t.name == unique) {
            unique = format!("{name}_{n}");
            n += 1;
        }
        self.out.tensors.push(TensorDecl { name: unique, dtype });
        TensorId(self.out.tensors.len() as u32 - 1)
    }

    pub(super) fn unique_buffer_name(&self, name: &str) -> String {
        let taken = |n: &str| self.out.bufs.iter().any(|b| b.name == n) || self.out.queues.iter().any(|q| q.name == n);
        let mut unique = name.to_string();
        let mut n = 2;
        while taken(&unique) {
            unique = format!("{name}_{n}");
            n += 1;
        }
        unique
    }

    /// A TBuf of `bytes`, free or new, seen as elements of `ty`.
    pub(super) fn take_slot(&mut self, bytes: &Scalar, ty: Ty, name: &str, purpose: &str, span: SpanId) -> (usize, TensorId) {
        let found = self.slots.iter().position(|s| s.free && s.bytes == *bytes);
        let slot = found.unwrap_or_else(|| {
            let name = self.unique_buffer_name(name);
            self.out.bufs.push(BufDecl {
                name,
                position: TPosition::VecCalc,
                bytes: bytes.clone(),
                purpose: purpose.into(),
                span,
            });
            let buf = BufId(self.out.bufs.len() as u32 - 1);
            self.slots.push(Slot { buf, bytes: bytes.clone(), free: true, views: Vec::new() });
            self.slots.len() - 1
        });
        self.slots[slot].free = false;
        (slot, self.view(slot, ty, span))
    }

    pub(super) fn view(&mut self, slot: usize, ty: Ty, span: SpanId) -> TensorId {
        let same = |t: &Ty| t.resolve(self.host.binding) == ty.resolve(self.host.binding);
        if let Some((_, t)) = self.slots[slot].views.iter().find(|(t, _)| same(t)) {
            return *t;
        }
        let buf = self.slots[slot].buf;
        let name = format!("{}_local", self.out.bufs[buf.index()].name);
        let tensor = self.tensor(&name, ty);
        self.gets.push(Stmt { kind: StmtKind::Get { tensor, buf }, span });
        self.slots[slot].views.push((ty, tensor));
        tensor
    }

    pub(super) fn free_slot(&mut self, slot: usize) {
        self.slots[slot].free = true;
    }

    /// Work buffer of a reduction over elements of `ty`.
    pub(super) fn work_tensor(&mut self, cols: LoopId, ty: Ty, span: SpanId) -> TensorId {
        // Two elements of the widest type for each repeat of a row (ReduceMax page); ReduceSum needs less.
        let repeats = (self.pitch(cols) * 4).ceil_div(self.host.chip.repeat_bytes);
        let bytes = (repeats * 8).align_up(self.host.chip.data_block_bytes);
        let slot = match self.work {
            Some(slot) if self.slots[slot].bytes == bytes => slot,
            _ => self.take_slot(&bytes, ty, "work", "work space of reductions", span).0,
        };
        self.work = Some(slot);
        self.view(slot, ty, span)
    }

    pub(super) fn home(&self, v: ValueId) -> Made<TensorId> {
        let home = self.homes.get(&v).map(|h| h.tensor);
        home.ok_or_else(|| Gap::new(format!("`{}` has no place", self.src.values[v.index()].name), SpanId(0)))
    }

    /// `values[r * pitch]` of a value over rows and columns, `values[0]` of a row.
    pub(super) fn row_view(&self, tensor: TensorId, shape: TileShape, row: VarId) -> View {
        let offset = match (shape.rows, shape.cols) {
            (Some(_), Some(c)) => Scalar::Var(row) * self.pitch(c),
            (Some(_), None) => row.into(),
            (None, _) => Scalar::Int(0),
        };
        View::local(tensor, offset)
    }

    /// The column value expanded so that each element fills a data block; made where it is not there yet.
    pub(super) fn blocks_of(&mut self, v: ValueId, span: SpanId, out: &mut Vec<Stmt>) -> Made<TensorId> {
        if let Some((_, _, t)) = self.blocks.iter().find(|(b, ..)| *b == v) {
            return Ok(*t);
        }
        self.uses_brcb = true;
        let ty = self.ty(v);
        let rows = self.sizes.rows.map_or(Scalar::Int(1), Scalar::Var);
        let bytes = rows.align_up(8) * self.host.chip.data_block_bytes;
        let (slot, tensor) = self.take_slot(&bytes, ty, "blocks", "column values expanded to data blocks", span);
        let live = self.rows_of(self.shape(v));
        let extent = Extent::Eights { repeat: live.ceil_div(8) };
        let views = [View::local(tensor, 0), View::local(self.home(v)?, 0)];
        out.push(super::ops::instr(LayoutOp::Brcb, extent, views.map(Arg::from), span));
        self.blocks.push((v, slot, tensor));
        Ok(tensor)
    }

    pub(super) fn drop_blocks(&mut self, keep: impl Fn(usize, ValueId) -> bool) {
        let mut i = 0;
        while i < self.blocks.len() {
            if keep(i, self.blocks[i].0) {
                i += 1;
            } else {
                let (_, slot, _) = self.blocks.remove(i);
                self.free_slot(slot);
            }
        }
    }
}
