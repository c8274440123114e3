//! Kernels with lists: what an operator must find in a body that its blocks run for one item after the other.
//!
//! A block that has no share of an item goes to the meetings of the others all the same, as often as they do. How often that is must not
//! hang from what only they know.

use crate::diag::{Code, Diagnostic};
use crate::ir::queue::Stmt;
use crate::ir::{walk_stmts, Lowered, Variant};

/// J0109 for meetings under scalar control in a kernel with lists.
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
