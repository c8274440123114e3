//! Vector calls of the queue level: `vec::add(&dst, &src0, &src1, n)`.
//!
//! The order of operands is AscendC's and the same for a whole family, so a call is read along a list of [`Slot`]s.

use super::call::Arg;
use super::cx::Cx;
use super::scope::Val;
use super::suggest;
use crate::diag::Code;
use crate::dtype::RoundMode;
use crate::ir::{Form, Level, LocalRef, Scalar, StmtKind, Strides, Ty, VectorCall};
use crate::ops::{LayoutOp, Op};
use proc_macro2::Ident;
use syn::{Expr, ExprCall};

/// What stands at one place of a call.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Dst,
    DstMask,
    /// A destination of an element type of its own.
    DstAny,
    Src,
    Mask,
    Scalar,
    Mode,
    Work,
    Count,
}

impl Slot {
    const fn usage(self) -> &'static str {
        match self {
            Slot::Dst | Slot::DstMask | Slot::DstAny => "&dst",
            Slot::Src => "&src",
            Slot::Mask => "&mask",
            Slot::Scalar => "scalar",
            Slot::Mode => "RoundMode::Rint",
            Slot::Work => "&work",
            Slot::Count => "n",
        }
    }
}

/// The operands of an op; `None` for what is no function of `vec::`.
fn slots(op: Op) -> Option<&'static [Slot]> {
    use Slot::*;
    Some(match op {
        Op::Binary(_) => &[Dst, Src, Src, Count],
        Op::BinaryScalar(_) => &[Dst, Src, Scalar, Count],
        Op::Unary(_) => &[Dst, Src, Count],
        Op::Compare(_) => &[DstMask, Src, Src, Count],
        Op::CompareScalar(_) => &[DstMask, Src, Scalar, Count],
        Op::Reduce(_) => &[Dst, Src, Work, Count],
        Op::RowReduce(_) => return None,
        Op::Layout(LayoutOp::Cast) => &[DstAny, Src, Mode, Count],
        Op::Layout(LayoutOp::Duplicate) => &[Dst, Scalar, Count],
        Op::Layout(LayoutOp::LocalCopy | LayoutOp::Brcb) => &[Dst, Src, Count],
        Op::Layout(LayoutOp::Select) => &[Dst, Mask, Src, Src, Count],
        Op::Layout(LayoutOp::SelectScalar) => &[Dst, Mask, Src, Scalar, Count],
    })
}

/// Operands collected so far.
#[derive(Default)]
struct Operands {
    dst: Option<LocalRef>,
    srcs: Vec<LocalRef>,
    scalar: Option<Scalar>,
    mode: Option<RoundMode>,
    tmp: Option<LocalRef>,
    count: Option<Scalar>,
}

