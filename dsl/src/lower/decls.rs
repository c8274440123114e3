//! What a lowered body declares: tensors, queues and buffers, each under a name of its own.

use crate::ir::{BufDecl, BufId, QueueDecl, QueueId, TPosition, TensorDecl, TensorId, Ty};

/// `name`, with a number where it is taken.
pub(super) fn unique(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut unique = name.to_string();
    let mut n = 2;
    while taken(&unique) {
        unique = format!("{name}_{n}");
        n += 1;
    }
    unique
}

/// A name without the number that keeps it apart from others.
pub(super) fn stem(name: &str) -> &str {
    let digits = name.trim_end_matches(|c: char| c.is_ascii_digit());
    digits.strip_suffix('_').filter(|stem| !stem.is_empty() && digits.len() < name.len()).unwrap_or(name)
}

/// Declarations under construction.
#[derive(Default)]
pub(super) struct Decls {
    pub(super) tensors: Vec<TensorDecl>,
    pub(super) queues: Vec<QueueDecl>,
    pub(super) bufs: Vec<BufDecl>,
}

impl Decls {
    /// Declares a tensor; its name gets a number where it is taken.
    pub(super) fn tensor(&mut self, name: &str, dtype: Ty) -> TensorId {
        let name = unique(name, |n| self.tensors.iter().any(|t| t.name == n));
        self.tensors.push(TensorDecl { name, dtype });
        TensorId(self.tensors.len() as u32 - 1)
    }

    /// Declares a queue; its name gets a number where it is taken.
    pub(super) fn queue(&mut self, decl: QueueDecl) -> QueueId {
        let name = self.unique_memory(&decl.name);
        self.queues.push(QueueDecl { name, ..decl });
        QueueId(self.queues.len() as u32 - 1)
    }

    /// Declares a buffer; its name gets a number where it is taken.
    pub(super) fn buf(&mut self, decl: BufDecl) -> BufId {
        let name = self.unique_memory(&decl.name);
        self.bufs.push(BufDecl { name, ..decl });
        BufId(self.bufs.len() as u32 - 1)
    }

    /// Gives buffers other names, each with a number where it is taken.
    pub(super) fn rename_bufs<'n>(&mut self, names: impl Iterator<Item = (BufId, &'n str)>) {
        self.bufs.iter_mut().for_each(|b| b.name.clear());
        names.for_each(|(buf, name)| self.bufs[buf.index()].name = self.unique_memory(name));
    }

    /// Queues and buffers are members of one class.
    fn unique_memory(&self, name: &str) -> String {
        unique(name, |n| self.bufs.iter().any(|b| b.name == n) || self.queues.iter().any(|q| q.name == n))
    }

    /// Element type of a tensor.
    pub(super) fn ty(&self, tensor: TensorId) -> Ty {
        self.tensors[tensor.index()].dtype
    }

    /// Blocks of all queues of a position.
    pub(super) fn blocks(&self, position: TPosition) -> i64 {
        self.queues.iter().filter(|q| q.position == position).filter_map(|q| q.buffer_num.as_int()).sum()
    }
}
