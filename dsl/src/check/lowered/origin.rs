//! Finds the values in UB that stem from the share of their block. Such a value is loaded from a
//! place that depends on the block, or counted over as many elements as its share has.
//!
//! A write from the first element on replaces the value of a tensor; any other write adds to it.
//! Both arms of an `if` are joined. An unknown value counts as common to all blocks, so a finding
//! is never a guess.

use super::homes::{Home, Homes};
use crate::ir::queue::Stmt;
use crate::ir::{
    Base, Extent, HostCall, Instr, QueueId, QueueOp, QueueStmt, Scalar, StmtKind, TensorId, VarId,
    View,
};
use crate::ops::contract::{Access, Extents, Reach};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The values that depend on the share of their block, at one point of the kernel.
#[derive(Clone)]
pub(super) struct Origin {
    homes: Homes,
    own: BTreeSet<Home>,
    /// For each queue, true for the waiting tensors with such values, the oldest first.
    waiting: BTreeMap<QueueId, VecDeque<bool>>,
    /// Scalars that depend on the share of the block.
    scalars: BTreeSet<VarId>,
}

impl Origin {
    /// Returns the state before the first statement.
    pub fn new(homes: Homes) -> Origin {
        Origin {
            homes,
            own: BTreeSet::new(),
            waiting: BTreeMap::new(),
            scalars: BTreeSet::new(),
        }
    }

    /// True if the value of a tensor depends on the share of the block.
    pub fn is_own(&self, tensor: TensorId) -> bool {
        self.own.contains(&self.home(tensor))
    }

    /// Enters a loop whose iteration count may depend on the share.
    pub fn runs(&mut self, var: VarId, from: &Scalar, to: &Scalar) {
        if self.depends(from) || self.depends(to) {
            self.scalars.insert(var);
        }
    }

    /// Updates the state for a statement; its nested statements are done.
    pub fn after(&mut self, s: &Stmt) {
        self.homes.after(s);
        match &s.kind {
            StmtKind::Do(QueueStmt::Host {
                call: HostCall::Split { start, len, .. },
            }) => self.scalars.extend([*start, *len]),
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } => {
                if self.depends(value) {
                    self.scalars.insert(*var);
                }
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Alloc,
                tensor,
                ..
            }) => {
                self.own.remove(&self.home(*tensor));
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque,
                tensor,
                queue,
            }) => {
                let own = self.own.contains(&self.home(*tensor));
                self.waiting.entry(*queue).or_default().push_back(own);
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Deque,
                tensor,
                queue,
            }) => {
                let own = self.waiting.get_mut(queue).and_then(VecDeque::pop_front) == Some(true);
                self.write(*tensor, own, true);
            }
            StmtKind::Do(QueueStmt::Instr { instr }) => self.instr(instr),
            StmtKind::Do(QueueStmt::Call {
                tensors, scalars, ..
            }) => self.call(tensors, scalars),
            // The homes of tensors are already known.
            StmtKind::Do(QueueStmt::Get { .. } | QueueStmt::View { .. }) => {}
            StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Host {
                    call: HostCall::FitTile { .. },
                }
                | QueueStmt::Queue {
                    op: QueueOp::Free, ..
                }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. },
            ) => {}
        }
    }

    /// Joins the state at the end of the other arm of an `if`.
    pub fn join(&mut self, other: Origin) {
        self.homes.join(other.homes);
        self.own.extend(other.own);
        self.scalars.extend(other.scalars);
        for (queue, theirs) in other.waiting {
            let ours = self.waiting.entry(queue).or_default();
            ours.resize(ours.len().max(theirs.len()), false);
            ours.iter_mut().zip(theirs).for_each(|(a, b)| *a |= b);
        }
    }

    fn home(&self, tensor: TensorId) -> Home {
        self.homes.home(tensor)
    }

    fn depends(&self, s: &Scalar) -> bool {
        let mut found = false;
        s.walk(&mut |n| {
            found |= matches!(n, Scalar::BlockIdx)
                || matches!(n, Scalar::Var(v) if self.scalars.contains(v))
        });
        found
    }

    fn instr(&mut self, instr: &Instr) {
        let own = self.computes_own(instr);
        for (rule, view) in instr
            .views()
            .filter(|(rule, _)| rule.access == Access::Write)
        {
            let replaces = rule.reach != Reach::One || instr.op.contract().extents != Extents::None;
            view.tensor()
                .into_iter()
                .for_each(|t| self.write(t, own, replaces && view.offset == Scalar::Int(0)));
        }
        if own {
            self.scalars.extend(instr.result());
        }
    }

    /// True if the result of an instruction depends on the share of the block: by a place or a
    /// number, or by as many elements as the share has.
    fn computes_own(&self, instr: &Instr) -> bool {
        let reads = |view: &View| match view.base {
            Base::Gm(_) => self.depends(&view.offset),
            Base::Local(t) => self.is_own(t),
        };
        let (mut counted, is_one) = (
            false,
            instr
                .views()
                .any(|(rule, _)| rule.access == Access::Write && rule.reach == Reach::One),
        );
        if let (Extent::Count { n }, true) = (&instr.extent, is_one) {
            counted = self.depends(n);
        }
        counted
            || instr.accessed(Access::Read).any(reads)
            || instr.number().is_some_and(|s| self.depends(s))
    }

    /// Handles a call: all arguments flow into everything that it writes.
    fn call(&mut self, tensors: &[View], scalars: &[Scalar]) {
        let own = tensors
            .iter()
            .filter_map(View::tensor)
            .any(|t| self.is_own(t))
            || scalars.iter().any(|s| self.depends(s));
        tensors
            .iter()
            .filter_map(View::tensor)
            .for_each(|t| self.write(t, own, false));
    }

    fn write(&mut self, tensor: TensorId, own: bool, replaces: bool) {
        let home = self.home(tensor);
        if own {
            self.own.insert(home);
        } else if replaces {
            self.own.remove(&home);
        }
    }
}
