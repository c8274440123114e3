//! Declarations of a lowered body: tensors, queues and buffers, each with a unique name.

use crate::ir::names::unique;
use crate::ir::queue::Body;
use crate::ir::{BufDecl, BufId, Memory, QueueDecl, QueueId, TPosition, TensorDecl, TensorId, Ty};

/// Declarations under construction.
#[derive(Default)]
pub struct Decls {
    pub tensors: Vec<TensorDecl>,
    pub queues: Vec<QueueDecl>,
    pub bufs: Vec<BufDecl>,
    /// The numbers of queues and buffers of earlier phases, whose memory is handed out anew.
    earlier: (usize, usize),
}

impl Decls {
    /// Starts with the declarations of earlier phases.
    pub fn behind(body: &Body) -> Decls {
        let Body {
            tensors,
            queues,
            bufs,
            ..
        } = body.clone();
        let earlier = (queues.len(), bufs.len());
        Decls {
            tensors,
            queues,
            bufs,
            earlier,
        }
    }

    /// Returns the queues of this phase.
    pub(super) fn own_queues(&self) -> impl Iterator<Item = (QueueId, &QueueDecl)> {
        (0..).map(QueueId).zip(&self.queues).skip(self.earlier.0)
    }

    /// True for memory of this phase.
    pub fn is_own(&self, memory: Memory) -> bool {
        match memory {
            Memory::Queue { queue } => queue.index() >= self.earlier.0,
            Memory::Buf { buf } | Memory::Skew { buf } => buf.index() >= self.earlier.1,
        }
    }

    /// Declares a tensor; its name gets a number if it is taken.
    pub fn tensor(&mut self, name: &str, dtype: Ty) -> TensorId {
        let name = unique(name, |n| self.tensors.iter().any(|t| t.name == n));
        self.tensors.push(TensorDecl { name, dtype });
        TensorId(self.tensors.len() as u32 - 1)
    }

    /// Declares a queue; its name gets a number if it is taken.
    pub(super) fn queue(&mut self, decl: QueueDecl) -> QueueId {
        let name = self.unique_memory(&decl.name);
        self.queues.push(QueueDecl { name, ..decl });
        QueueId(self.queues.len() as u32 - 1)
    }

    /// Declares a buffer; its name gets a number if it is taken.
    pub(super) fn buf(&mut self, decl: BufDecl) -> BufId {
        let name = self.unique_memory(&decl.name);
        self.bufs.push(BufDecl { name, ..decl });
        BufId(self.bufs.len() as u32 - 1)
    }

    /// Renames buffers; a name gets a number if it is taken.
    pub(super) fn rename_bufs<'n>(&mut self, names: impl Iterator<Item = (BufId, &'n str)>) {
        self.bufs[self.earlier.1..]
            .iter_mut()
            .for_each(|b| b.name.clear());
        names.for_each(|(buf, name)| self.bufs[buf.index()].name = self.unique_memory(name));
    }

    /// Makes a name unique among queues and buffers, which are members of one class.
    pub(super) fn unique_memory(&self, name: &str) -> String {
        unique(name, |n| {
            self.bufs.iter().any(|b| b.name == n) || self.queues.iter().any(|q| q.name == n)
        })
    }

    /// Returns the element type of a tensor.
    pub fn ty(&self, tensor: TensorId) -> Ty {
        self.tensors[tensor.index()].dtype
    }

    /// Returns the number of blocks of all queues of a position.
    pub fn blocks(&self, position: TPosition) -> i64 {
        self.own_queues()
            .filter(|(_, q)| q.position == position)
            .filter_map(|(_, q)| q.buffers())
            .map(|n| *n.end())
            .sum()
    }
}
