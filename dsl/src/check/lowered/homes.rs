//! The memory behind each local tensor, and the byte where the tensor starts.
//!
//! A tensor of a queue has its own buffer for as long as it lives. All tensors of one TBuf share
//! its memory, and so do all views of one tensor. Tensors that the author places share UB as a
//! whole.

use crate::dtype::DType;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{BufId, QueueOp, QueueStmt, Scalar, StmtKind, TensorId};
use std::collections::BTreeMap;

/// The memory that holds a value: a tensor of a queue, or a buffer with all tensors in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    Tensor(TensorId),
    Buf(BufId),
    /// UB as a whole, with the tensors that the author places.
    Ub,
}

/// The homes of the tensors that are defined so far.
#[derive(Clone)]
pub struct Homes {
    /// Bytes of an element of each tensor.
    sizes: Vec<i64>,
    of: BTreeMap<TensorId, (Home, Scalar)>,
}

impl Homes {
    /// Returns the state before the first statement of a body.
    pub fn new(binding: &[DType], body: &Body) -> Homes {
        let sizes = body
            .tensors
            .iter()
            .map(|t| t.dtype.resolve(binding).bytes());
        Homes {
            sizes: sizes.collect(),
            of: BTreeMap::new(),
        }
    }

    /// Returns the bytes of an element of a tensor.
    pub fn size(&self, tensor: TensorId) -> i64 {
        self.sizes[tensor.index()]
    }

    /// Adds the definitions of one statement.
    pub fn after(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Do(QueueStmt::Get { tensor, buf }) => {
                self.of.insert(*tensor, (Home::Buf(*buf), Scalar::Int(0)));
            }
            StmtKind::Do(QueueStmt::View { tensor, of }) => {
                if let Some(base) = of.tensor() {
                    let (home, start) = self.start(base);
                    self.of
                        .insert(*tensor, (home, start + of.offset.clone() * self.size(base)));
                }
            }
            StmtKind::Do(QueueStmt::Place { tensor, at, .. }) => {
                self.of.insert(*tensor, (Home::Ub, at.clone()));
            }
            // A tensor of a queue is its own home.
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc | QueueOp::Deque,
                ..
            }) => {}
            // These define no local tensor.
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Instr { .. }
                | QueueStmt::Call { .. }
                | QueueStmt::Queue {
                    op: QueueOp::Enque | QueueOp::Free,
                    ..
                }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. }
                | QueueStmt::Host { .. },
            ) => {}
        }
    }

    /// Puts a tensor at the place of another one.
    pub fn shares(&mut self, tensor: TensorId, with: TensorId) {
        self.of.insert(tensor, (Home::Tensor(with), Scalar::Int(0)));
    }

    /// Adds the definitions of another arm: both are known behind an `if`.
    pub fn join(&mut self, other: Homes) {
        self.of.extend(other.of);
    }

    /// Returns the memory behind a tensor.
    pub fn home(&self, tensor: TensorId) -> Home {
        self.of
            .get(&tensor)
            .map_or(Home::Tensor(tensor), |(home, _)| *home)
    }

    /// Returns the memory behind a tensor, and its first byte there.
    pub fn start(&self, tensor: TensorId) -> (Home, Scalar) {
        self.of
            .get(&tensor)
            .cloned()
            .unwrap_or((Home::Tensor(tensor), Scalar::Int(0)))
    }
}
