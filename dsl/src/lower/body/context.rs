//! The state that all parts of a lowering share: the host, facts about values, and their memory.

use super::padding::Padding;
use super::shapes::{Tile, Values};
use crate::ir::queue::Stmt;
use crate::ir::{
    Arg, Extent, Instr, QueueStmt, Scalar, SpanId, StmtKind, TensorId, TensorRef, Ty, ValueId,
    VarId,
};
use crate::lower::gap::{Gap, Made};
use crate::lower::host::Host;
use crate::lower::memory::buffers::{Purpose, Wanted};
use crate::lower::memory::homes::Places;
use crate::ops::Op;
use std::collections::BTreeMap;

/// One variant under construction.
pub(super) struct Site<'h, 'a> {
    pub(super) host: &'h mut Host<'a>,
    pub(super) values: Values<'h>,
    pub(super) places: Places<'a>,
    pub(super) padding: Padding,
    /// True once rows are reduced, which bounds their number and length.
    pub(super) reduces: bool,
    /// For each tensor that is appended to, the position of its next elements.
    pub(super) packing: BTreeMap<TensorRef, VarId>,
}

impl<'h, 'a> Site<'h, 'a> {
    pub(super) fn new(host: &'h mut Host<'a>, values: Values<'h>, places: Places<'a>) -> Self {
        Site {
            host,
            values,
            places,
            padding: Padding::default(),
            reduces: false,
            packing: BTreeMap::new(),
        }
    }

    /// Returns the tensor that a value lives in.
    pub(super) fn home(&self, v: ValueId) -> Made<TensorId> {
        let home = self.places.find(v);
        home.ok_or_else(|| Gap::of_kernel(format!("`{}`, which has no place", self.values.name(v))))
    }

    /// Returns the name of a tensor in GM.
    pub(super) fn tensor_name(&self, of: TensorRef) -> String {
        match of {
            TensorRef::Param(param) => self.host.sig().param(param).name.clone(),
            TensorRef::Work(work) => self.host.works[work.index()].clone(),
        }
    }

    /// Returns the number of elements of a data block.
    pub(super) fn lanes(&self, ty: Ty) -> i64 {
        self.host.chip.data_block_bytes / self.values.size(ty)
    }

    /// Returns a request for memory for elements of a type over a tile.
    pub(super) fn wanted(&self, tile: &Tile, ty: Ty, span: SpanId) -> Wanted {
        let purpose = match ty {
            Ty::Mask => Purpose::Mask,
            Ty::Is(_) | Ty::Param(_) | Ty::Wide(_) => Purpose::Intermediate,
        };
        Wanted {
            bytes: self.values.bytes(self.host, tile, ty),
            ty,
            purpose,
            span,
        }
    }

    /// Returns a scalar for device code.
    pub(super) fn scalar(&mut self, s: &Scalar) -> Scalar {
        self.host.on_device(s, "scalar")
    }
}

/// Makes a statement of an instruction.
pub fn instr(
    op: impl Into<Op>,
    extent: Extent,
    args: impl IntoIterator<Item = Arg>,
    span: SpanId,
) -> Stmt {
    Stmt {
        kind: StmtKind::Do(QueueStmt::Instr {
            instr: Instr::new(op, extent, args),
        }),
        span,
    }
}