impl Cx<'_> {
    /// `vec::name(..)`.
    pub fn vector_call(&mut self, ident: &Ident, c: &ExprCall, e: &Expr) -> Val {
        let name = ident.to_string();
        self.use_level(Level::Queue, e, &format!("vec::{name}"));
        let args = self.args(&c.args);
        if self.fixup(&name) {
            return Val::Unknown;
        }
        let found = Op::by_name(&name).and_then(|op| Some((op, slots(op)?)));
        let Some((op, slots)) = found else { return self.no_function(ident, &name) };
        if args.len() != slots.len() {
            let usage = slots.iter().map(|s| s.usage()).collect::<Vec<_>>().join(", ");
            let d = self
                .error(Code::J0106, e, format!("`vec::{name}` takes {} arguments, found {}", slots.len(), args.len()))
                .help(format!("write `vec::{name}({usage})`"))
                .number("found", args.len() as i64)
                .number("allowed", slots.len() as i64);
            return self.bad(d);
        }
        if let Some(call) = self.operands(op, slots, &args, e) {
            let span = self.at(e);
            self.emit(StmtKind::Vector { call }, span);
        }
        Val::Unit
    }

    fn no_function(&mut self, ident: &Ident, name: &str) -> Val {
        let mut d = self.error(Code::J0103, ident, format!("there is no function `vec::{name}`"));
        let at = d.span();
        let known = || Op::all().filter(|d| slots(d.op).is_some()).map(|d| d.name);
        let ours = suggest::synonym(name).filter(|ours| known().any(|k| k == *ours));
        let absent = if ours.is_none() { suggest::absent(name) } else { None };
        d = match ours.or_else(|| suggest::nearest(name, known())) {
            _ if absent.is_some() => d.help(format!("`{name}` is not offered: compute it from exp, ln, sqrt and arithmetic")),
            Some(near) => d.help(format!("did you mean `vec::{near}`?")).fix(at, near),
            None => d.help(format!("functions are {}", known().collect::<Vec<_>>().join(", "))),
        };
        self.bad(d)
    }

    fn operands(&mut self, op: Op, slots: &[Slot], args: &[Arg<'_>], e: &Expr) -> Option<VectorCall> {
        let mut got = Operands::default();
        // The tensor that all others of the call are compared with, and where it stands.
        let mut first: Option<(Ty, &Expr)> = None;
        let mut good = true;
        for (slot, arg) in slots.iter().zip(args) {
            match slot {
                Slot::Count => got.count = self.index_arg(arg, "the count"),
                Slot::Mode => match arg.0 {
                    Val::Mode(mode) => got.mode = Some(mode),
                    _ => {
                        self.wrong_kind(arg, "a round mode, `RoundMode::Rint`");
                        good = false;
                    }
                },
                // A scalar is checked when the element type is known, after the loop.
                Slot::Scalar => {}
                _ => match &arg.0 {
                    Val::Local(l) => {
                        good &= self.by_ref(arg);
                        let ty = self.body.tensors[l.tensor.index()].dtype;
                        good &= self.fits_slot(op, *slot, ty, arg.1, &mut first, e);
                        match slot {
                            Slot::Dst | Slot::DstMask | Slot::DstAny => got.dst = Some(l.clone()),
                            Slot::Work => got.tmp = Some(l.clone()),
                            _ => got.srcs.push(l.clone()),
                        }
                    }
                    _ => {
                        self.wrong_kind(arg, "a LocalTensor");
                        good = false;
                    }
                },
            }
        }
        for (_, arg) in slots.iter().zip(args).filter(|(slot, _)| **slot == Slot::Scalar) {
            match (&arg.0, first) {
                (Val::Num(n), Some((ty, _))) => got.scalar = self.tile_scalar(n, ty, arg.1),
                (Val::Num(_), None) => {}
                _ => {
                    self.wrong_kind(arg, "a scalar");
                }
            }
            good &= got.scalar.is_some();
        }
        let (dst, count) = (got.dst?, got.count?);
        good.then(|| VectorCall {
            op,
            dst,
            srcs: got.srcs,
            scalar: got.scalar,
            mode: got.mode,
            tmp: got.tmp,
            form: form(op, count),
        })
    }

    fn fits_slot<'e>(
        &mut self,
        op: Op,
        slot: Slot,
        ty: Ty,
        node: &'e Expr,
        first: &mut Option<(Ty, &'e Expr)>,
        e: &Expr,
    ) -> bool {
        let wants_mask = matches!(slot, Slot::DstMask | Slot::Mask);
        if wants_mask != (ty == Ty::Mask) {
            let found = if ty == Ty::Mask { "u8".to_string() } else { self.ty_name(ty) };
            let d = if wants_mask {
                self.error(
                    Code::J0201,
                    node,
                    format!("`vec::{}` wants the bits of a compare here, found a tensor of `{found}`", op.name()),
                )
                .help("bits are a tensor of `u8`: `buf.get::<u8>()`")
            } else {
                self.error(Code::J0201, node, format!("`vec::{}` of the bits of a compare", op.name()))
                    .help("bits only choose: `vec::select(&dst, &mask, &a, &b, n)`")
            };
            self.report(d);
            return false;
        }
        if wants_mask || slot == Slot::DstAny {
            return true;
        }
        let Some((known, at)) = *first else {
            *first = Some((ty, node));
            return true;
        };
        if known == ty {
            return true;
        }
        let (x, y) = (self.ty_name(known), self.ty_name(ty));
        let (left, right) = (self.at(at), self.at(node));
        let d = self
            .error(Code::J0201, e, format!("`vec::{}` of tensors of `{x}` and `{y}`", op.name()))
            .label(left, format!("this is `{x}`"))
            .label(right, format!("this is `{y}`"))
            .help("convert one with `vec::cast`");
        self.report(d);
        false
    }
}

/// The extent of a call: the first `n` elements, except that Brcb counts repeats of eight source elements.
fn form(op: Op, n: Scalar) -> Form {
    if op == Op::Layout(LayoutOp::Brcb) {
        return Form::Repeat { mask: Scalar::Int(0), repeat: n / 8, strides: Strides::DENSE };
    }
    Form::Count { n }
}
