//! Tensors that a launch may leave out, `Option<&GlobalTensor<T>>` and
//! `Option<&mut GlobalTensor<T>>`.
//!
//! Their forms are `if let Some(w) = weight { .. }`, `weight.is_some()` and, for an input,
//! `weight.or_full(1.0)`.
//!
//! The host knows a flag that the tensor was given. A name for the tensor itself exists only where
//! it was given, so an output is stored nowhere else. The value of `or_full` reads a number
//! everywhere where an input was not given.

use crate::diag::Code;
use crate::front::cx::kinds::OrFull;
use crate::front::cx::names::Names;
use crate::front::cx::value::{Num, Val};
use crate::front::cx::Cx;
use crate::front::text::span::{text, Node};
use crate::front::text::words::{as_receiver, is_all, method_ends};
use crate::ir::{AxisId, ParamId, Role, Scalar, ScalarTy, Signature, Ty, UnOp};
use crate::items::{OptionalMethod, ViewMethod};
use proc_macro2::Ident;
use syn::{Expr, ExprLet, ExprMethodCall, Pat};

/// Forms of an optional input; an output has nothing to read.
const INPUT_FORMS: &[&str] = &["or_full", "is_some", "is_none"];
const OUTPUT_FORMS: &[&str] = &["is_some", "is_none"];

/// The condition of an `if`.
pub struct Condition<'e> {
    pub cond: Option<Scalar>,
    /// `if let Some(name)`: the tensor under the name that it has in the branch.
    pub named: Option<(&'e Ident, ParamId)>,
}

