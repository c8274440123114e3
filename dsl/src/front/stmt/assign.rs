//! Assignment to names of a `let mut`: tiles and scalars.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::value::Val;
use crate::front::cx::Cx;
use crate::front::text::span::Ends;
use crate::ir::{BinOp, Scalar, TileStmt, Ty, ValueId};
use syn::Expr;

impl Cx<'_> {
    /// Reads `left = right`, or `left op= right`.
    pub fn assign(&mut self, left: &Expr, right: &Expr, op: Option<BinOp>, e: &Expr) {
        let Expr::Path(p) = left else {
            self.expr(right);
            if self.names.mentions_unknown(left) {
                return;
            }
            let d = self
                .error(
                    Code::J0101,
                    left,
                    "an assignment to something that is no name",
                )
                .help("assign to a name bound with `let mut`");
            self.report.add(d);
            return;
        };
        let Some(ident) = p.path.get_ident() else {
            self.expr(left);
            self.expr(right);
            return;
        };
        let name = ident.to_string();
        let Some((target, mutable, bound)) = self
            .names
            .target(&name)
            .map(|b| (b.val.clone(), b.mutable, b.at))
        else {
            self.expr(left);
            self.expr(right);
            return;
        };
        if self.is_kept_over_items(&name, bound, e) {
            return;
        }
        if matches!(target, Val::Tile(t) if self.draft.is_merged_bits(t)) {
            self.expr(right);
            return self.report.not_merged(&name, e);
        }
        let value = self.expr_as(right, tile_hint(&self.out, &target));
        if target.is_unknown() || value.is_unknown() {
            return;
        }
        if !mutable {
            self.not_mutable(&name, &target, bound, e);
            return;
        }
        let value = match op {
            Some(op) => self.apply(op, (target.clone(), left), (value, right), e),
            None => value,
        };
        match (target, value) {
            (_, Val::Unknown) => {}
            (Val::Num(t), Val::Num(n)) => {
                let (Scalar::Var(var), Some(ty)) = (t.value, t.ty) else {
                    return;
                };
                let Some(n) = self.report.want(n, ty, right, &format!("`{name}`")) else {
                    return;
                };
                let span = self.report.at(e);
                self.out.stmts.assign(var, &n.value, false, span);
            }
            (Val::Tile(t), Val::Tile(v)) => self.set_tile(&name, t, v, right, bound, e),
            (Val::Tile(_), Val::Num(_)) => {
                let d = self
                    .error(
                        Code::J0106,
                        right,
                        format!("`{name}` is a tile, found a scalar"),
                    )
                    .help("fill a tile: `full(t, 0.0)`");
                self.report.add(d);
            }
            (Val::Num(_), other) => {
                self.wrong_kind(&(other, right), "a scalar");
            }
            (Val::Tile(_), other) => {
                self.wrong_kind(&(other, right), "a tile");
            }
            (other, _) => {
                let d = self
                    .error(Code::J0101, e, format!("an assignment to {}", other.what()))
                    .help("only tiles and scalars are assigned; give the new one a `let`");
                self.report.add(d);
            }
        }
    }

    pub fn not_mutable(&mut self, name: &str, target: &Val, bound: Ends, e: &Expr) {
        if let Val::Tensor(_) = target {
            let d = self
                .error(
                    Code::J0101,
                    e,
                    format!("an assignment to `{name}`, a GlobalTensor"),
                )
                .help(format!("store a tile to it: `{name}.at(t).store(v)`"));
            return self.report.add(d);
        }
        let at = self.report.at(&bound);
        let mut d = self
            .error(
                Code::J0213,
                e,
                format!("`{name}` is assigned but was not declared `mut`"),
            )
            .label(at, "declared here");
        d = match target {
            Val::Tile(_) | Val::Num(_)
                if is_let(&self.out, target) && name.contains(|c: char| c.is_lowercase()) =>
            {
                d.help(format!(
                    "write `let mut {name}`, or give the new value a `let` of its own"
                ))
                .fix(at, format!("mut {name}"))
            }
            _ => d.help(format!("give the new value a name: `let {name}_2 = ..;`")),
        };
        self.report.add(d);
    }

    pub fn set_tile(
        &mut self,
        name: &str,
        target: ValueId,
        from: ValueId,
        right: &Expr,
        bound: Ends,
        e: &Expr,
    ) {
        let (want, found) = (self.out.dtype(target), self.out.dtype(from));
        if want != found {
            let (w, f) = (self.draft.sig.ty_name(want), self.draft.sig.ty_name(found));
            let at = self.report.at(&bound);
            let d = self
                .error(
                    Code::J0201,
                    right,
                    format!("a tile of `{f}` assigned to `{name}`, a tile of `{w}`"),
                )
                .label(at, format!("`{name}` is `{w}`"))
                .help(format!("convert it: `.cast::<{w}>()`"));
            self.report.add(d);
            return;
        }
        let (want, found) = (self.out.axes(target), self.out.axes(from));
        if want != found {
            let (w, f) = (self.out.axes_text(want), self.out.axes_text(found));
            let at = self.report.at(&bound);
            let (axes, dtype) = (self.out.axes_arg(found), self.out.dtype(target));
            let number = if self.is_float(dtype) == Some(true) {
                "0.0"
            } else {
                "0"
            };
            let full = match dtype {
                Ty::Is(DType::F32) => format!("full({axes}, {number})"),
                other => format!(
                    "full::<{}>({axes}, {number})",
                    self.draft.sig.ty_name(other)
                ),
            };
            let d = self
                .error(
                    Code::J0206,
                    right,
                    format!("a tile `{f}` assigned to `{name}`, a tile `{w}`"),
                )
                .label(at, format!("`{name}` is `{w}`"))
                .help(format!(
                    "start with a tile of the axes that are assigned: `{full}`"
                ));
            self.report.add(d);
            return;
        }
        if target != from && self.merges(target, from, name, e) {
            let span = self.report.at(e);
            self.out.tile(
                TileStmt::Set {
                    value: target,
                    from,
                },
                span,
            );
        }
    }
}

fn tile_hint(out: &Emitted, target: &Val) -> Option<Ty> {
    match target {
        Val::Tile(v) => Some(out.dtype(*v)),
        _ => None,
    }
}

/// True for a name of a `let`, where `mut` may be added.
fn is_let(out: &Emitted, target: &Val) -> bool {
    match target {
        Val::Num(n) => match n.value {
            Scalar::Var(v) => {
                !out.loop_vars.contains(&v)
                    && !out.runs.iter().any(|run| run.start == v || run.len == v)
            }
            Scalar::Axis(_) | Scalar::Attr(..) => false,
            _ => true,
        },
        _ => true,
    }
}
