//! Vector calls of the queue level: `vec::add(&dst, &src0, &src1, n)`.
//!
//! The order of operands is AscendC's: a call is read along the operands of the op's row, with its
//! extent behind them.

use super::extent::taken;
use crate::diag::Code;
use crate::dtype::DType;
use crate::front::cx::emitted::Emitted;
use crate::front::cx::report::Report;
use crate::front::cx::value::Arg as Given;
use crate::front::cx::value::{LocalPart, Num, Val};
use crate::front::cx::Cx;
use crate::front::text::suggest;
use crate::ir::{
    Arg, Extent, Instr, Layout, Level, QueueStmt, Scalar, ScalarTy, SpanId, Stage, Ty, View,
};
use crate::ops::contract::{Elem, Extents, Operand, Reach, ViewRule, What};
use crate::ops::{LayoutOp, Op};
use proc_macro2::Ident;
use syn::{Expr, ExprCall};

/// Returns the spelling of an operand in a call.
pub(super) fn usage(operand: &Operand) -> String {
    match operand.what {
        What::View(_) => format!("&{}", operand.name),
        What::Mode => "RoundMode::Rint".to_string(),
        What::Title => "\"x\"".to_string(),
        What::Pattern => "1".to_string(),
        What::Base | What::Lead => "0".to_string(),
        What::Number | What::Most | What::Length | What::Result | What::Index => {
            operand.name.to_string()
        }
    }
}

