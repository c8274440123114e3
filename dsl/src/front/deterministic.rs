//! `#[deterministic]`: J0220 for sums of floats in no order.
//!
//! Copies of several cores that add to one element have no order, and each sum of floats rounds. All else that a kernel says is computed in one
//! order: what cores merge in a fixed tree, what turns append in the order of their loop, and at queue level nothing adds in GM.

use super::cx::Cx;
use crate::diag::{Code, Diagnostic, Spot};
use crate::ir::tile::Stmt;
use crate::ir::{walk_stmts, StmtKind, StoreHow, TensorRef, TileStmt};
use syn::{Attribute, Meta};

impl Cx<'_> {
    /// Reads the attribute.
    pub fn deterministic(&mut self, a: &Attribute) {
        if !matches!(a.meta, Meta::Path(_)) {
            let d = self.error(Code::J0105, a, "`#[deterministic]` takes no arguments").help("write `#[deterministic]`");
            let at = d.span();
            let d = d.fix(at, "#[deterministic]");
            self.report.add(d);
        }
        self.draft.deterministic = Some(self.report.at(a));
    }

    /// Judges a kernel on which it stands.
    pub fn judge_deterministic(&mut self) {
        let Some(asked) = self.draft.deterministic else { return };
        let mut found = Vec::new();
        walk_stmts(&self.out.stmts.tile, &mut |s| {
            if let StmtKind::Do(TileStmt::Store { to, how: StoreHow::Add, .. }) = &s.kind {
                found.extend(self.in_no_order(s, to.of));
            }
        });
        for d in found {
            self.report.add(d.label(asked, "asked for here").edit(asked, Spot::Statement, "").maybe());
        }
    }

    /// What is said of a store that adds, where one of the instances adds floats.
    fn in_no_order(&self, s: &Stmt, to: TensorRef) -> Option<Diagnostic> {
        let ty = self.gm_type(to)?;
        let mut types = self.draft.sig.instances.iter().map(|instance| ty.resolve(instance));
        let float = types.find(|dtype| dtype.is_float())?;
        let (name, _) = self.named_gm(to);
        let text =
            format!("`atomic_add` of {float} to `{name}`: cores add in no order, so that last bits change from run to run");
        let d = Diagnostic::new(Code::J0220, s.span, text);
        Some(d.help(
            "merge what all cores add up, `let mut s = across_cores::<f32>(axes, 0.0);` before the loop and `s += ..` inside, or let one turn store each element: a loop over the axes of the output, inside which another adds up",
        ))
    }
}
