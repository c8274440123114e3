//! J0415: results of vector calls that another instruction overwrites entirely before anything
//! reads them.
//!
//! Two values in one buffer look like this, and no intended code does. Only certain cases are
//! reported:
//!
//! - Both instructions stand in one statement list, so a block that runs the first runs the second.
//! - The second writes every byte of the result and reads none.
//! - Nothing between them may read or write any of it, neither a call, a queue nor a loop.
//!
//! A fill is no result. It is common to clear a buffer and then to fill it entirely.

use super::bounds::Bounds;
use super::homes::Home;
use crate::diag::{Code, Diagnostic, Spot};
use crate::ir::queue::Stmt;
use crate::ir::{
    Extent, Instr, Layout, QueueOp, QueueStmt, Scalar, SpanId, StmtKind, TensorId, View,
};
use crate::ops::contract::{Access, Elem, Pipe, Reach, ViewRule};

/// The bytes that an instruction writes without gaps.
struct Written {
    tensor: TensorId,
    start: Scalar,
    end: Scalar,
}

/// A result without a reader so far.
struct Unread {
    home: Home,
    whole: Written,
    /// Name of the call, and its place.
    op: &'static str,
    span: SpanId,
    /// Nesting depth of its statement list.
    depth: usize,
}

/// The unread results of a body.
#[derive(Default)]
pub(super) struct Results {
    open: Vec<Unread>,
    depth: usize,
}

impl Results {
    fn forget(&mut self, home: Home) {
        self.open.retain(|u| u.home != home);
    }
}

impl Bounds<'_> {
    /// Runs `goes` for a nested statement list.
    pub(super) fn results_inside(&mut self, goes: impl FnOnce(&mut Self)) {
        self.results
            .iter_mut()
            .for_each(|results| results.depth += 1);
        goes(self);
        if let Some(results) = &mut self.results {
            results.depth -= 1;
            let depth = results.depth;
            results.open.retain(|u| u.depth <= depth);
        }
    }

    /// Updates the results for a statement that is no instruction.
    pub(super) fn results_after(&mut self, s: &Stmt) {
        let Some(results) = &mut self.results else {
            return;
        };
        match &s.kind {
            StmtKind::Do(QueueStmt::Call { tensors, .. }) => {
                tensors
                    .iter()
                    .filter_map(View::tensor)
                    .for_each(|t| results.forget(self.homes.home(t)));
            }
            StmtKind::Do(QueueStmt::Queue {
                op: QueueOp::Enque | QueueOp::Free,
                tensor,
                ..
            }) => results.forget(self.homes.home(*tensor)),
            // Proofs about places may depend on the scalar.
            StmtKind::SetScalar { .. } => results.open.clear(),
            // From here on, buffers lie elsewhere.
            StmtKind::Do(QueueStmt::Reset { .. }) => results.open.clear(),
            // `result_of` handles instructions; the others touch no results.
            StmtKind::LetScalar { .. }
            | StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Instr { .. }
                | QueueStmt::Queue {
                    op: QueueOp::Alloc | QueueOp::Deque,
                    ..
                }
                | QueueStmt::Get { .. }
                | QueueStmt::View { .. }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Host { .. },
            ) => {}
        }
    }

    /// Forgets all results, after an instruction with unknown accesses.
    pub(super) fn forget_results(&mut self) {
        self.results
            .iter_mut()
            .for_each(|results| results.open.clear());
    }

    /// Handles the reads, overwrites and results of an instruction over `n` elements.
    pub(super) fn result_of(&mut self, instr: &Instr, n: &Scalar, span: SpanId) {
        let Some(mut results) = self.results.take() else {
            return;
        };
        let views: Vec<_> = instr
            .views()
            .filter_map(|(rule, view)| Some((rule, view, self.homes.home(view.tensor()?))))
            .collect();
        let written = views
            .iter()
            .find_map(|(rule, view, home)| Some((*home, self.whole(instr, rule, view, n)?)));
        for unread in std::mem::take(&mut results.open) {
            let may_meet = |access: Option<Access>| {
                let mut own = views.iter().filter(|(rule, _, home)| {
                    *home == unread.home && access.is_none_or(|a| rule.access != a)
                });
                own.any(|(rule, view, _)| !self.is_apart(instr, rule, view, n, &unread))
            };
            if !may_meet(None) {
                results.open.push(unread);
                continue;
            }
            let le = |a: &Scalar, b: &Scalar| self.facts.proves_le(a, b);
            let covers = |(home, whole): &(Home, Written)| {
                *home == unread.home
                    && le(&whole.start, &unread.whole.start)
                    && le(&unread.whole.end, &whole.end)
            };
            if unread.depth == results.depth
                && !may_meet(Some(Access::Write))
                && written.as_ref().is_some_and(covers)
            {
                let name = self.tensor_name(unread.whole.tensor);
                let text = format!(
                    "this overwrites what `{}` has put into `{name}`, which nothing has read",
                    unread.op
                );
                let help = "two values need two buffers, or two parts of one; what nobody reads need not be computed";
                let d = Diagnostic::new(Code::J0415, span, text)
                    .label(unread.span, "computed here")
                    .help(help);
                self.found
                    .push(d.edit(unread.span, Spot::Statement, "").maybe());
            }
        }
        let computes =
            instr.op.contract().pipe == Pipe::V && instr.accessed(Access::Read).next().is_some();
        if let Some((home, whole)) = written.filter(|_| computes) {
            results.open.push(Unread {
                home,
                whole,
                op: instr.op.name(),
                span,
                depth: results.depth,
            });
        }
        self.results = Some(results);
    }

    /// Returns the bytes that an operand writes without gaps.
    fn whole(&self, instr: &Instr, rule: &ViewRule, view: &View, n: &Scalar) -> Option<Written> {
        let tensor = view.tensor()?;
        let is_dense =
            view.layout == Layout::Dense {} && rule.reach == Reach::All && rule.elem != Elem::Bits;
        let is_counted = matches!(instr.extent, Extent::Count { .. });
        let start = self.homes.start(tensor).1 + view.offset.clone() * self.size(tensor);
        let end = start.clone() + n.clone() * self.size(tensor);
        (is_dense && is_counted && rule.access == Access::Write).then_some(Written {
            tensor,
            start,
            end,
        })
    }

    /// True if an operand is known not to overlap a result.
    fn is_apart(
        &self,
        instr: &Instr,
        rule: &'static ViewRule,
        view: &View,
        n: &Scalar,
        unread: &Unread,
    ) -> bool {
        let Some(part) = self.part(instr, rule, view, n) else {
            return false;
        };
        let end = part.start.clone() + part.bytes;
        self.facts.proves_one([
            (&end, &unread.whole.start),
            (&unread.whole.end, &part.start),
        ])
    }
}
