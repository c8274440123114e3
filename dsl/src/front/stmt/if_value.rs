//! `if c { a } else { b }` as a value, of scalars or of tiles.
//!
//! A scalar becomes a select, or a variable that is set in the branch with statements. A tile
//! begins as the value that needs no statements, and is set to the other value in its branch.

use crate::diag::{Applicability, Code, Spot};
use crate::dtype::DType;
use crate::front::cx::block::Block;
use crate::front::cx::emitted::Frame;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::head::optional::Condition;
use crate::ir::tile::Stmt;
use crate::ir::{
    Operand, Scalar, ScalarTy, SpanId, StmtKind, TileExpr, TileStmt, Ty, UnOp, ValueId,
};
use crate::ops::CompareOp;
use syn::{Expr, ExprIf};

/// A branch of an `if` as a value: its statements, and its result.
struct Arm {
    stmts: Block,
    values: Vec<Val>,
}

impl Cx<'_> {
    /// Evaluates the value `if c { a } else { b }`.
    pub fn if_value(&mut self, i: &ExprIf, e: &Expr) -> Val {
        let Condition { cond, named } = self.if_condition(&i.cond);
        let Some(other_branch) = i.else_branch.as_ref().map(|(_, b)| &**b) else {
            let d = self.error(
                Code::J0101,
                e,
                "an `if` without `else` as a value cannot stand in a kernel",
            );
            let at = d.span();
            let d = d.help("add the other value: `else { b }`").edit(
                at,
                Spot::After,
                " else { <value> }",
            );
            return self
                .report
                .bad(d.applicable(Applicability::HasPlaceholders));
        };
        let then = self.nested(Frame::Inner, |cx| {
            cx.names.bind_condition(&i.cond, named);
            cx.branch(&i.then_branch, e)
        });
        let other = self.nested(Frame::Inner, |cx| match other_branch {
            Expr::Block(b) => cx.branch(&b.block, e),
            other => cx.expr(other),
        });
        let Some(cond) = cond else {
            return Val::Unknown;
        };
        self.chosen(&cond, named.is_some(), then, other, e)
    }

    /// Chooses between two values, or several pairs of them, with the statements that make each
    /// side.
    pub fn chosen(
        &mut self,
        cond: &Scalar,
        asks: bool,
        then: (Block, Val),
        other: (Block, Val),
        e: &Expr,
    ) -> Val {
        let (is_tuple, firsts, seconds) = match (then.1, other.1) {
            (a, b) if a.is_unknown() || b.is_unknown() => return Val::Unknown,
            (Val::Tuple(a), Val::Tuple(b)) if a.len() == b.len() => (true, a, b),
            (a, b) => (false, vec![a], vec![b]),
        };
        let (then, other) = (
            Arm {
                stmts: then.0,
                values: firsts,
            },
            Arm {
                stmts: other.0,
                values: seconds,
            },
        );
        let Some(mut values) = self.chosen_pairs(cond, asks, then, other, e) else {
            return Val::Unknown;
        };
        match is_tuple {
            true => Val::Tuple(values),
            false => values.pop().unwrap_or(Val::Unknown),
        }
    }

    fn chosen_pairs(
        &mut self,
        cond: &Scalar,
        asks: bool,
        then: Arm,
        other: Arm,
        e: &Expr,
    ) -> Option<Vec<Val>> {
        let (mut then, firsts) = (then.stmts, then.values);
        let (mut other, seconds) = (other.stmts, other.values);
        // The statements of an `if let Some(..)` read the tensor, so they must stay in the branch.
        let stays_inside = asks && !then.is_empty();
        let is_select = then.only_names() && other.only_names() && !stays_inside;
        let has_numbers = firsts.iter().any(|value| matches!(value, Val::Num(_)));
        if has_numbers && other.only_names() {
            self.out.stmts.extend(std::mem::take(&mut other));
        }
        if has_numbers && is_select {
            self.out.stmts.extend(std::mem::take(&mut then));
        }
        let mut values = Vec::with_capacity(firsts.len());
        for pair in firsts.into_iter().zip(seconds) {
            values.push(match pair {
                (Val::Num(a), Val::Num(b)) => {
                    let ty = self.one_type(&a, &b, e)?;
                    let (a, b) = (a.settled(ty), b.settled(ty));
                    match is_select {
                        true => Val::Num(Num { value: Scalar::select(cond.clone(), a, b), ty, axis: None }),
                        false => Val::Num(self.scalar_set_in([&mut then, &mut other], [a, b], ty, e)),
                    }
                }
                (Val::Tile(a), Val::Tile(b)) => Val::Tile(self.tile_set_in([&mut then, &mut other], [a, b], e)?),
                (a, b) => {
                    self.report.unsupported(
                        e,
                        &format!("an `if` between {} and {} as a value", a.what(), b.what()),
                        "both branches end with a tile, or both with a scalar; assign others in the branches: `let mut v = a; if c { v = b; }`",
                    );
                    return None;
                }
            });
        }
        let span = self.report.at(e);
        match (then.is_empty(), other.is_empty()) {
            (true, true) => {}
            (true, false) => self.out.stmts.branch(
                &Scalar::un(UnOp::Not, cond.clone()),
                other,
                Block::default(),
                span,
            ),
            (false, _) => self.out.stmts.branch(cond, then, other, span),
        }
        // No later assignment changes the chosen value.
        for value in &mut values {
            if let Val::Num(Num {
                value: Scalar::Var(var),
                ty: Some(ty),
                ..
            }) = value
            {
                let kept = self
                    .out
                    .let_scalar("", &Num::new(Scalar::Var(*var), *ty), false, span);
                *value = Val::Num(Num::new(Scalar::Var(kept), *ty));
            }
        }
        Some(values)
    }

    /// Returns the common type of two scalars; the inner `None` stands for two integer literals.
    fn one_type(&mut self, a: &Num, b: &Num, e: &Expr) -> Option<Option<ScalarTy>> {
        match (a.ty, b.ty) {
            (x, y) if x == y => Some(x),
            (None, Some(t)) | (Some(t), None) if matches!(t, ScalarTy::Index | ScalarTy::I32) => {
                Some(Some(t))
            }
            _ => {
                let d = self.error(
                    Code::J0208,
                    e,
                    format!("branches of types `{}` and `{}`", a.ty_name(), b.ty_name()),
                );
                self.report.add(d.help("convert one of them: `as f32`"));
                None
            }
        }
    }

    /// Makes a variable that each branch sets to its scalar. It begins as the second one if that
    /// needs no statements, else as 0.
    fn scalar_set_in(
        &mut self,
        arms: [&mut Block; 2],
        values: [Scalar; 2],
        ty: Option<ScalarTy>,
        e: &Expr,
    ) -> Num {
        let ([then, other], [a, b]) = (arms, values);
        let (span, ty) = (self.report.at(e), ty.unwrap_or(ScalarTy::Index));
        let begins_as_other = other.is_empty();
        let first = match ty {
            _ if begins_as_other => b.clone(),
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
        Num::new(Scalar::Var(var), ty)
    }

    /// Makes a tile that begins as the value that exists before both branches, and that the other
    /// branch sets.
    fn tile_set_in(
        &mut self,
        arms: [&mut Block; 2],
        values: [ValueId; 2],
        e: &Expr,
    ) -> Option<ValueId> {
        let ([then, other], [a, b]) = (arms, values);
        let span = self.report.at(e);
        let made = |stmts: &Block, v: ValueId| {
            stmts
                .tile
                .iter()
                .any(|s| matches!(s.kind, StmtKind::Do(TileStmt::Def { value, .. }) if value == v))
        };
        self.are_alike(a, b, e)?;
        if a == b {
            return Some(a);
        }
        let begins = [(&*other, b), (&*then, a)]
            .into_iter()
            .find(|(stmts, v)| !made(stmts, *v))
            .map(|(_, v)| v);
        let first = self.first_of(begins, a, span);
        let value = self
            .out
            .define(first, self.out.dtype(a), self.out.axes(a).clone(), span);
        self.out.body.values[value.index()].mutable = true;
        for (stmts, from) in [(then, a), (other, b)] {
            if begins != Some(from) {
                stmts.tile.push(Stmt {
                    kind: StmtKind::Do(TileStmt::Set { value, from }),
                    span,
                });
            }
        }
        Some(value)
    }

    /// Returns the value of a tile before the branches.
    fn first_of(&mut self, begins: Option<ValueId>, like: ValueId, span: SpanId) -> TileExpr {
        let dtype = self.out.dtype(like);
        let zero = match self.is_float(dtype) {
            Some(true) => Scalar::Float(0.0),
            Some(false) | None => Scalar::I32(0),
        };
        match begins {
            Some(value) => TileExpr::Copy { value },
            None if dtype == Ty::Mask => {
                let ones = Operand::Value {
                    value: self.out.define(
                        TileExpr::Fill {
                            value: Scalar::Float(1.0),
                        },
                        Ty::Is(DType::F32),
                        self.out.axes(like).clone(),
                        span,
                    ),
                };
                TileExpr::Op {
                    op: CompareOp::Eq.into(),
                    args: vec![
                        ones,
                        Operand::Scalar {
                            value: Scalar::Float(0.0),
                        },
                    ],
                }
            }
            None => TileExpr::Fill { value: zero },
        }
    }

    /// Reports tiles of two types or with different axes.
    fn are_alike(&mut self, a: ValueId, b: ValueId, e: &Expr) -> Option<()> {
        let d = if self.out.dtype(a) != self.out.dtype(b) {
            let (a, b) = (
                self.draft.sig.ty_name(self.out.dtype(a)),
                self.draft.sig.ty_name(self.out.dtype(b)),
            );
            let d = self.error(
                Code::J0201,
                e,
                format!("branches with tiles of `{a}` and of `{b}`"),
            );
            d.help("convert one of them: `.cast::<f32>()`")
        } else if self.out.axes(a) != self.out.axes(b) {
            let (x, y) = (self.out.axes(a).clone(), self.out.axes(b).clone());
            let (a, b) = (self.out.axes_text(&x), self.out.axes_text(&y));
            let d = self.error(
                Code::J0206,
                e,
                format!("branches with tiles `{a}` and `{b}`"),
            );
            let lacks = [y.without(&x), x.without(&y)]
                .into_iter()
                .filter(|less| !less.is_empty());
            let expands: Vec<String> = lacks
                .map(|less| format!("`.expand({})`", self.out.axes_arg(&less)))
                .collect();
            d.help(format!(
                "give both the same axes: {}",
                expands.join(" and ")
            ))
        } else {
            return Some(());
        };
        self.report.add(d);
        None
    }

    /// Evaluates a block: its statements, then its last expression.
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
