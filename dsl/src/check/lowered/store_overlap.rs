//! J0505: stores of different blocks to the same elements.
//!
//! A store whose offset depends on the block, through `get_block_idx()` or the start of a share,
//! counts as separate from other blocks. Any other store goes to one place from every block. Under
//! a condition that picks blocks, that is intended, unless the value stems from the share of the
//! block. Then the results of all other shares are lost (`origin` follows the values).

use super::homes::Homes;
use super::origin::Origin;
use crate::check::prove::facts::Facts;
use crate::diag::{Code, Diagnostic};
use crate::ir::queue::{Body, Stmt};
use crate::ir::{
    walk_stmts, Extent, Instr, Lowered, QueueStmt, Scalar, SpanId, StmtKind, TensorRef, VarId,
    Variant, View,
};
use crate::ops::contract::Access;
use std::collections::BTreeSet;

/// Checks every copy to GM of a variant.
pub fn check_stores(
    lowered: &Lowered,
    variant: &Variant,
    facts: &Facts,
    found: &mut Vec<Diagnostic>,
) {
    let mut blocks = false;
    variant
        .body
        .walk(&mut |s| s.scalars(&mut |e| blocks |= mentions_block(e)));
    if !blocks || facts.proves_le(&variant.block_dim, &Scalar::Int(1)) {
        return;
    }
    let (mut by_block, mut lengths) = (BTreeSet::new(), BTreeSet::new());
    for (start, len) in variant.shares() {
        by_block.insert(start);
        // Different lengths of shares do not tell one block from another.
        lengths.insert(len);
    }
    let values = Origin::new(Homes::new(lowered.binding(), &variant.body));
    let mut cores = Cores {
        lowered,
        body: &variant.body,
        facts,
        found,
        picked: false,
        learning: false,
        by_block,
        lengths,
        values,
    };
    cores.statements(&variant.body.stmts);
}

struct Cores<'a> {
    lowered: &'a Lowered,
    body: &'a Body,
    facts: &'a Facts,
    found: &'a mut Vec<Diagnostic>,
    /// True under a condition that holds in some blocks only.
    picked: bool,
    learning: bool,
    /// Variables that differ from block to block.
    by_block: BTreeSet<VarId>,
    /// Lengths of shares.
    lengths: BTreeSet<VarId>,
    values: Origin,
}

impl Cores<'_> {
    fn differs(&self, s: &Scalar) -> bool {
        let mut found = false;
        s.walk(&mut |n| {
            found |= match n {
                Scalar::BlockIdx => true,
                Scalar::Var(v) => self.by_block.contains(v),
                _ => false,
            }
        });
        found
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for s in stmts {
            self.statement(s);
        }
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value }
                if self.differs(value) && !self.lengths.contains(var) =>
            {
                self.by_block.insert(*var);
            }
            StmtKind::For {
                var,
                from,
                to,
                body,
            } => {
                if self.differs(from) {
                    self.by_block.insert(*var);
                }
                // A loop whose iteration count depends on the block gives each block its own
                // scalar.
                if self.differs(from) || self.differs(to) {
                    let set = |s: &Stmt| {
                        if let StmtKind::SetScalar { var, .. } = &s.kind {
                            Some(*var)
                        } else {
                            None
                        }
                    };
                    walk_stmts(body, &mut |s| self.by_block.extend(set(s)));
                }
                self.values.runs(*var, from, to);
                self.turns(body);
            }
            StmtKind::If { cond, then, other } => {
                let (picked, before) = (self.picked, self.values.clone());
                self.picked |= self.differs(cond);
                self.statements(then);
                let after = std::mem::replace(&mut self.values, before);
                self.statements(other);
                self.values.join(after);
                self.picked = picked;
            }
            StmtKind::Do(QueueStmt::Instr { instr }) => {
                let mut found = Vec::new();
                let stores = instr
                    .accessed(Access::Write)
                    .filter(|v| v.global().is_some());
                for dst in stores
                    .filter(|v| !self.differs(&v.offset))
                    .filter_map(View::global)
                {
                    let own = instr
                        .accessed(Access::Read)
                        .filter_map(View::tensor)
                        .any(|t| self.values.is_own(t));
                    found.push((dst, own));
                }
                if !found.is_empty() && !self.stores_nothing(instr) {
                    found
                        .into_iter()
                        .for_each(|(dst, own)| self.store(dst, own, s.span));
                }
            }
            StmtKind::LetScalar { .. }
            | StmtKind::SetScalar { .. }
            | StmtKind::Promise { .. }
            | StmtKind::Do(
                QueueStmt::Queue { .. }
                | QueueStmt::Get { .. }
                | QueueStmt::View { .. }
                | QueueStmt::Place { .. }
                | QueueStmt::Sync { .. }
                | QueueStmt::Reset { .. }
                | QueueStmt::Call { .. }
                | QueueStmt::Host { .. },
            ) => {}
        }
        self.values.after(s);
    }

    /// Walks a loop body twice, since an iteration sees what the one before left. The first walk
    /// only learns, and walks inner loops once, so that nesting stays cheap.
    fn turns(&mut self, body: &[Stmt]) {
        if !self.learning {
            let known = self.found.len();
            self.learning = true;
            self.statements(body);
            self.learning = false;
            self.found.truncate(known);
        }
        self.statements(body);
    }

    /// True for a copy of no elements, such as one of an axis without indices.
    fn stores_nothing(&self, instr: &Instr) -> bool {
        let counts = match &instr.extent {
            Extent::Rows { rows, cols } => vec![rows, cols],
            Extent::Count { n } | Extent::Counter { n } => vec![n],
            Extent::Eights { repeat } => vec![repeat],
            Extent::Fixed {} | Extent::Repeat { .. } => vec![],
        };
        counts
            .into_iter()
            .any(|count| self.facts.proves_le(count, &Scalar::Int(0)))
    }

    /// Reports a store whose place is equal in every block.
    fn store(&mut self, dst: TensorRef, own: bool, span: SpanId) {
        let name = self.body.gm_name(&self.lowered.sig, dst);
        if !self.picked {
            let text = format!("every block stores to the same elements of `{name}`: the offset does not depend on the block");
            let help =
                "start from `share.start()` and store no more than `share.len()`, or launch one block with `.block_dim(1)`";
            self.found
                .push(Diagnostic::new(Code::J0505, span, text).help(help));
        } else if own {
            let text = format!("`{name}` gets what the picked block found in its own share; what the other blocks found is lost");
            let help = "store each block's result at an offset that depends on `get_block_idx()`, where there is room for all of them, `.block_dim(8)`; or launch one block with `.block_dim(1)`";
            self.found
                .push(Diagnostic::new(Code::J0505, span, text).help(help));
        }
    }
}

fn mentions_block(s: &Scalar) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= matches!(n, Scalar::BlockIdx | Scalar::BlockDim));
    found
}
