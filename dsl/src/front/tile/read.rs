//! `v.scalar()`, the one number of a tile without axes as a scalar of the core, and `assume(..)`,
//! the author's promises about such numbers.
//!
//! No host knows scalars that are computed from them: ranges, branches and indices take them, sizes
//! do not. Outside of tile loops each core reads for itself, and all read equal numbers.

use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span::text;
use crate::front::text::words::method_ends;
use crate::ir::{
    tile, Axes, BinOp, Level, Operand, Promised, Scalar, ScalarTy, SpanId, Stage, StmtKind,
    TileExpr, TileStmt, Ty, ValueId,
};
use crate::ops::{LayoutOp, Op};
use syn::{Expr, ExprCall, ExprMethodCall};

impl Cx<'_> {
    /// Reads a call `v.scalar()`.
    pub fn read_scalar(&mut self, v: ValueId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        if self
            .report
            .exactly::<0>("scalar", &args, e, "v.scalar()")
            .is_none()
            || !self.may_be_read(v, m)
        {
            return Val::Unknown;
        }
        let span = self.report.at(e);
        let ty = match self.out.dtype(v) {
            Ty::Mask => return bit(&mut self.out, v, span),
            Ty::Is(DType::I32 | DType::I16) => ScalarTy::I32,
            Ty::Is(DType::I64) => ScalarTy::Index,
            Ty::Is(DType::F32) => ScalarTy::F32,
            other @ (Ty::Is(_) | Ty::Param(_) | Ty::Wide(_)) => {
                let name = self.draft.sig.ty_name(other);
                let d = self.error(Code::J0201, &method_ends(m), format!("`scalar` of a tile of `{name}`"))
                    .help("scalars are `f32`, `i32`, and of a tile of `i64` `usize`; a mask gives a `bool`: convert it first, `.cast::<f32>().scalar()`");
                return self.report.bad(d);
            }
        };
        Val::Num(Num::new(read(&mut self.out, v, ty, span), ty))
    }

    /// Reports J0206 for a tile with axes.
    fn may_be_read(&mut self, v: ValueId, m: &ExprMethodCall) -> bool {
        let axes = self.out.axes(v).clone();
        if axes.is_empty() {
            return true;
        }
        let (receiver, all, over) = (
            self.report.at(&m.receiver),
            self.out.axes_text(&axes),
            self.out.axes_arg(&axes),
        );
        let d = self
            .error(Code::J0206, &method_ends(m), format!("`scalar` of a tile `{all}`, it takes one number"))
            .label(receiver, format!("this is `{all}`"))
            .help(format!("reduce it, `v.sum({over})`, or load one element: `x.at(i).load().scalar()` with a scalar `i`"));
        self.report.add(d);
        false
    }

    /// Reads a call `assume(cond);`.
    pub fn assume_call(&mut self, c: &ExprCall, e: &Expr) -> Val {
        self.use_level(Level::Tile, e, "assume");
        let Some(node) = c.args.first().filter(|_| c.args.len() == 1) else {
            let n = c.args.len();
            let d = self
                .error(
                    Code::J0106,
                    e,
                    format!("`assume` takes 1 argument, found {n}"),
                )
                .help("write `assume(lo <= hi && hi <= m);`");
            return self.report.bad(d);
        };
        let Some(cond) = self.condition(node) else {
            return Val::Unknown;
        };
        let said = text(node);
        let d = if self.out.stage(&cond) <= Stage::Host {
            self.error(Code::J0109, e, "`assume` of what the host knows")
                .help(format!(
                    "the host checks it: `require({said});`, first in the body of the kernel"
                ))
        } else {
            let span = self.report.at(e);
            let kind = StmtKind::Promise {
                what: Promised::Fact { cond, text: said },
            };
            self.out.stmts.tile.push(tile::Stmt { kind, span });
            return Val::Unit;
        };
        self.report.bad(d)
    }
}

fn read(out: &mut Emitted, value: ValueId, ty: ScalarTy, span: SpanId) -> Scalar {
    let var = out.new_var("", ty, false, Stage::Block);
    out.tile(TileStmt::Read { var, value }, span);
    Scalar::Var(var)
}

/// Reads a bit of a mask: it selects one of the numbers 1 and 0.
fn bit(out: &mut Emitted, mask: ValueId, span: SpanId) -> Val {
    let number = Ty::Is(DType::F32);
    let mut made = |expr| out.define(expr, number, Axes::default(), span);
    let one = made(TileExpr::Fill {
        value: Scalar::Float(1.0),
    });
    let args = vec![
        Operand::Value { value: mask },
        Operand::Value { value: one },
        Operand::Scalar {
            value: Scalar::Float(0.0),
        },
    ];
    let chosen = made(TileExpr::Op {
        op: Op::Layout(LayoutOp::Select),
        args,
    });
    let number = read(out, chosen, ScalarTy::F32, span);
    Val::Num(Num::new(
        number.bin(BinOp::Ne, Scalar::Float(0.0)),
        ScalarTy::Bool,
    ))
}