impl Cx<'_> {
    /// Reads the condition of an `if`, which may be `let Some(w) = weight`.
    pub fn if_condition<'e>(&mut self, cond: &'e Expr) -> Condition<'e> {
        let Expr::Let(l) = cond else {
            return Condition {
                cond: self.condition(cond),
                named: None,
            };
        };
        let val = self.expr(&l.expr);
        if let (Val::Optional(p), Pat::TupleStruct(some)) = (&val, &*l.pat) {
            if let (true, Some(Pat::Ident(name))) = (
                some.path.is_ident("Some"),
                some.elems.first().filter(|_| some.elems.len() == 1),
            ) {
                if name.by_ref.is_none() && name.subpat.is_none() && name.mutability.is_none() {
                    self.report.ascii_name(&name.ident, Code::J0101);
                    return Condition {
                        cond: Some(Signature::given(*p)),
                        named: Some((&name.ident, *p)),
                    };
                }
            }
        }
        match val {
            Val::Unknown => {}
            Val::Optional(p) => self.other_pattern(p, l, cond),
            _ => {
                let help = "say `if` on a scalar condition; `if let Some(w) = weight` asks for a tensor that may be left out";
                self.report.unsupported(cond, "this `if let`", help);
            }
        }
        self.report.doubt = true;
        Condition {
            cond: None,
            named: None,
        }
    }

    /// Reports a pattern that is not `Some(name)`, with a name in the place of the inner pattern.
    fn other_pattern(&mut self, p: ParamId, l: &ExprLet, cond: &Expr) {
        let name = match &*l.pat {
            Pat::TupleStruct(some) => match some.elems.first() {
                Some(Pat::Ident(name)) => name.ident.to_string(),
                _ => self.draft.sig.param(p).name.clone(),
            },
            _ => self.draft.sig.param(p).name.clone(),
        };
        let help = format!("write `if let Some({name}) = {} {{ .. }}`", text(&l.expr));
        let d = self
            .error(Code::J0101, cond, "this `if let` cannot stand in a kernel")
            .help(help);
        let d = match &*l.pat {
            Pat::TupleStruct(some) if some.elems.len() == 1 => {
                let at = self.report.at(&*l.pat);
                d.fix(at, format!("Some({name})")).maybe()
            }
            _ => d,
        };
        self.report.add(d);
    }

    /// Reads `weight.or_full(1.0)` or `weight.is_some()`.
    pub fn optional_method(&mut self, p: ParamId, m: &ExprMethodCall, e: &Expr) -> Val {
        let name = m.method.to_string();
        let is_read = self.draft.sig.is_input(p);
        match OptionalMethod::by_name(&name) {
            Some(method @ (OptionalMethod::IsSome | OptionalMethod::IsNone)) => {
                let args = self.args(&m.args);
                if self
                    .report
                    .exactly::<0>(&name, &args, e, &format!("weight.{name}()"))
                    .is_none()
                {
                    return Val::Unknown;
                }
                let given = Signature::given(p);
                let value = if method == OptionalMethod::IsSome {
                    given
                } else {
                    Scalar::un(UnOp::Not, given)
                };
                Val::Num(Num::new(value, ScalarTy::Bool))
            }
            Some(OptionalMethod::OrFull) if is_read => {
                let args = self.args(&m.args);
                let Some([arg]) =
                    self.report
                        .exactly::<1>("or_full", &args, e, "weight.or_full(1.0)")
                else {
                    return Val::Unknown;
                };
                let Val::Num(number) = &arg.0 else {
                    return self.wrong_kind(arg, "a scalar");
                };
                let Some(dtype) = self.draft.sig.dtype(p) else {
                    return Val::Unknown;
                };
                if matches!(dtype, Ty::Is(own) if !own.is_number()) {
                    let found = self.draft.sig.ty_name(dtype);
                    let asked = self.asked_for(p, &m.receiver);
                    let help =
                        format!("a number stands for tensors of f16, bf16, f32, i32 and i16; others are asked for: `{asked}`");
                    let d = self
                        .error(
                            Code::J0109,
                            e,
                            format!("`or_full` of a tensor of `{found}`: not offered yet"),
                        )
                        .help(help);
                    return self.report.bad(d);
                }
                if self.tile_scalar(number, dtype, arg.1).is_none() {
                    return Val::Unknown;
                }
                Val::OrFull(Box::new(OrFull {
                    of: Val::Tensor(p),
                    number: number.clone(),
                }))
            }
            Some(OptionalMethod::OrFull) | None => {
                self.args(m.args.iter().filter(|a| !is_all(a)));
                if self.report.fixup(&name) {
                    return Val::Unknown;
                }
                self.report.doubt = true;
                let tensor = self.draft.sig.param(p).name.clone();
                let d = self.error(
                    Code::J0103,
                    &method_ends(m),
                    format!("`{tensor}` may be left out, so that it has no `{name}` of its own"),
                );
                let receiver = text(&m.receiver);
                let listed = |forms: &[&str]| {
                    forms
                        .iter()
                        .map(|f| format!("`{f}`"))
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let asked = self.asked_for(p, &m.receiver);
                // A number in its place has places to read, and no size.
                if !is_read || ViewMethod::by_name(&name).is_none() {
                    let forms = listed(if is_read { INPUT_FORMS } else { OUTPUT_FORMS });
                    return self
                        .report
                        .bad(d.help(format!("ask for it, `{asked}`; it has {forms}")));
                }
                let (at, now) = (
                    self.report.at(&m.receiver),
                    format!("{}.or_full(0.0)", as_receiver(&m.receiver)),
                );
                self.report.bad(d.fix(at, now).help(format!(
                    "ask for it, `{asked}`, or say what it reads where it is left out, `{receiver}.or_full(0.0)`; it has {}",
                    listed(INPUT_FORMS)
                )))
            }
        }
    }

    /// Writes the `if` that tests an optional tensor, under the tensor's own name.
    fn asked_for(&self, p: ParamId, receiver: &Expr) -> String {
        format!(
            "if let Some({}) = {} {{ .. }}",
            self.draft.sig.param(p).name,
            text(receiver)
        )
    }

    /// Reads `.at(..)` and `.view(..)` of a tensor with a number in its place.
    pub fn or_full_method(&mut self, of: OrFull, m: &ExprMethodCall, e: &Expr) -> Val {
        if ViewMethod::by_name(&m.method.to_string()).is_none() {
            self.args(m.args.iter().filter(|a| !is_all(a)));
            return self.report.no_method(
                "a tensor or a number in its place",
                &m.method,
                ViewMethod::NAMES,
            );
        }
        let OrFull { of, number } = of;
        let val = match &of {
            Val::Tensor(p) => self.tensor_method(*p, m, e),
            Val::View(seen) => self.view_method(seen, m, e),
            _ => Val::Unknown,
        };
        match val {
            Val::Place(mut place) => {
                let Some(dtype) = self.gm_type(place.access.of) else {
                    return Val::Unknown;
                };
                let Some(otherwise) = self.tile_scalar(&number, dtype, e) else {
                    return Val::Unknown;
                };
                place.access.otherwise = Some(otherwise);
                Val::Place(place)
            }
            Val::View(seen) => Val::OrFull(Box::new(OrFull {
                of: Val::View(seen),
                number,
            })),
            other => other,
        }
    }

    /// Reports J0109 for an axis of an output that no launch would determine: every tensor with it,
    /// or every input with it, may be left out.
    pub fn axes_are_told(&mut self) {
        for at in 0..self.draft.sig.axes.len() {
            let axis = AxisId(at as u32);
            let tensors = || self.draft.sig.tensors_with(axis);
            let optional = tensors().any(|(id, ..)| self.draft.sig.is_optional(id));
            let of_input = tensors()
                .any(|(id, _, role, _)| role == Role::In && self.draft.sig.is_optional(id));
            // Where no optional input has the axis, an output that is always given determines it.
            let tells = |id: ParamId, role: Role| {
                !self.draft.sig.is_optional(id) && (role != Role::Out || !of_input)
            };
            let is_told = tensors().any(|(id, _, role, _)| tells(id, role));
            let output = tensors()
                .find(|(_, _, role, _)| *role == Role::Out)
                .map(|(id, ..)| id);
            let Some(output) = output.filter(|_| optional && !is_told) else {
                continue;
            };
            let (name, tensor, ends) = (
                self.draft.sig.axes[at].name.clone(),
                self.draft.sig.param(output).name.clone(),
                self.draft.param_ends[output.index()],
            );
            let (what, help) = match self.names.get(&name) {
                Some(_) => (
                    format!("the axis `{name}` of `{tensor}`"),
                    format!("let a tensor have it that is always given, or an attribute say it, `{name}: usize`"),
                ),
                None => (
                    format!("the shape of `{tensor}`"),
                    "give it axes of a tensor that is always given: `#[shape(n..)]`".to_string(),
                ),
            };
            let d = self
                .error(
                    Code::J0109,
                    &ends,
                    format!("{what} is one of tensors that may all be left out: not offered yet"),
                )
                .help(help);
            self.report.add(d);
        }
    }
}

impl Names {
    /// Binds the name of an `if let`, for the branch.
    pub fn bind_condition(&mut self, cond: &Expr, named: Option<(&Ident, ParamId)>) {
        match (named, cond) {
            (Some((name, p)), _) => self.bind(name.to_string(), Val::Tensor(p), false, name.ends()),
            (None, Expr::Let(l)) => self.bind_unknown(&l.pat),
            (None, _) => {}
        }
    }
}
