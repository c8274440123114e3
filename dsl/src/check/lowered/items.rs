//! Kernels with lists: barriers in a body that runs for one item after the other.
//!
//! A block without a share of an item still takes part in the barriers (SyncAll) of the others, as
//! often as they do. So that number must not depend on anything that only those blocks know.

use crate::diag::{Code, Diagnostic};
use crate::ir::queue::Stmt;
use crate::ir::{walk_stmts, Lowered, Variant};

/// Reports J0109 for barriers under scalar control in a kernel with lists.
pub fn check_items(lowered: &Lowered, variant: &Variant, found: &mut Vec<Diagnostic>) {
    if lowered.sig.lists().next().is_none() {
        return;
    }
    for inner in variant.body.stmts.iter().flat_map(Stmt::children).flatten() {
        walk_stmts(inner, &mut |s| {
            if s.is_meeting() {
                let d = Diagnostic::new(
                    Code::J0109,
                    s.span,
                    "blocks wait for one another under an `if` or in a loop, in a kernel with lists: not offered yet",
                );
                found.push(d.help("let what needs it stand at the top of the loop over items, or make a kernel of one tensor"));
            }
        });
    }
}
