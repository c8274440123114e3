//! `#[deterministic]`: J0220 for sums of floats in no order.
//!
//! Copies of several cores that add to one element have no order, and each sum of floats rounds.
//! Everything else has one order. Cores merge in a fixed tree, and iterations append in the order
//! of their loop. At queue level nothing adds in GM.

use crate::diag::{Code, Diagnostic, Spot};
use crate::ir::tile::Body;
use crate::ir::{Kernel, StmtKind, StoreHow, TileStmt};

/// Checks a kernel that carries the attribute.
pub fn check_order_of_sums(kernel: &Kernel, body: &Body, found: &mut Vec<Diagnostic>) {
    let Some(asked) = kernel.deterministic else {
        return;
    };
    body.walk(&mut |s| {
        let StmtKind::Do(TileStmt::Store { to, how: StoreHow::Add, .. }) = &s.kind else { return };
        let ty = body.gm_ty(&kernel.sig, to.of);
        let mut types = kernel.sig.instances.iter().map(|instance| ty.resolve(instance));
        let Some(float) = types.find(|dtype| dtype.is_float()) else { return };
        let name = body.gm_name(&kernel.sig, to.of);
        let text =
            format!("`atomic_add` of {float} to `{name}`: cores add in no order, so that last bits change from run to run");
        let d = Diagnostic::new(Code::J0220, s.span, text).help(
            "merge what all cores add up, `let mut s = across_cores::<f32>(axes, 0.0);` before the loop and `s += ..` inside, or let one iteration store each element: a loop over the axes of the output, inside which another adds up",
        );
        found.push(d.label(asked, "asked for here").edit(asked, Spot::Statement, "").maybe());
    });
}
