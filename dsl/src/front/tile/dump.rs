//! `v.dump("name");`: shows the elements of a tile, and changes nothing.
//!
//! Outside of all loops one core shows them. A part along the tile of a loop is shown unchanged, so
//! the output depends on the tile size, although no result does.

use crate::diag::Code;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::front::text::words::method_ends;
use crate::ir::tile::Stmt;
use crate::ir::{is_title, StmtKind, TileStmt, Ty, ValueId};
use syn::{Expr, ExprLit, ExprMethodCall, Lit};

/// Most letters of a name.
const MOST: usize = 64;

impl Cx<'_> {
    /// Reads a call `v.dump("name")`.
    pub fn dump(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let usage = format!("write `{}.dump(\"name\");`", text(&m.receiver));
        let [node] = m.args.iter().collect::<Vec<_>>()[..] else {
            let n = m.args.len();
            let d = self
                .error(
                    Code::J0106,
                    e,
                    format!("`dump` takes 1 argument, found {n}"),
                )
                .help(usage);
            return self.report.bad(d);
        };
        let Expr::Lit(ExprLit {
            lit: Lit::Str(name),
            ..
        }) = node
        else {
            let d = self
                .error(Code::J0106, node, "the name of `dump` is a string literal")
                .help(usage);
            return self.report.bad(d);
        };
        let name = name.value();
        if name.len() > MOST || !is_title(&name) {
            let d = self
                .error(
                    Code::J0106,
                    node,
                    format!("the name of `dump` has 1 to {MOST} printable letters of ASCII"),
                )
                .help(usage);
            return self.report.bad(d);
        }
        if self.out.dtype(v) == Ty::Mask {
            let (receiver, of) = (self.report.at(&m.receiver), text(&m.receiver));
            let d = self
                .error(
                    Code::J0201,
                    &method_ends(m),
                    "`dump` of a mask, which has bits and no elements",
                )
                .label(receiver, "this is a mask")
                .help(format!(
                    "show what it chooses: `{of}.select(1, 0).dump(..)`"
                ));
            return self.report.bad(d);
        }
        let shown = Stmt {
            kind: StmtKind::Do(TileStmt::Dump { value: v, name }),
            span: self.report.at(e),
        };
        match self.out.phase() {
            None => self.store_once(shown),
            Some(_) => self.out.stmts.tile.push(shown),
        }
        Val::Unit
    }
}
