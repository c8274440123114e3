//! Indices that are computed from a tile: `t * s + k`, `t - p`, `n - 1 - t`.
//!
//! An index is a multiple of a tile, or of all indices of an axis (`d.indices()`), plus a number.
//! The host knows the factor; the number may be known only on a core. Such an index stands at any
//! axis of a tensor. The checker proves that it stays inside, and that stores do not overlap.

use crate::diag::{Code, Diagnostic};
use crate::front::cx::emitted::Emitted;
use crate::front::cx::report::Report;
use crate::front::cx::value::{Affine, Moving, Num, Seen, Val};
use crate::front::cx::Cx;
use crate::front::text::span;
use crate::front::text::words::{as_receiver, symbol};
use crate::ir::{AxId, BinOp, Index, Scalar, ScalarTy, Term};
use syn::{Expr, ExprMethodCall};

/// One side of an operator.
enum Side {
    Index(Affine),
    Number(Num),
}

impl Affine {
    /// Makes the index that equals the tile or axis.
    pub fn plain(of: Moving) -> Affine {
        Affine {
            of,
            factor: Scalar::Int(1),
            offset: Scalar::Int(0),
        }
    }
}

impl Cx<'_> {
    /// Reads `d.indices()`: all indices of an axis, from which others are computed.
    pub fn all_indices(&mut self, ax: AxId, m: &ExprMethodCall, e: &Expr) -> Val {
        let args = self.args(&m.args);
        match self.report.exactly::<0>("indices", &args, e, "d.indices()") {
            Some(_) => Val::Affine(Box::new(whole_indices(&self.out, ax))),
            None => Val::Unknown,
        }
    }

    /// Returns the indices of a range, or of an axis that is one. The inner error is a refused
    /// range.
    pub fn range_indices(&mut self, val: &Val, node: &Expr) -> Option<Result<Affine, ()>> {
        let ax = match val {
            Val::Range(range) => self.range_ax(range, node).ok_or(()),
            other => Ok(self
                .axis_of(other)
                .filter(|ax| self.out.firsts.contains_key(ax))?),
        };
        Some(ax.map(|ax| whole_indices(&self.out, ax)))
    }

    /// Evaluates `a op b` where one side is a tile of a loop, or computed from one.
    pub fn affine_operator(
        &mut self,
        op: BinOp,
        left: (Val, &Expr),
        right: (Val, &Expr),
        e: &Expr,
    ) -> Val {
        let Some((a, b)) =
            side(&mut self.report, left.0, left.1).zip(side(&mut self.report, right.0, right.1))
        else {
            return Val::Unknown;
        };
        let one = || Scalar::Int(1);
        let made = match (op, a, b) {
            (BinOp::Add, Side::Index(i), Side::Number(n)) => {
                index_number(&mut self.report, n, right.1).map(|n| Affine {
                    offset: i.offset.clone() + n,
                    ..i
                })
            }
            (BinOp::Add, Side::Number(n), Side::Index(i)) => {
                index_number(&mut self.report, n, left.1).map(|n| Affine {
                    offset: n + i.offset.clone(),
                    ..i
                })
            }
            (BinOp::Sub, Side::Index(i), Side::Number(n)) => {
                index_number(&mut self.report, n, right.1).map(|n| Affine {
                    offset: i.offset.clone() - n,
                    ..i
                })
            }
            (BinOp::Sub, Side::Number(n), Side::Index(i)) => {
                index_number(&mut self.report, n, left.1).map(|n| Affine {
                    factor: i.factor.clone() * Scalar::Int(-1),
                    offset: n - i.offset.clone(),
                    ..i
                })
            }
            (BinOp::Mul, Side::Index(i), Side::Number(n)) => self.multiplied(i, n, right.1),
            (BinOp::Mul, Side::Number(n), Side::Index(i)) => self.multiplied(i, n, left.1),
            (BinOp::Add | BinOp::Sub, Side::Index(i), Side::Index(j)) if i.of == j.of => {
                let sign = if op == BinOp::Add {
                    one()
                } else {
                    Scalar::Int(-1)
                };
                let factor = i.factor.clone() + j.factor.clone() * sign.clone();
                Some(Affine {
                    of: i.of,
                    factor,
                    offset: i.offset + j.offset.clone() * sign,
                })
            }
            (BinOp::Add | BinOp::Sub, Side::Index(_), Side::Index(_)) => {
                let d = self
                    .error(Code::J0109, e, "an index of two tiles: not offered yet")
                    .help("let one of the two loops go through single indices: `for i in each(n)`");
                return self.report.bad(d);
            }
            (_, Side::Index(i), _) | (_, _, Side::Index(i)) => {
                let d = self.not_affine(op, i.of, e);
                return self.report.bad(d);
            }
            (_, Side::Number(_), Side::Number(_)) => None,
        };
        match made {
            Some(affine) if affine.factor == Scalar::Int(0) => {
                let d = self
                    .error(
                        Code::J0215,
                        e,
                        "this index is the same for every index of the tile",
                    )
                    .help("write the number alone: one index has no axis");
                self.report.bad(d)
            }
            Some(affine) => Val::Affine(Box::new(affine)),
            None => Val::Unknown,
        }
    }

    fn multiplied(&mut self, i: Affine, n: Num, node: &Expr) -> Option<Affine> {
        let by = index_number(&mut self.report, n, node)?;
        if !self.host_known(&by, node, "the factor of an index") {
            return None;
        }
        let by = self.out.definitions.write_out(&by);
        if by.as_int().is_none() {
            if !super::axes::is_of_signature(&by) {
                let d = self
                    .error(Code::J0601, node, "the factor of an index is computed from more than axes, attributes and constants")
                    .help("an index has one factor for all element types, and it is computed in a few steps");
                self.report.add(d);
                return None;
            }
            if self.draft.sig.is_certain(&by.clone().bin(BinOp::Le, 0)) {
                let d = self
                    .error(
                        Code::J0215,
                        node,
                        "a factor of an index that is never positive",
                    )
                    .help("where the axis is gone through from its end, say so: `n - 1 - t`");
                self.report.add(d);
                return None;
            }
            // Along an axis without a step every element would be equal.
            let span = self.report.at(node);
            self.draft.host_check(
                by.clone().bin(BinOp::Ge, 1),
                format!("{} >= 1", span::text(node)),
                span,
            );
        }
        Some(Affine {
            factor: i.factor.clone() * by.clone(),
            offset: i.offset.clone() * by,
            ..i
        })
    }

    /// Reads a method of an index that is computed from a tile.
    pub fn affine_method(&mut self, m: &ExprMethodCall, e: &Expr) -> Val {
        self.args(&m.args);
        match m.method == "div_exact" {
            true => self.report.div_exact_of_tile(e),
            false => self
                .report
                .no_method("an index that is computed of a tile", &m.method, &[]),
        }
    }

    /// Reports J0215 for an operator that makes no index of a tile.
    fn not_affine(&mut self, op: BinOp, of: Moving, e: &Expr) -> Diagnostic {
        let d = self.error(
            Code::J0215,
            e,
            format!("`{}` of a tile is no index", symbol(op)),
        );
        match of {
            Moving::Run(run) => {
                let t = &self.out.run(run).name;
                d.help(format!(
                    "an index is a multiple of a tile plus a number: `{t} * s + k`; the first index of a tile is `{t}.start()`"
                ))
            }
            Moving::Whole(_) => {
                d.help("an index is a multiple of all indices plus a number: `d.indices() * s + k`")
            }
        }
    }

    /// Fixes an index of `x.at(..)`: the scalars in it keep their present values.
    pub fn steady_index(&mut self, affine: Affine, node: &Expr) -> Affine {
        // `t + 0` is deliberately an index of any axis.
        let offset = self.steady(Num::index(affine.offset), node);
        Affine { offset, ..affine }
    }

    /// Reports J0109 for a tile at two indices: the elements of a diagonal do not lie in rows.
    pub fn axis_twice(&mut self, seen: &Seen, ax: AxId, node: &Expr) -> Val {
        let (name, _) = self.named_gm(seen.tensor);
        let tile = self.out.body.axes[ax.index()].name.clone();
        let d = self
            .error(
                Code::J0109,
                node,
                format!("two indices of `{name}` go along `{tile}`: not offered yet"),
            )
            .help("let one of them be a single index: `for i in each(n)`");
        self.report.bad(d)
    }
}

