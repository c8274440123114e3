//! Stores of different blocks to the same elements, in what a queue-level kernel says itself. Tile loops give every
//! element to one block by construction.
//!
//! A store is taken to be apart from those of other blocks where its offset depends on the block: on `get_block_idx()`
//! or on the start of a share. Where it does not and more than one block may run, every block writes the same place.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Kernel, Scalar, Stmt, StmtKind, VarId};
use std::collections::BTreeSet;

/// Checks every copy to GM.
pub(super) fn check_stores(kernel: &Kernel, found: &mut Vec<Diagnostic>) {
    let mut cores = Cores { kernel, found, by_block: BTreeSet::new(), blocks: false };
    let mut one_block = false;
    kernel.body.walk(&mut |s| {
        if let StmtKind::Split { block_dim, .. } = &s.kind {
            cores.blocks = true;
            one_block |= block_dim.as_ref().and_then(Scalar::as_int) == Some(1);
        }
        cores.blocks |= scalars(s).any(mentions_block);
    });
    if cores.blocks && !one_block {
        cores.statements(&kernel.body.stmts);
    }
}

struct Cores<'a> {
    kernel: &'a Kernel,
    found: &'a mut Vec<Diagnostic>,
    /// Variables that differ from block to block.
    by_block: BTreeSet<VarId>,
    /// True where more than one block may be launched.
    blocks: bool,
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
            match &s.kind {
                StmtKind::Split { start, .. } => {
                    self.by_block.insert(*start);
                }
                StmtKind::LetScalar { var, value } | StmtKind::SetScalar { var, value } if self.differs(value) => {
                    self.by_block.insert(*var);
                }
                StmtKind::For { var, from, body, .. } => {
                    if self.differs(from) {
                        self.by_block.insert(*var);
                    }
                    self.statements(body);
                }
                // An author who asks which block this is has decided which one stores.
                StmtKind::If { cond, then, other } if !self.differs(cond) => {
                    self.statements(then);
                    self.statements(other);
                }
                StmtKind::CopyOut { dst, .. } if !self.differs(&dst.offset) => {
                    let name = &self.kernel.sig.param(dst.param).name;
                    let text =
                        format!("every block stores to the same elements of `{name}`: the offset does not depend on the block");
                    let help = "start from `share.start()`, or launch one block with `.block_dim(1)`";
                    self.found.push(Diagnostic::new(Code::J0505, s.span, text).help(help));
                }
                _ => {}
            }
        }
    }
}

fn mentions_block(s: &Scalar) -> bool {
    let mut found = false;
    s.walk(&mut |n| found |= matches!(n, Scalar::BlockIdx | Scalar::BlockDim));
    found
}

/// The scalars by which a statement may ask for its block.
fn scalars(s: &Stmt) -> impl Iterator<Item = &Scalar> {
    let parts: Vec<&Scalar> = match &s.kind {
        StmtKind::LetScalar { value, .. } | StmtKind::SetScalar { value, .. } => vec![value],
        StmtKind::For { from, to, .. } => vec![from, to],
        StmtKind::If { cond, .. } => vec![cond],
        StmtKind::CopyIn { src, shape, .. } => vec![&src.offset, &shape.cols],
        StmtKind::CopyOut { dst, shape, .. } => vec![&dst.offset, &shape.cols],
        _ => Vec::new(),
    };
    parts.into_iter()
}
