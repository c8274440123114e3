//! Where local tensors lie: the memory behind each, and the byte of it at which it starts.
//!
//! A tensor of a queue has a buffer of its own for as long as it lives; all tensors of one TBuf, and all views of one
//! tensor, share what is behind them. What an author places himself lies in UB as a whole.

use crate::dtype::DType;
use crate::ir::queue::{Body, Stmt};
use crate::ir::{BufId, QueueOp, QueueStmt, Scalar, StmtKind, TensorId};
use std::collections::BTreeMap;

/// What holds a value: a tensor of a queue, or a buffer with all tensors that look at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Home {
    Tensor(TensorId),
    Buf(BufId),
    /// UB as a whole, where tensors lie that the author places himself.
    Ub,
}

/// The homes of the tensors that were defined so far.
#[derive(Clone)]
pub struct Homes {
    /// Bytes of an element of each tensor.
    sizes: Vec<i64>,
    of: BTreeMap<TensorId, (Home, Scalar)>,
}

impl Homes {
    /// Before the first statement of a body.
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

    /// Bytes of an element of a tensor.
    pub fn size(&self, tensor: TensorId) -> i64 {
        self.sizes[tensor.index()]
    }

    /// What is known after one statement.
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

    /// A tensor that lies where another one does.
    pub fn shares(&mut self, tensor: TensorId, with: TensorId) {
        self.of.insert(tensor, (Home::Tensor(with), Scalar::Int(0)));
    }

    /// What one of two arms has defined is known behind both.
    pub fn join(&mut self, other: Homes) {
        self.of.extend(other.of);
    }

    /// The memory behind a tensor.
    pub fn home(&self, tensor: TensorId) -> Home {
        self.of
            .get(&tensor)
            .map_or(Home::Tensor(tensor), |(home, _)| *home)
    }

    /// The memory behind a tensor, and its first byte there.
    pub fn start(&self, tensor: TensorId) -> (Home, Scalar) {
        self.of
            .get(&tensor)
            .cloned()
            .unwrap_or((Home::Tensor(tensor), Scalar::Int(0)))
    }
}