impl Emitted {
    /// Makes the index of the IR, whose offset is that of the first index of the tile.
    pub fn affine_index(&self, Affine { of, factor, offset }: Affine) -> Index {
        let (ax, offset) = match of {
            Moving::Whole(ax) => (ax, offset),
            Moving::Run(run) => {
                let first = self.run_start(run);
                let offset = match factor {
                    Scalar::Int(1) => first + offset,
                    Scalar::Int(-1) => offset - first,
                    _ => first * factor.clone() + offset,
                };
                (self.run(run).ax, offset)
            }
        };
        Index {
            terms: vec![Term { ax, factor }],
            offset,
            ids: None,
        }
    }
}

impl Report {
    /// Reports J0109 for a quotient along a tile, which takes every so many elements.
    pub fn div_exact_of_tile(&mut self, e: &Expr) -> Val {
        let d = self.error(Code::J0109, e, "`div_exact` along a tile: not offered yet").help(
            "let it be a single index, `for i in each(n)`; or go through what is divided: a loop over the quotients, \
             `for u in tiles(n / s)`, and in it `for r in 0..s` for the remainders, stored with steps: `y.at(u * s + r)`",
        );
        self.bad(d)
    }
}

/// Makes all indices of an axis, as the author counts.
fn whole_indices(out: &Emitted, ax: AxId) -> Affine {
    Affine {
        offset: out.first_index(ax),
        ..Affine::plain(Moving::Whole(ax))
    }
}

fn side(report: &mut Report, val: Val, node: &Expr) -> Option<Side> {
    match val {
        Val::Handle(run) => Some(Side::Index(Affine::plain(Moving::Run(run)))),
        Val::Affine(affine) => Some(Side::Index(*affine)),
        Val::Num(n) => Some(Side::Number(n)),
        Val::Unknown => None,
        other => {
            let d = report
                .error(Code::J0215, node, format!("an index is computed of a tile and scalars, found {}", other.what()))
                .help("the variable of a tile loop stands for indices, not for elements; load those: `x.at(t).load()`");
            report.add(d);
            None
        }
    }
}

/// Reads a scalar in an index.
fn index_number(report: &mut Report, n: Num, node: &Expr) -> Option<Scalar> {
    if n.ty == Some(ScalarTy::I32) {
        let d = report.error(
            Code::J0208,
            node,
            format!("a number in an index is `usize`, found {}", n.found()),
        );
        let (at, now) = (d.span(), format!("{} as usize", as_receiver(node)));
        report.add(d.help(format!("convert it: `{now}`")).fix(at, now));
        return None;
    }
    report
        .want(n, ScalarTy::Index, node, "a number in an index")
        .map(|n| n.value)
}
