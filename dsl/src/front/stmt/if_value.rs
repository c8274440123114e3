//! `if c { a } else { b }` as a value, of scalars or of tiles.
//!
//! A scalar is a choice between both, or a variable that is set in the branch whose statements make it. A tile begins as the one that is there without statements and is set to the other one in its branch.

use crate::diag::{Applicability, Code, Spot};
use crate::front::cx::block::Block;
use crate::front::cx::emitted::Frame;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::head::optional::Condition;
use crate::ir::tile::Stmt;
use crate::ir::{Scalar, ScalarTy, StmtKind, TileExpr, TileStmt, Ty, UnOp, ValueId};
use syn::{Expr, ExprIf};

impl Cx<'_> {
    /// `if c { a } else { b }` as a value.
    pub fn if_value(&mut self, i: &ExprIf, e: &Expr) -> Val {
        let Condition { cond, named } = self.if_condition(&i.cond);
        let Some(other_branch) = i.else_branch.as_ref().map(|(_, b)| &**b) else {
            let d = self.error(Code::J0101, e, "an `if` without `else` as a value cannot stand in a kernel");
            let at = d.span();
            let d = d.help("add the other value: `else { b }`").edit(at, Spot::After, " else { <value> }");
            return self.report.bad(d.applicable(Applicability::HasPlaceholders));
        };
        let then = self.nested(Frame::Inner, |cx| {
            cx.names.bind_condition(&i.cond, named);
            cx.branch(&i.then_branch, e)
        });
        let other = self.nested(Frame::Inner, |cx| match other_branch {
            Expr::Block(b) => cx.branch(&b.block, e),
            other => cx.expr(other),
        });
        let Some(cond) = cond else { return Val::Unknown };
        self.chosen(&cond, named.is_some(), then, other, e)
    }

    /// One of two values, each with the statements that make it.
    pub fn chosen(&mut self, cond: &Scalar, asks: bool, then: (Block, Val), other: (Block, Val), e: &Expr) -> Val {
        let ((then_stmts, then), (other_stmts, other)) = (then, other);
        match (then, other) {
            (Val::Num(a), Val::Num(b)) => {
                let ty = match (a.ty, b.ty) {
                    (x, y) if x == y => x,
                    (None, Some(t)) | (Some(t), None) if matches!(t, ScalarTy::Index | ScalarTy::I32) => Some(t),
                    _ => {
                        let text = format!("branches of types `{}` and `{}`", a.ty_name(), b.ty_name());
                        let d = self.error(Code::J0208, e, text);
                        return self.report.bad(d.help("convert one of them: `as f32`"));
                    }
                };
                let (a, b) = (a.settled(ty), b.settled(ty));
                if !(then_stmts.only_names() && other_stmts.only_names()) || asks && !then_stmts.is_empty() {
                    let ty = ty.unwrap_or(ScalarTy::Index);
                    return Val::Num(self.chosen_scalars(cond, (then_stmts, a), (other_stmts, b), ty, e));
                }
                self.out.stmts.extend(then_stmts);
                self.out.stmts.extend(other_stmts);
                Val::Num(Num { value: Scalar::select(cond.clone(), a, b), ty, axis: None })
            }
            (a, b) if a.is_unknown() || b.is_unknown() => Val::Unknown,
            (Val::Tile(a), Val::Tile(b)) => match self.chosen_tiles(cond, then_stmts, &[a], other_stmts, &[b], e).as_deref() {
                Some([value]) => Val::Tile(*value),
                _ => Val::Unknown,
            },
            (Val::Tuple(a), Val::Tuple(b)) if a.len() == b.len() && a.iter().chain(&b).all(|v| matches!(v, Val::Tile(_))) => {
                let tiles = |all: &[Val]| all.iter().filter_map(|v| if let Val::Tile(v) = v { Some(*v) } else { None }).collect::<Vec<_>>();
                match self.chosen_tiles(cond, then_stmts, &tiles(&a), other_stmts, &tiles(&b), e) {
                    Some(values) => Val::Tuple(values.into_iter().map(Val::Tile).collect()),
                    None => Val::Unknown,
                }
            }
            (a, b) => self.report.unsupported(
                e,
                &format!("an `if` between {} and {} as a value", a.what(), b.what()),
                "both branches end with a tile, or both with a scalar; assign others in the branches: `let mut v = a; if c { v = b; }`",
            ),
        }
    }

    /// One of two scalars of which statements make one: a variable begins as the other one, or as 0, and is set in its branch.
    fn chosen_scalars(&mut self, cond: &Scalar, then: (Block, Scalar), other: (Block, Scalar), ty: ScalarTy, e: &Expr) -> Num {
        let span = self.report.at(e);
        let ((mut then, a), (mut other, b)) = (then, other);
        let begins_as_other = other.only_names();
        let first = match ty {
            _ if begins_as_other => {
                self.out.stmts.extend(std::mem::take(&mut other));
                b.clone()
            }
            ScalarTy::Index => Scalar::Int(0),
            ScalarTy::I32 => Scalar::I32(0),
            ScalarTy::F32 => Scalar::Float(0.0),
            ScalarTy::Bool => Scalar::Bool(false),
        };
        let var = self.out.let_scalar("", &Num::new(first, ty), true, span);
        then.assign(var, &a, false, span);
        if !begins_as_other {
            other.assign(var, &b, false, span);
        }
        self.out.stmts.branch(cond, then, other, span);
        // No later assignment changes what was chosen.
        let value = self.out.let_scalar("", &Num::new(Scalar::Var(var), ty), false, span);
        Num::new(Scalar::Var(value), ty)
    }

    /// One of two tiles, or of several pairs of them: each begins as one that is there before both branches and is set to the other one in its branch.
    fn chosen_tiles(
        &mut self,
        cond: &Scalar,
        mut then: Block,
        firsts: &[ValueId],
        mut other: Block,
        seconds: &[ValueId],
        e: &Expr,
    ) -> Option<Vec<ValueId>> {
        let span = self.report.at(e);
        let made = |stmts: &Block, v: ValueId| {
            stmts.tile.iter().any(|s| matches!(s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if value == v))
        };
        let mut values = Vec::with_capacity(firsts.len());
        for (a, b) in firsts.iter().zip(seconds) {
            self.are_alike(*a, *b, e)?;
            let begins = [(&other, *b), (&then, *a)].into_iter().find(|(stmts, v)| !made(stmts, *v)).map(|(_, v)| v);
            let first = self.first_of(begins, self.out.dtype(*a), e)?;
            let value = self.out.define(first, self.out.dtype(*a), self.out.axes(*a).clone(), span);
            self.out.body.values[value.index()].mutable = true;
            for (stmts, from) in [(&mut then, *a), (&mut other, *b)] {
                if begins != Some(from) {
                    stmts.tile.push(Stmt { kind: StmtKind::Do(TileStmt::Set { value, from }), span });
                }
            }
            values.push(value);
        }
        match then.is_empty() {
            true => self.out.stmts.branch(&Scalar::un(UnOp::Not, cond.clone()), other, Block::default(), span),
            false => self.out.stmts.branch(cond, then, other, span),
        }
        Some(values)
    }

    /// What a tile is before the branches.
    fn first_of(&mut self, begins: Option<ValueId>, dtype: Ty, e: &Expr) -> Option<TileExpr> {
        Some(match begins {
            _ if dtype == Ty::Mask => {
                self.report.unsupported(
                    e,
                    "an `if` between masks as a value",
                    "choose between numbers and compare behind: `let m = if c { a.select(1.0, 0.0) } else { b.select(1.0, 0.0) };`, `m.eq(1.0)`",
                );
                return None;
            }
            Some(value) => TileExpr::Copy { value },
            None if self.is_float(dtype) == Some(true) => TileExpr::Fill { value: Scalar::Float(0.0) },
            None => TileExpr::Fill { value: Scalar::I32(0) },
        })
    }

    /// Reports tiles of two types or with other axes.
    fn are_alike(&mut self, a: ValueId, b: ValueId, e: &Expr) -> Option<()> {
        let d = if self.out.dtype(a) != self.out.dtype(b) {
            let (a, b) = (self.draft.sig.ty_name(self.out.dtype(a)), self.draft.sig.ty_name(self.out.dtype(b)));
            let d = self.error(Code::J0201, e, format!("branches with tiles of `{a}` and of `{b}`"));
            d.help("convert one of them: `.cast::<f32>()`")
        } else if self.out.axes(a) != self.out.axes(b) {
            let (a, b) = (self.out.axes_text(self.out.axes(a)), self.out.axes_text(self.out.axes(b)));
            let d = self.error(Code::J0206, e, format!("branches with tiles `{a}` and `{b}`"));
            d.help("give both the same axes: `.expand(d)`")
        } else {
            return Some(());
        };
        self.report.add(d);
        None
    }

    /// What a block ends with, behind its statements.
    pub fn branch(&mut self, block: &syn::Block, e: &Expr) -> Val {
        self.block_consts(block);
        let Some((syn::Stmt::Expr(last, None), before)) = block.stmts.split_last() else {
            return self.report.unsupported(
                e,
                "an `if` as a value with a branch that gives none",
                "end each branch with its value, without `;`",
            );
        };
        before.iter().for_each(|s| self.stmt(s));
        self.expr(last)
    }
}