impl Cx<'_> {
    /// Reads a call `vec::name(..)`.
    pub fn vector_call(&mut self, ident: &Ident, c: &ExprCall, e: &Expr) -> Val {
        let name = ident.to_string();
        self.use_level(Level::Queue, e, &format!("vec::{name}"));
        let args = self.args(&c.args);
        if self.report.fixup(&name) {
            return Val::Unknown;
        }
        let found = Op::by_name(&name).and_then(|op| Some((op, op.function()?)));
        let Some((op, operands)) = found else {
            return no_function(&mut self.report, ident, &name);
        };
        // The results of a call are its value.
        let operands: Vec<&Operand> = operands
            .iter()
            .filter(|o| !matches!(o.what, What::Result | What::Index))
            .collect();
        let allowed = operands.len() + 1;
        if args.len() != allowed {
            let usage: String = operands.iter().map(|o| usage(o) + ", ").collect();
            let extent = taken(op.contract().extents).1;
            let d = self
                .error(
                    Code::J0106,
                    e,
                    format!(
                        "`vec::{name}` takes {allowed} arguments, found {}",
                        args.len()
                    ),
                )
                .help(format!("write `vec::{name}({usage}{extent})`"))
                .number("found", args.len() as i64)
                .number("allowed", allowed as i64);
            return self.report.bad(d);
        }
        let gives = op.contract().operands.iter().any(|o| o.what == What::Index);
        let Some(mut instr) = self.operands(op, &operands, &args, e) else {
            return if gives { Val::Unknown } else { Val::Unit };
        };
        let given = gives.then(|| self.out.new_var("", ScalarTy::Index, false, Stage::Block));
        instr.args.extend(given.map(|var| Arg::Var { var }));
        let span = self.report.at(e);
        self.out.queue(QueueStmt::Instr { instr }, span);
        given.map_or(Val::Unit, |var| {
            Val::Num(Num::new(Scalar::Var(var), ScalarTy::Index))
        })
    }

    fn operands(
        &mut self,
        op: Op,
        operands: &[&Operand],
        args: &[Given<'_>],
        e: &Expr,
    ) -> Option<Instr> {
        let (last, args) = args.split_last()?;
        let extent = self.extent_arg(op, last);
        // The tensor that all others of the call are compared with, and its place.
        let mut first: Option<(Ty, &Expr)> = None;
        let mut got: Vec<Option<Arg>> = Vec::with_capacity(args.len());
        for (operand, given) in operands.iter().zip(args) {
            got.push(match operand.what {
                What::View(_) => self
                    .view_operand(op, operand, given, extent.as_ref(), &mut first, e)
                    .map(Arg::from),
                What::Mode => match given.0 {
                    Val::Mode(mode) => Some(Arg::Mode { mode }),
                    _ => {
                        self.wrong_kind(given, "a round mode, `RoundMode::Rint`");
                        None
                    }
                },
                What::Pattern => self
                    .index_arg(given, "the number of a pattern")
                    .map(Arg::from),
                What::Base => self.index_arg(given, "the base in bytes").map(Arg::from),
                What::Most => self
                    .index_arg(given, "how many are asked for")
                    .map(Arg::from),
                What::Length => self
                    .index_arg(given, "how many pairs a list has")
                    .map(Arg::from),
                What::Lead => self
                    .index_arg(given, "the elements before a row")
                    .map(Arg::from),
                // A scalar is checked when the element type is known, after the loop.
                What::Number => None,
                What::Result | What::Index | What::Title => return None,
            });
        }
        for ((operand, given), got) in operands.iter().zip(args).zip(&mut got) {
            if operand.what == What::Number {
                *got = match (&given.0, first) {
                    (Val::Num(n), Some((ty, _))) => self.tile_scalar(n, ty, given.1).map(Arg::from),
                    (Val::Num(_), None) => None,
                    _ => {
                        self.wrong_kind(given, "a scalar");
                        None
                    }
                };
            }
        }
        let mut args = got.into_iter().collect::<Option<Vec<Arg>>>()?;
        if op.contract().held {
            args.extend(args.first().cloned());
        }
        Some(Instr::new(op, extent?, args))
    }

    /// Reads an operand that is part of a tensor; `None` after an error.
    fn view_operand<'e>(
        &mut self,
        op: Op,
        operand: &Operand,
        given: &Given<'e>,
        extent: Option<&Extent>,
        first: &mut Option<(Ty, &'e Expr)>,
        e: &Expr,
    ) -> Option<View> {
        let What::View(rule) = &operand.what else {
            return None;
        };
        let (l, layout): (&LocalPart, Layout) = match &given.0 {
            Val::Local(l) => (l, Layout::Dense {}),
            Val::Strided(l, layout) => (l, layout.clone()),
            _ => {
                self.wrong_kind(given, "a LocalTensor");
                return None;
            }
        };
        let by_ref = self.report.by_ref(given);
        let ty = self.out.body.tensors[l.tensor.index()].dtype;
        let fits = self.fits(op, rule.elem, ty, given.1, first, e);
        // Without an extent, which was reported, the layout cannot be checked.
        let laid_out = extent.is_none_or(|extent| {
            layout.goes_with(rule, extent)
                || wrong_layout(&mut self.report, op, operand.name, rule, &layout, given.1)
        });
        (by_ref && fits && laid_out).then(|| View {
            layout,
            ..l.clone().into()
        })
    }

    fn fits<'e>(
        &mut self,
        op: Op,
        elem: Elem,
        ty: Ty,
        node: &'e Expr,
        first: &mut Option<(Ty, &'e Expr)>,
        e: &Expr,
    ) -> bool {
        let wants_mask = elem == Elem::Bits;
        if wants_mask != (ty == Ty::Mask) {
            let found = if ty == Ty::Mask {
                "u8".to_string()
            } else {
                self.draft.sig.ty_name(ty)
            };
            let d = if wants_mask {
                self.error(
                    Code::J0201,
                    node,
                    format!(
                        "`vec::{}` wants the bits of a compare here, found a tensor of `{found}`",
                        op.name()
                    ),
                )
                .help("bits are a tensor of `u8`: `buf.get::<u8>()`")
            } else {
                self.error(
                    Code::J0201,
                    node,
                    format!("`vec::{}` of the bits of a compare", op.name()),
                )
                .help("bits only choose: `vec::select(&dst, &mask, &a, &b, n)`")
            };
            self.report.add(d);
            return false;
        }
        if elem == Elem::Offsets && ty != Ty::Is(DType::I32) {
            let (what, help) = match op {
                Op::Layout(LayoutOp::Top | LayoutOp::Sort32) => {
                    ("places", "places are a tensor of `i32`: `vec::create_vec_index(&places, 0, n)`")
                }
                _ => (
                    "byte offsets",
                    "offsets are a tensor of `i32`: `vec::create_vec_index(&offsets, 0, n)`, then times the bytes of an element",
                ),
            };
            let text = format!(
                "`vec::{}` wants {what} here, found a tensor of `{}`",
                op.name(),
                self.draft.sig.ty_name(ty)
            );
            let d = self.error(Code::J0201, node, text).help(help);
            self.report.add(d);
            return false;
        }
        if elem != Elem::Own {
            return true;
        }
        let Some((known, at)) = *first else {
            *first = Some((ty, node));
            return true;
        };
        if known == ty {
            return true;
        }
        let (x, y) = (self.draft.sig.ty_name(known), self.draft.sig.ty_name(ty));
        let (left, right) = (self.report.at(at), self.report.at(node));
        let d = self
            .error(
                Code::J0201,
                e,
                format!("`vec::{}` of tensors of `{x}` and `{y}`", op.name()),
            )
            .label(left, format!("this is `{x}`"))
            .label(right, format!("this is `{y}`"))
            .help("convert one with `vec::cast`");
        self.report.add(d);
        false
    }
}

impl Emitted {
    /// Adds an instruction as a statement.
    pub fn instr<const N: usize>(
        &mut self,
        op: impl Into<Op>,
        extent: Extent,
        args: [Arg; N],
        span: SpanId,
    ) {
        self.queue(
            QueueStmt::Instr {
                instr: Instr::new(op, extent, args),
            },
            span,
        );
    }
}

fn no_function(report: &mut Report, ident: &Ident, name: &str) -> Val {
    let mut d = report.error(
        Code::J0103,
        ident,
        format!("there is no function `vec::{name}`"),
    );
    let at = d.span();
    let known = || {
        Op::all()
            .filter(|d| d.op.function().is_some())
            .map(|d| d.name)
    };
    let ours = suggest::synonym(name).filter(|ours| known().any(|k| k == *ours));
    let absent = if ours.is_none() {
        suggest::absent(name)
    } else {
        None
    };
    d = match ours.or_else(|| suggest::nearest(name, known())) {
        _ if crate::library::by_name(name).is_some() => d.help(format!(
            "`{name}` is a function of tiles; `jumar emit --level queue` prints the calls that `v.{name}(..)` becomes"
        )),
        _ if absent.is_some() => d.help(format!("`{name}` is not offered: compute it from exp, ln, sqrt and arithmetic")),
        // A method of tiles has other operands.
        Some(near) if suggest::tile_ops().any(|op| op == name) => {
            d.help(format!("`{name}` is a method of a tile; did you mean `vec::{near}`?")).expected([near])
        }
        Some(near) => suggest::meant(d.help(format!("did you mean `vec::{near}`?")), at, name, near, known()),
        None => d.help(format!("functions are {}", known().collect::<Vec<_>>().join(", "))).expected(known()),
    };
    report.bad(d)
}

/// Reports J0106 for strides that an operand does not have under the extent of its call.
fn wrong_layout(
    report: &mut Report,
    op: Op,
    name: &str,
    rule: &ViewRule,
    layout: &Layout,
    node: &Expr,
) -> bool {
    let call = format!("vec::{}", op.name());
    let none = "remove them: `vec::copy` and element-wise calls take strides";
    let (text, help) = match (layout, rule.reach) {
        (Layout::Rows { .. }, _) => (
            format!("`{name}` of `{call}` takes no `.rows(..)`: rows are for copies between GM and UB"),
            "strides of vector calls are `.blocks(blk, rep)`, in data blocks",
        ),
        (Layout::Results { .. }, _) => (
            format!("`{name}` of `{call}` takes no `.results(..)`: it is no destination of a reduction of repeats"),
            "strides of other operands are `.blocks(blk, rep)`, in data blocks",
        ),
        (_, Reach::Results(_)) => (
            format!("`{name}` of `{call}` takes `.results(rep)`, found `.blocks(..)`"),
            "`rep` leads from the results of one repeat to those of the next, counted in what a repeat gives",
        ),
        _ if rule.elem == Elem::Bits => (format!("`{name}` of `{call}` takes no strides: bits follow one another"), none),
        _ => match op.contract().extents {
            Extents::Lanes => (
                format!("`{name}` of `{call}` has strides, and the extent of the call is a count"),
                "strides go with `lanes(64).repeats(r)` or `counter(n)`; a count takes elements without gaps",
            ),
            Extents::Eights => (
                format!("`{name}` of `{call}` takes no strides: its elements follow one another"),
                "remove them: the destination takes strides",
            ),
            Extents::Strided | Extents::Masked | Extents::Leading | Extents::Count | Extents::None | Extents::Rows => {
                (format!("`{name}` of `{call}` takes no strides: the extent of the call is a count"), none)
            }
        },
    };
    let d = report.error(Code::J0106, node, text).help(help);
    report.add(d);
    false
}
